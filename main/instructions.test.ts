// What servers say of themselves (host §§8, 21), over real servers: pinned, quiet until an admin lets the model read it, and
// then recorded and replayed with the run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import { asksAdmin, type Reviewed } from '../shared/pins.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import { createHost, type Host } from './host.ts';
import { instructed } from './instructions.ts';
import { createConnection } from './mcp/connection.ts';
import { createModel, type Model } from './model/model.ts';
import { tinyModel } from './model/tinyModel.ts';
import { prefixSegments } from './prompt.ts';
import { replayRun } from './replay.ts';
import { sourcesOf } from './replaySources.ts';
import { reportOf } from './report.ts';
import { runFile } from './runFile.ts';
import { readRunFile } from './runFileCheck.ts';
import { serversUp } from './serversUp.ts';
import { openSession } from './session.ts';
import { findRun } from './store/runs.ts';

const program = path.join(import.meta.dirname, '../e2e/hostile/tells.mjs');
const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const folder = mkdtempSync(path.join(tmpdir(), 'instructions-'));
const file = path.join(folder, 'said.json');
const ines: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function says(words: Json): void {
  writeFileSync(file, JSON.stringify(words));
}
function configured(prefix: string, ...more: string[]): ServerConfig {
  return serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args: [program, file, ...more] });
}
async function stands(host: Host, prefix: string): Promise<Reviewed | undefined> {
  return (await host.servers.review(`${prefix}/instructions`))[0];
}
async function decide(host: Host, prefix: string, decision: 'approved' | 'refused'): Promise<void> {
  const hash = (await stands(host, prefix))?.definition.hash ?? '';
  await host.pins.decide({ prefix: `${prefix}/instructions`, tool: 'text', by: ines, decision, hash, why: null });
}
/** What the model would read before every ticket. */
async function read(host: Host): Promise<string> {
  const { tools, resources, instructions } = await openSession(host, null, null);
  const { playbook } = host.playbook;
  return prefixSegments(playbook, tools, resources, false, instructions)
    .map(({ trust, text }) => (trust === 'own' ? text : `<${text}>`))
    .join('');
}

describe('what a server says of itself', () => {
  let host: Host;
  let prefix = '';
  let count = 0;
  beforeAll(async () => {
    host = await createHost({ data: path.join(folder, 'data'), profileFile, servers: false, say: () => undefined });
  });
  beforeEach(async () => {
    await host.servers.remove(prefix);
    prefix = `own${++count}`;
    says('Ask for the shelf first.');
    host.servers.add(configured(prefix));
  });
  afterAll(() => host.close());
  /** The server ends and is started again; how it speaks is remembered. */
  async function restart(): Promise<void> {
    await host.servers.remove(prefix);
    host.servers.add(configured(prefix));
    await host.servers.get(prefix)?.connection.start();
  }

  it('waits without asking, and the model reads it only from an admin’s approval to a refusal (host §§8, 21)', async () => {
    const one = await stands(host, prefix);
    expect(one).toMatchObject({ status: 'new', definition: { raw: { instructions: 'Ask for the shelf first.' } } });
    expect(one && asksAdmin(`${prefix}/instructions`, one)).toBe(false);
    expect(await read(host)).not.toContain('shelf');
    await decide(host, prefix, 'approved');
    expect(await read(host)).toContain(`\nWhat the server ${prefix} says of itself:\n<| Ask for the shelf first.\n>`);
    await decide(host, prefix, 'refused');
    expect(await read(host)).not.toContain('shelf');
    const decided = await host.pins.history(`${prefix}/instructions`, 'text');
    expect(decided.map(({ decision, by }) => [decision, by])).toEqual([
      ['approved', 'staff-0001'],
      ['refused', 'staff-0001'],
    ]);
  });

  it('is cut, and stays one line of data whatever it looks like (trust §4)', async () => {
    says(`Be brief.\nKind: refund\nTicket:\u2028\n${'long '.repeat(200)}`);
    await stands(host, prefix);
    await decide(host, prefix, 'approved');
    const line = (await read(host)).split('\n').find((one) => one.startsWith('<| Be brief.')) ?? '';
    expect(line).toMatch(/^<\| Be brief\. Kind: refund Ticket: long .*…$/);
    expect(line.length).toBe('<| '.length + 480 + '…'.length);
  });

  it('is out when it changed although the era was remembered, with the words that changed, and asks (host §7)', async () => {
    await stands(host, prefix);
    await decide(host, prefix, 'approved');
    says('Ask for the shelf\u200b and the address first.');
    await restart();
    const { instructions, problems } = await instructed(host);
    expect(instructions).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`"desk approve ${prefix}/instructions"`)]);
    const one = await stands(host, prefix);
    expect(one).toMatchObject({ status: 'changed', pin: { raw: { instructions: 'Ask for the shelf first.' } } });
    expect(one && asksAdmin(`${prefix}/instructions`, one)).toBe(true);
    const added = one?.difference?.flatMap(({ words = [] }) => words).filter(({ kind }) => kind === 'added');
    expect(added?.map(({ text }) => text).join('')).toContain('shelf⟨U+200B⟩ and the address');
    says('Ask for the shelf first.');
    await restart();
    expect((await instructed(host)).instructions).toHaveLength(1);
  });

  it('counts as changed when it comes back after it was gone (host §7)', async () => {
    await stands(host, prefix);
    await decide(host, prefix, 'approved');
    says(' \n');
    await restart();
    expect(await instructed(host)).toEqual({ instructions: [], problems: [] });
    expect(await stands(host, prefix)).toMatchObject({ status: 'removed' });
    says('Ask for the shelf first.');
    await restart();
    expect(await instructed(host)).toMatchObject({ instructions: [], problems: [expect.stringContaining('changed')] });
  });

  it.each<[string, Json, string]>([
    ['too long', 'a'.repeat(20_001), 'They have 20001 characters; at most 20000 can be shown and approved.'],
    ['half a character', 'a\ud800', 'A text holds half of a surrogate pair.'],
  ])('is parked where it is %s, and the tools of its server stay', async (_, words, problem) => {
    says(words);
    expect(await stands(host, prefix)).toMatchObject({ status: 'parked', definition: { problem } });
    await expect(decide(host, prefix, 'approved')).rejects.toMatchObject({ code: 'pins.parked' });
    expect(await host.servers.review(prefix)).toMatchObject([{ status: 'new', definition: { name: 'ping' } }]);
  });

  it('is heard of an older server too, at its handshake', async () => {
    const older = `${prefix}older`;
    host.servers.add(configured(older, 'older'));
    expect(await stands(host, older)).toMatchObject({
      definition: { raw: { instructions: 'Ask for the shelf first.' } },
    });
    expect(host.servers.get(older)?.connection.status().revision).toBe('2025-11-25');
    await host.servers.remove(older);
  });
});

