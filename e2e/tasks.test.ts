// Long calls of the warehouse (spec host §22): the desk is killed with -9 in the middle of a task, calls are stopped on each
// transport. The witness is the warehouse itself, by its own database.
import Database from 'better-sqlite3';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHost } from '../main/host.ts';
import type { Call } from '../shared/calls.ts';
import type { TicketRun } from '../shared/runs.ts';
import { temporaryDesk } from './deskProgram.ts';

const demo = path.join(import.meta.dirname, '../demo');
const program = path.join(import.meta.dirname, 'taskFlow.ts');
const key = 'key-for-tests';
const day = '2026-06-30T09:00:00Z';
const often = { interval: 50 };
const desk = temporaryDesk();
const started: ChildProcess[] = [];
let count = 0;
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => desk.remove());

interface Place {
  data: string;
  profileFile: string;
  /** The warehouse's own database. */
  witness: string;
}
/** A company with the warehouse alone: a process of the desk, or one over HTTP that no desk takes with it. */
async function place(tool: string, { http, recountMs }: { http: boolean; recountMs: number }): Promise<Place> {
  const folder = path.join(desk.folder, String(++count));
  mkdirSync(folder);
  const text = readFileSync(path.join(demo, 'profile.json'), 'utf8').replaceAll('{profile}', demo);
  const profile = z
    .looseObject({
      services: z.array(z.looseObject({ env: z.record(z.string(), z.string()) })),
      servers: z.array(z.looseObject({ prefix: z.string() })),
    })
    .parse(JSON.parse(text));
  const data = path.join(folder, 'data');
  const [api] = profile.services;
  const [warehouse] = profile.servers.filter(({ prefix }) => prefix === 'warehouse');
  const slow = { SHOP_RECOUNT_MS: String(recountMs) };
  const own = path.join(folder, 'warehouse');
  const url = http ? await serveWarehouse(own, slow) : '';
  const over = { prefix: 'warehouse', kind: 'http', bundled: 'warehouse', system_of_record: true, url };
  const profileFile = path.join(folder, 'profile.json');
  const playbook = path.join(folder, 'playbook.json');
  writeFileSync(playbook, JSON.stringify(playbookOf(tool)));
  writeFileSync(
    profileFile,
    JSON.stringify({
      ...profile,
      tickets: undefined,
      playbook_sha256: undefined,
      playbook,
      services: http ? [] : [{ ...api, env: { ...api?.env, ...slow } }],
      servers: [http ? over : warehouse],
    }),
  );
  return { data, profileFile, witness: path.join(http ? own : path.join(data, 'profile/warehouse'), 'warehouse.db') };
}
/** Under it the first step is the tool; there is nothing else to do, and no reply. */
function playbookOf(tool: string) {
  const asks = [{ id: 'stock', label: 'stock', says: 'asks about stock', tools: [{ tool: `warehouse.${tool}` }] }];
  const same = { company: 'Fernhill Supply', language: 'en', currency: 'EUR', systems: ['warehouse'] };
  return {
    format: 'desk-playbook/1',
    ...same,
    asks,
    tools: { [`warehouse.${tool}`]: {} },
    handover: { margins: { '*': 0 } },
  };
}
async function serveWarehouse(folder: string, slow: Record<string, string>): Promise<string> {
  mkdirSync(folder);
  const shop = { SHOP_DB: path.join(folder, 'shop.db'), SHOP_KEY: key, SHOP_CLOCK: day, ...slow };
  const WAREHOUSE_API_URL = await serve(['api.ts'], shop);
  return serve(['servers/warehouse.ts', '--http', '0'], {
    WAREHOUSE_API_URL,
    WAREHOUSE_API_KEY: key,
    WAREHOUSE_DATA: folder,
    WAREHOUSE_CLOCK: day,
  });
}
async function serve([name = '', ...args]: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [path.join(demo, name), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  started.push(child);
  const line: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  return z.object({ url: z.string() }).parse(JSON.parse(String(line[0]))).url;
}

/** A desk of its own process on a place. */
function flow({ data, profileFile }: Place, ticket?: string) {
  const child = fork(program, [JSON.stringify({ data, profileFile, ticket })], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.push(child);
  const calls: Call[] = [];
  const runs: TicketRun[] = [];
  child.on('message', (message: { call: Call } | { run: TicketRun }) => {
    if ('call' in message) calls.push(message.call);
    else runs.push(message.run);
  });
  const exited = once(child, 'exit');
  return {
    calls,
    runs,
    counted: () => calls.at(-1)?.progress?.done ?? 0,
    stop: () => child.send({ stop: calls.at(-1)?.id ?? '' }),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.send({ end: true });
      const [code] = (await exited) as [number | null];
      expect(code).toBe(0);
    },
  };
}

/** What the warehouse says of itself; its handles stay where they are. */
function witnessed({ witness }: Place) {
  const database = new Database(witness, { readonly: true });
  try {
    return {
      // The columns named in the queries.
      tasks: database.prepare('select tool, status from tasks').all() as { tool: string; status: string }[],
      ledger: database.prepare('select work, products, ended, ended_at from ledger order by entry').all() as {
        work: string;
        products: number;
        ended: string | null;
        ended_at: string | null;
      }[],
      handles: database.prepare('select task_id from tasks').pluck().all() as string[],
    };
  } finally {
    database.close();
  }
}
/** What the desk keeps once it is closed. */
async function kept({ data, profileFile }: Place) {
  const host = await createHost({ data, profileFile, servers: false, say: () => undefined });
  try {
    const calls = await host.calls.list({});
    const events = await host.calls.events(calls[0]?.id ?? '');
    const runs = await host.store.db.selectFrom('runs').select(['state', 'turns']).execute();
    return { calls, events: events.map(({ to }) => to), runs, problems: await host.calls.verifyChain() };
  } finally {
    await host.close();
  }
}

function wireKept({ data }: Place): unknown[] {
  const database = new Database(path.join(data, 'desk.db'), { readonly: true });
  try {
    return database.prepare('select text from wire union all select payload from call_events').all();
  } finally {
    database.close();
  }
}

describe('a restock report as a task', () => {
  it.each([
    // The desk takes its own warehouse with it; the task goes on when both are back.
    // Both long enough to be looked at in the middle of it.
    ['stdio', false, 150, ['left', 'finished']],
    // Long enough for the run to be left waiting before the desk is killed.
    ['HTTP', true, 300, ['finished']],
  ] as const)(
    'over %s: the desk is killed and started again, and the report arrives once',
    async (_, http, recountMs, ledger) => {
      const here = await place('restock_report', { http, recountMs });
      const before = flow(here, 'T-1');
      await expect.poll(before.counted, often).toBeGreaterThan(3);
      expect(before.calls.at(-1)).toMatchObject({
        state: 'sending',
        progress: { total: 64, message: expect.stringMatching(/^recounted \d+ of 64$/) as string },
        task: { every_ms: 500, stop_by: null },
      });
      if (http) {
        await expect.poll(() => before.runs.length, often).toBe(1);
        expect(before.runs[0]).toMatchObject({ state: 'waiting', why: expect.stringContaining('as a task') as string });
      }
      await before.kill();
      const after = flow(here);
      await expect.poll(() => after.runs.length, often).toBe(1);
      await after.end();
      // The run that waited for it went on with the report, and ended with what a person does with it.
      expect(after.runs[0]).toMatchObject({ ticket: 'T-1', state: 'handed over' });
      expect(after.runs[0]?.turns.flatMap(({ call }) => call ?? [])).toMatchObject([
        { tool: 'warehouse.restock_report', outcome: 'result', structured: { products: 64 } },
      ]);
      const { calls, events, runs, problems } = await kept(here);
      expect(calls).toMatchObject([{ state: 'result', structured: { products: 64, below: 30 } }]);
      expect(events.filter((state) => state === 'sending' || state === 'result')).toEqual(['sending', 'result']);
      expect(runs).toHaveLength(1);
      expect(problems).toEqual([]);
      const own = witnessed(here);
      expect(own.tasks).toEqual([{ tool: 'restock_report', status: 'completed' }]);
      expect(own.ledger.map(({ ended }) => (ended === 'finished' ? ended : 'left'))).toEqual(ledger);
      // Its handle is a secret: what the desk keeps and told holds it nowhere.
      const secrets = own.handles.filter((handle) => handle.length === 32);
      expect(secrets).toHaveLength(1);
      const all = JSON.stringify([calls, events, before.calls, after.calls, wireKept(here)]);
      expect(all).toContain('tasks/get');
      for (const secret of secrets) expect(all).not.toContain(secret);
    },
  );

  it('stopped by a person: its server is asked to, and says how far it came', async () => {
    const here = await place('restock_report', { http: true, recountMs: 300 });
    const live = flow(here, 'T-1');
    await expect.poll(live.counted, often).toBeGreaterThan(1);
    live.stop();
    await expect.poll(() => live.calls.at(-1)?.state, often).toBe('unknown');
    expect(live.calls.some(({ state, task }) => state === 'sending' && task?.stop_by === 'staff-0007')).toBe(true);
    expect(live.calls.at(-1)?.detail).toMatch(
      /^warehouse stopped its task before its end \(stopped: recounted \d+ of 64\)/,
    );
    await live.end();
    expect(witnessed(here)).toMatchObject({ tasks: [{ status: 'cancelled' }], ledger: [{ ended: 'cancelled' }] });
  });
});

describe('a recount, stopped in the middle (host §22, trust 2)', () => {
  it.each([
    ['stdio', false],
    ['HTTP', true],
  ] as const)('over %s: the warehouse’s own ledger says when it stopped', async (_, http) => {
    const here = await place('recount_stock', { http, recountMs: 300 });
    const live = flow(here, 'T-1');
    await expect.poll(live.counted, often).toBeGreaterThan(3);
    expect(live.calls.at(-1)?.progress).toMatchObject({
      total: 64,
      message: expect.stringMatching(/^recounted KG-/) as string,
    });
    live.stop();
    await expect.poll(() => live.runs.length, often).toBe(1);
    expect(live.calls.at(-1)).toMatchObject({
      state: 'unknown',
      detail: expect.stringMatching(/^staff-0007 stopped it while it ran/) as string,
    });
    expect(live.runs[0]).toMatchObject({ state: 'handed over', why: expect.stringContaining('looks it up') as string });
    const ended = () => witnessed(here).ledger;
    await expect.poll(ended, often).toMatchObject([{ work: 'recount_stock', ended: 'cancelled' }]);
    const [stopped] = ended();
    expect(stopped?.ended_at).toMatch(/^2026-06-30T09:/);
    expect(stopped?.products).toBeLessThan(64);
    await live.end();
  });
});
