import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Event, News } from '../shared/contract.ts';
import { connectDesk, type Desk, type DeskOptions } from '../main/client.ts';
import { temporaryDesk, type Running } from './deskProgram.ts';
import { rawView, type Told } from './rawView.ts';
import { refundPlaybook, refundTicket } from './refundPlaybook.ts';

const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const desk = temporaryDesk();
const socket = path.join(desk.data, 'desk.sock');
const said: string[] = [];
const open = new Set<Desk>();
beforeAll(async () => {
  await desk.useTinyModel();
});
afterEach(async () => {
  for (const one of open) await one.close();
  open.clear();
  said.length = 0;
});
afterAll(() => desk.remove());

/** The host in this process. */
async function here(more: Partial<DeskOptions> = {}): Promise<Desk> {
  const options = { data: desk.data, as: 'staff-0007', profileFile, signal: new AbortController().signal };
  const made = await connectDesk({ ...options, say: (words) => said.push(words), ...more });
  open.add(made);
  return made;
}
function newsOf(event: Event): News | null {
  return event.feature === 'runs' && 'entity' in event ? event.entity.news : null;
}
function refunds(): number {
  const database = new Database(path.join(desk.data, 'profile', 'shop.db'), { readonly: true });
  try {
    return Number(database.prepare('select count(*) from refunds').pluck().get());
  } finally {
    database.close();
  }
}
/** A second desk, working in a process of its own. */
async function working(...more: string[]): Promise<Running> {
  const running = desk.start('work', '--threads', '2', ...more);
  await running.says('T-0001');
  return running;
}

describe('two desks on one data folder (spec layout: one host per data folder)', () => {
  it('the second asks the first, which goes on working', async () => {
    const first = await working('--all');
    const listed = await desk.run('tickets', '--json');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    // The desk's own list.
    const states = JSON.parse(listed.stdout) as { id: string; state: string }[];
    expect(states.find(({ id }) => id === 'T-0001')?.state).not.toBe('open');
    expect(states.find(({ id }) => id === 'T-0048')?.state).toBe('open');
    const second = await desk.run('work', '--ticket', 'T-0048', '--model', 'none');
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('taking turns') as string });
    expect(second.stdout).toContain('T-0048');
    const trial = await desk.run('work', '--playbook', refundPlaybook(desk.folder), '--ticket', 'T-0003');
    expect(trial).toMatchObject({ code: 1, stderr: expect.stringContaining('with its own playbook') as string });
    first.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    expect((await desk.run('tickets')).code).toBe(0);
  });

  it('only this user can open the socket, and it goes with its host', async () => {
    const one = await here();
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(desk.data).mode & 0o777).toBe(0o700);
    await one.close();
    expect(existsSync(socket)).toBe(false);
  });

  it('a host killed with -9 leaves its socket; the next desk takes over, who asked is told', async () => {
    const first = await working('--all');
    const asking = desk.start('work', '--ticket', 'T-0047', 'T-0048', 'T-0046', '--threads', '2');
    await asking.says('taking turns');
    first.kill('SIGKILL');
    const { code, stderr } = await asking.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('ended in between; what was done is kept')]);
    expect(existsSync(socket)).toBe(true);
    expect(await desk.run('tickets', '--view', 'open')).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(socket)).toBe(false);
  });

  it('a folder with a long path has its socket elsewhere, named in the folder', async () => {
    const data = path.join(desk.folder, 'l'.repeat(90), 'data');
    mkdirSync(data, { recursive: true });
    const one = await here({ data });
    const address = readFileSync(path.join(data, 'desk.sock.place'), 'utf8');
    expect(Buffer.byteLength(address)).toBeLessThanOrEqual(100);
    expect(statSync(address).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(address)).mode & 0o777).toBe(0o700);
    expect(await desk.run('--data', data, 'tickets')).toMatchObject({ code: 0, stderr: '' });
    await one.close();
    expect(existsSync(address)).toBe(false);
  });
});