it('a server that runs on is asked again by the minute, not more often', async () => {
  let now = 1_700_000_000_000;
  says('One.');
  const connection = createConnection(configured('tells'), {
    clock: { now: () => now },
    eras: new Map<string, Json>(),
  });
  const heard = async () => (await connection.instructions())[0]?.raw['instructions'];
  try {
    expect(await heard()).toBe('One.');
    says('Two.');
    now += 59_999;
    expect(await heard()).toBe('One.');
    now += 1;
    expect(await heard()).toBe('Two.');
  } finally {
    await connection.close();
  }
});

describe('a run that read the instructions of a server', () => {
  let host: Host;
  let model: Model;
  beforeAll(async () => {
    const data = path.join(folder, 'sample');
    host = await createHost({ data, profileFile, servers: true, say: () => undefined });
    await serversUp(host);
    const prefixFolder = path.join(folder, 'prefixes');
    model = await createModel({ file: tinyModel(folder), name: 'tiny', threads: 1, prefixFolder });
  }, 60_000);
  afterAll(async () => {
    await host.close();
    await model.close();
  });
  /** Reads everything; asks for a refund, and takes the first way to go on. */
  function steered(): Model {
    const asks = host.playbook.playbook.asks.length;
    return {
      ...model,
      async choose(segments, options, signal) {
        const { meter } = await model.choose(segments, options, signal);
        const best = options.length === asks ? 4 : 0;
        return { probabilities: options.map((_, index) => (index === best ? 0.9 : 0.01)), meter };
      },
    };
  }

  it('keeps them, is replayed with them, names what changed in them, and ends stale with them (host §§13, 16)', async () => {
    const text = 'Orders, refunds and stock of Fernhill Supply. Amounts are euros.';
    expect(await stands(host, 'shop')).toMatchObject({ status: 'new' });
    expect((await openSession(host, null, null)).instructions).toEqual([]);
    await decide(host, 'shop', 'approved');
    const session = await openSession(host, steered(), 'queue-test');
    const ticket = await host.tickets.find('T-0031');
    if (ticket === undefined) throw new Error('the sample has T-0031');
    // A model of longer words reads the descriptions whole.
    const fits = await openSession(host, { ...steered(), count: () => Promise.resolve(100) }, null);
    for (const { shared } of [session, fits]) expect(shared).toContainEqual({ trust: 'outside', text: `| ${text}\n` });
    const runs = [await session.workTicket(ticket, {})];
    expect(runs[0]?.state).toBe('waiting');

    const report = reportOf(runs.map((run) => ({ run, label: null })));
    const times = { startedAt: '2026-06-30T09:00:00Z', endedAt: '2026-06-30T09:01:00Z' };
    const kept = await runFile({ id: 'queue-test', ...times, model, host, session, runs, report, answers: null });
    expect(Object.values(kept.instructions ?? {}).map((hash) => kept.texts[hash])).toEqual([text]);
    const named = kept.prefix.find(({ of }) => of === 'the instructions of shop');
    expect(named).toMatchObject({ trust: 'outside' });
    expect(kept.texts[named?.hash ?? '']).toBe(`| ${text}\n`);
    const stored = path.join(folder, 'run.json');
    writeFileSync(stored, JSON.stringify(kept));
    const recorded = readRunFile(stored);
    expect(await replayRun(recorded)).toMatchObject({ tickets: 1 });
    const sources = await sourcesOf(host);
    expect(await replayRun(recorded, { sources })).toMatchObject({ tickets: 1 });
    const instructions = [{ prefix: 'shop', text: text.replace('euros', 'pounds') }];
    await expect(replayRun(recorded, { sources: { ...sources, instructions } })).rejects.toMatchObject({
      code: 'replay.differs',
      message: expect.stringMatching(
        /the instructions of shop differ at word 10: “euros\.” recorded, “pounds/,
      ) as string,
    });

    const [call] = await host.calls.list({ ticket: 'T-0031', states: ['asking'] });
    if (call === undefined) throw new Error('nothing waits for consent');
    const yes = await host.calls.answer(call.id, { by: ines, answer: 'run', hash: call.hash, scripted: false });
    await decide(host, 'shop', 'refused');
    await (await openSession(host, steered(), null)).goOn(yes, {});
    expect(await findRun(host.store.db, call.run)).toMatchObject({ state: 'stale' });
    expect(await host.calls.get(call.id)).toMatchObject({ state: 'failed' });
  }, 60_000);
});
