import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '../main/store/open.ts';
import type { Ticket } from '../shared/tickets.ts';
import { temporaryDesk, type Ended } from './deskProgram.ts';

const desk = temporaryDesk();
const hostile = path.join(import.meta.dirname, 'hostile');
const playbook = path.join(import.meta.dirname, '../demo/playbook.json');
beforeAll(async () => {
  expect((await desk.run('tickets')).code).toBe(0);
});
afterAll(() => desk.remove());

function file(name: string, text: string | Buffer): string {
  const made = path.join(desk.folder, name);
  writeFileSync(made, text);
  return made;
}
async function tickets(): Promise<Ticket[]> {
  // The desk's own list, in its own type.
  return JSON.parse((await desk.run('tickets', '--json')).stdout) as Ticket[];
}
/** A command that fails for a reason says it in one line, without a stack. */
function expectSentence({ code, stdout, stderr }: Ended, expected: number, words: string): void {
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/fault of the desk|\n\s+at /);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(code).toBe(expected);
}

describe('wrong use (exit code 2)', () => {
  it.each([
    [['sing']],
    [['work', '--sing']],
    [['tickets', '--view', 'nice']],
    [['servers', 'sing']],
    [['models', 'sing', 'x']],
  ])('desk %j', async (args) => {
    const { code, stdout, stderr } = await desk.run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown|no view|not known/);
    expect(stdout).toBe('');
  });
  it('--help is no failure', async () => {
    expect(await desk.run('--help')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('models', () => {
  it('one that nobody knows, with those that are known', async () => {
    expectSentence(
      await desk.run('work', '--model', 'nobody', '--ticket', 'T-0001'),
      1,
      'There is no model "nobody". Known:',
    );
  });
  it('one that is not on this disk, with the command that gets it', async () => {
    const { code, stderr } = await desk.run('work', '--model', 'starter', '--ticket', 'T-0001');
    expect([code, stderr]).toEqual([1, expect.stringContaining('desk models get')]);
  });
  it('a file that is not there', async () => {
    expectSentence(
      await desk.run('models', 'add', path.join(desk.folder, 'none.gguf'), '--as', 'staff-0001'),
      1,
      'There is no file',
    );
  });
  it('a file of other bytes: said, and the file stays as it is', async () => {
    const bad = file('bad.gguf', Buffer.from('GGUF this is not a model'.repeat(100)));
    expect((await desk.run('models', 'add', bad, '--as', 'staff-0001')).code).toBe(0);
    const { code, stderr } = await desk.run('work', '--model', 'bad', '--ticket', 'T-0001');
    expect(code).toBe(1);
    expect(stderr).toContain('bad');
    expect(stderr).not.toMatch(/fault of the desk/);
    expect(readFileSync(bad, 'utf8')).toContain('this is not a model');
    expect((await tickets()).find((ticket) => ticket.id === 'T-0001')?.state).toBe('open');
  });
  it('none at all: tickets are left to people, and said', async () => {
    const { code, stdout } = await desk.run('work', '--model', 'none', '--ticket', 'T-0001');
    expect(code).toBe(0);
    expect(stdout).toContain('No model is there');
  });
});

describe('tickets', () => {
  it('one that is not there', async () => {
    expectSentence(await desk.run('work', '--model', 'none', '--ticket', 'T-9999'), 1, 'There is no ticket T-9999');
  });
  it('a file that is not there', async () => {
    expectSentence(await desk.run('import', path.join(desk.folder, 'none.json')), 1, 'cannot be read');
  });
  it('a bad record is named, the others come in', async () => {
    const good = (id: string) => ({ id, body: 'Where is it?', received_at: '2026-06-30T08:00:00Z' });
    const lines = [good('X-1'), { ...good('X-2'), received_at: 'yesterday' }, good('X-3')];
    const from = file('mixed.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const { code, stdout } = await desk.run('import', from);
    expect(code).toBe(0);
    expect(stdout).toContain('Added 2');
    expect(stdout).toMatch(/record 2 \(X-2\).*received_at/);
    const ids = (await tickets()).map((ticket) => ticket.id);
    expect(ids).toEqual(expect.arrayContaining(['X-1', 'X-3', 'T-0001', 'T-0048']));
    expect(ids).not.toContain('X-2');
  });
  it('a file without one good record stores nothing', async () => {
    const before = await tickets();
    const { code, stdout } = await desk.run('import', file('none.json', '[{"id": 1}]'));
    expect(code).toBe(1);
    expect(stdout).toContain('refused 1');
    expect(await tickets()).toEqual(before);
  });
});

describe('people and consent', () => {
  it('nobody of that name', async () => {
    expectSentence(
      await desk.run('--as', 'staff-9999', 'work', '--model', 'none'),
      1,
      'There is no person "staff-9999"',
    );
  });
  it('a call that is not there', async () => {
    expectSentence(await desk.run('consent', 'ffffffff', '--run'), 1, 'No call ffffffff waits for consent');
  });
  it('answers from somebody unknown, before any ticket is touched', async () => {
    const answers = file('answers.json', '[{"when": {}, "as": "staff-9999", "consent": "run"}]');
    const ended = await desk.run('work', '--model', 'none', '--ticket', 'T-0002', '--answers', answers);
    expectSentence(ended, 1, 'rule 0 acts as "staff-9999"');
    expect((await tickets()).find((ticket) => ticket.id === 'T-0002')?.state).toBe('open');
  });
});

describe('playbooks', () => {
  it.each([
    ['not JSON', '{', 'is not JSON'],
    ['a wrong place', '{"format": "desk-playbook/1", "company": 5}', 'company:'],
    [
      'an ask that is none',
      readFileSync(playbook, 'utf8').replace(/"ask": "[a-z]+"/, '"ask": "nonsense"'),
      '"nonsense" is none of the asks',
    ],
    [
      'twins that are none',
      readFileSync(playbook, 'utf8').replace(/"demand": "[a-z]+"/, '"demand": "nothing"'),
      'twins/0/demand: "nothing" is none of the asks',
    ],
  ])('%s', async (_, text, words) => {
    const wrong = file('wrong.json', text);
    const ended = await desk.run('work', '--model', 'none', '--ticket', 'T-0002', '--playbook', wrong);
    expectSentence(ended, 1, words);
    expect(ended.stderr).toContain(wrong);
  });
});

describe('servers', () => {
  async function add(prefix: string, args: string[]): Promise<void> {
    const config = { prefix, kind: 'stdio', command: process.execPath, args };
    const ended = await desk.run(
      '--as',
      'staff-0001',
      'servers',
      'add',
      file(`${prefix}.json`, JSON.stringify(config)),
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  }
  interface Row {
    prefix: string;
    state: string;
    problem: string | null;
  }
  it('are added by admins only', async () => {
    const config = file('mine.json', '{"prefix": "mine", "kind": "stdio", "command": "node"}');
    expectSentence(await desk.run('servers', 'add', config), 1, 'Only an admin adds servers');
  });
  it('with a wrong configuration are named by place, and nothing is added', async () => {
    const wrong = file('wrong-server.json', '{"prefix": "a b", "kind": "stdio", "command": "node"}');
    expectSentence(await desk.run('--as', 'staff-0001', 'servers', 'add', wrong), 1, 'prefix:');
    const taken = file('taken.json', '{"prefix": "shop", "kind": "stdio", "command": "node"}');
    expectSentence(await desk.run('--as', 'staff-0001', 'servers', 'add', taken), 1, '"shop" is in use');
  });
  it('that end, talk nonsense or are not there are said in words; the others keep working', async () => {
    await add('ends', [path.join(hostile, 'start.mjs'), 'exits']);
    await add('talks', [path.join(hostile, 'start.mjs'), 'garbage']);
    await add('gone', [path.join(hostile, 'no-such-file.mjs')]);
    let rows: Row[] = [];
    // Asked again where a start takes longer than the desk waits for it: one of them never answers.
    await expect
      .poll(async () => {
        const { code, stdout } = await desk.run('servers', '--json');
        expect(code).toBe(1);
        rows = JSON.parse(stdout) as Row[]; // the desk's own table
        return rows.filter(({ prefix }) => prefix !== 'talks').map(({ state }) => state);
      })
      .not.toContain('starting');
    const problem = (prefix: string) => rows.find((row) => row.prefix === prefix)?.problem;
    const looked = rows.filter(({ prefix }) => ['shop', 'ends', 'talks', 'gone'].includes(prefix));
    expect(looked.map(({ prefix, state }) => [prefix, state])).toEqual([
      ['shop', 'ready'],
      ['ends', 'failed'],
      ['talks', 'starting'],
      ['gone', 'failed'],
    ]);
    expect(problem('ends')).toContain('SHOP_URL is not set');
    expect(problem('talks')).toContain('Listening on port 3000');
    expect(problem('gone')).toContain('it ended with code 1');
    const worked = await desk.run('work', '--model', 'none', '--ticket', 'T-0003');
    expect(worked.code).toBe(0);
    for (const prefix of ['ends', 'talks', 'gone']) expect(worked.stderr).toContain(`Server "${prefix}"`);
    for (const prefix of ['ends', 'talks', 'gone'])
      expect((await desk.run('--as', 'staff-0001', 'servers', 'remove', prefix)).code).toBe(0);
    await expect.poll(async () => (await desk.run('servers', '--json')).code).toBe(0);
  });
});

describe('the data folder', () => {
  it('in use by another desk is said; it is free again when that one ends', async () => {
    const lock = await lockFolder(desk.data);
    try {
      expectSentence(await desk.run('tickets'), 1, 'Another desk is using the data folder');
    } finally {
      lock.release();
    }
    expect((await desk.run('tickets')).code).toBe(0);
  });

  it('with a damaged database: kept aside byte by byte, said, and a new one begun', async () => {
    const database = path.join(desk.data, 'desk.db');
    const damaged = Buffer.from('not a database at all, '.repeat(500));
    writeFileSync(database, damaged);
    const { code, stdout, stderr } = await desk.run('tickets');
    expect(code).toBe(0);
    expect(stderr).toContain('The database was damaged. It was kept aside as');
    expect(stdout).toContain('T-0048');
    const aside = readdirSync(desk.data).find((name) => name.startsWith('desk.db.damaged-'));
    expect(readFileSync(path.join(desk.data, aside ?? '')).equals(damaged)).toBe(true);
    expect(await desk.run('tickets')).toMatchObject({ code: 0, stderr: '' });
  });

  it('that cannot be made', async () => {
    const taken = file('file', 'x');
    const ended = await desk.run('--data', path.join(taken, 'data'), 'tickets');
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(taken);
    expect(ended.stderr).not.toMatch(/fault of the desk/);
  });
});