describe('the end of a host that others use', () => {
  it('comes after what they wait for', async () => {
    const stop = new AbortController();
    const one = await here({ signal: stop.signal });
    const view = await rawView(socket);
    const asked = view.ask('runs.work', { tickets: ['T-0002'], model: 'none' }, 'staff-0007');
    await view.ask('people.list', {});
    const closing = one.close();
    expect(await asked).toMatchObject({ ok: true });
    await closing;
    expect(said).toContainEqual(expect.stringContaining('Another desk still works through this one'));
    await view.closed;
    expect(view.told.at(-1)).toEqual({ bye: true });
  });

  it('comes at once where the person stops it: they are told, what was done is kept', async () => {
    const stop = new AbortController();
    const one = await here({ signal: stop.signal });
    const view = await rawView(socket);
    view.write('{"listen":true}\n');
    const asked = view.ask('runs.work', { select: 'all', threads: 2 }, 'staff-0007');
    await view.next((told) => isNews(told, 'finished'));
    const closing = one.close();
    stop.abort(new Error('stopped by the person'));
    expect(await asked).toMatchObject({ ok: false, failure: { code: 'host.closed' } });
    await closing;
    expect((await desk.run('tickets')).code).toBe(0);
  });
});

function isNews({ event }: Told, kind: News['kind']): boolean {
  // Of the desk's own events.
  return event?.feature === 'runs' && (event.entity as { news: News }).news.kind === kind;
}

describe('messages of others', () => {
  it('that are malformed or too long are refused and counted; twenty in a row end the connection (spec trust 8)', async () => {
    await here();
    const view = await rawView(socket);
    async function refusedSoFar(): Promise<string | undefined> {
      // The desk's own checks.
      const checks = JSON.parse((await desk.run('doctor', '--json')).stdout) as { name: string; says: string }[];
      return checks.find(({ name }) => name === 'requests')?.says;
    }
    const malformed = () => view.told.filter(({ failure }) => failure?.code === 'host.malformed').length;
    view.write('nonsense\n{"id":1}\n');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let n = 0; n < 9; n++) view.write(piece);
    view.write('\n');
    expect(await view.ask('servers.burn', {})).toMatchObject({ failure: { code: 'host.route' } });
    expect(malformed()).toBe(3);
    expect(await view.ask('people.list', {})).toMatchObject({ ok: true });
    expect(await refusedSoFar()).toContain('4 refused');
    view.write('x\n'.repeat(1000));
    await view.closed;
    expect(malformed()).toBe(23);
    expect(await refusedSoFar()).toContain('24 refused');
  });

  it('that ask for more than their role may have are refused by the host', async () => {
    const one = await here();
    const view = await rawView(socket);
    const config = { prefix: 'mine', kind: 'stdio', command: 'node' };
    expect(await view.ask('servers.add', { config }, 'staff-0007')).toMatchObject({
      failure: { code: 'people.role' },
    });
    expect((await one.request('servers.list', {})).map(({ prefix }) => prefix)).not.toContain('mine');
    view.close();
  });
});

/** A file of 300 wordings of one ask. */
function wordings() {
  const text = JSON.stringify(Array.from({ length: 300 }, (_, at) => refundTicket(at + 1)));
  return { name: 'wordings.json', bytes: Buffer.from(text).toString('base64') };
}

describe('a call that waits while somebody is at the window or terminal', () => {
  const call: { id: string } = { id: '' };
  /** Works wordings of a ticket until one reaches the refund and asks; what `asked` does decides. */
  async function untilAsked(asked: (one: Desk, call: Call) => void): Promise<News[]> {
    const one = await here({ playbookFile: refundPlaybook(desk.folder) });
    const { ids } = await one.request('imports.run', wordings());
    const news: News[] = [];
    const stop = new AbortController();
    let from = Infinity;
    one.events((event) => {
      const told = newsOf(event);
      if (told === null) return;
      news.push(told);
      if (told.kind === 'asks' && from === Infinity) {
        from = news.length;
        call.id = told.call.id;
        asked(one, told.call);
      } else if (told.kind === 'finished' && from < Infinity) stop.abort();
    });
    const work = { tickets: ids, threads: 2, attended: true, watch: 'w' };
    expect(await one.request('runs.work', work, stop.signal)).toMatchObject({ stopped: true });
    return news.slice(from);
  }
  function finished(news: News[]) {
    const found = news.find((one) => one.kind === 'finished');
    if (found === undefined) throw new Error('no ticket was finished after the question');
    return found.run;
  }

  it('is left waiting where they say so', async () => {
    const before = refunds();
    const news = await untilAsked((one, { id, hash }) => {
      void one.request('calls.consent', { id, hash, answer: 'later' });
    });
    expect(finished(news).state).toBe('waiting');
    expect(refunds()).toBe(before);
  });

  it('may be answered through another desk meanwhile: run once, by that person; a wrong hash never', async () => {
    const before = refunds();
    const said: Promise<{ code: number | null; stdout: string }>[] = [];
    const wrong: Promise<unknown>[] = [];
    const news = await untilAsked((one, { id }) => {
      wrong.push(
        one.request('calls.consent', { id, hash: 'f'.repeat(64), answer: 'run' }).catch((error: unknown) => error),
      );
      said.push(desk.run('--as', 'staff-0002', 'consent', id, '--run'));
    });
    expect(await wrong[0]).toMatchObject({ code: 'calls.hash' });
    expect(await said[0]).toMatchObject({ code: 0, stdout: expect.stringContaining('goes on with it') as string });
    const made = finished(news).turns.flatMap((turn) => (turn.call === undefined ? [] : [turn.call]));
    expect(made.find(({ tool }) => tool === 'shop.issue_refund')).toMatchObject({
      outcome: 'result',
      consent: { by: 'staff-0002', answer: 'run', scripted: false },
    });
    expect(refunds()).toBe(before + 1);
  });

  it('waits on where their program is killed; the host goes on', async () => {
    const one = await here({ playbookFile: refundPlaybook(desk.folder) });
    const { ids } = await one.request('imports.run', wordings());
    const view = await rawView(socket);
    view.write('{"listen":true}\n');
    const begin = { tickets: ids, threads: 2, attended: true, watch: 'v' };
    void view.ask('runs.work', begin, 'staff-0007').catch(() => undefined);
    const { event } = await view.next((told) => isNews(told, 'asks'));
    // As above, of the kind that was looked for.
    const { news } = event?.entity as { news: Extract<News, { kind: 'asks' }> };
    const left = new Promise<News>((resolve) => {
      one.events((told) => {
        const heard = newsOf(told);
        if (heard?.kind === 'finished' && heard.ticket.id === news.call.ticket) resolve(heard);
      });
    });
    view.close();
    expect(await left).toMatchObject({ run: { state: 'waiting' } });
    expect(await one.request('calls.get', { id: news.call.id })).toMatchObject({ state: 'asking' });
    expect(await desk.run('consent', news.call.id)).toMatchObject({ code: 3 });
  });
});

it('a server is switched off and on by an admin, and what is decided on it stays', async () => {
  expect(await desk.run('servers', 'disable', 'shop')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Only an admin switches servers on and off') as string,
  });
  await here();
  const admin = (...args: string[]) => desk.run('--as', 'staff-0001', 'servers', ...args);
  expect((await admin('disable', 'shop')).code).toBe(0);
  expect((await admin()).stdout).toMatch(/^shop {2}off/m);
  expect((await admin('disable', 'nobody')).stderr).toContain('There is no server "nobody"');
  expect((await admin('enable', 'shop')).code).toBe(0);
  expect((await admin('check', 'shop')).stdout).toMatch(/quote_refund +approved/);
  const file = path.join(desk.folder, 'bundled.json');
  writeFileSync(file, JSON.stringify({ prefix: 'own', kind: 'stdio', command: 'node', bundled: 'shop' }));
  expect(await admin('add', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('bundled') as string });
});
