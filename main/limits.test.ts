import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../shared/contract.ts';
import { limitProblem, limitRows, type LimitName } from '../shared/limits.ts';
import { serverConfig } from '../shared/servers.ts';
import { createHandlers } from './handlers.ts';
import { createHost, type Host } from './host.ts';
import { openLimits } from './limits.ts';
import { defaultLimits, limitsOf } from './mcp/limits.ts';
import { createModelChoice } from './modelChoice.ts';
import { createRouter } from './router.ts';
import { createSettings } from './settings.ts';
import { openStore } from './store/open.ts';
import { createWork } from './work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-limits-'));
const rooms = path.join(import.meta.dirname, '../demo/servers/rooms.ts');
const wire = path.join(import.meta.dirname, '../e2e/hostile/wire.mjs');
const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
let host: Host;
beforeAll(async () => {
  host = await createHost({ data: path.join(folder, 'data'), profileFile, servers: false, say: () => undefined });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The answer to one request, as a view gets it. */
function ask(name: string, params: unknown, as: string): Promise<Answer> {
  const models = createModelChoice(path.join(folder, 'data'), host.settings);
  const refused = { count: 0 };
  const handlers = createHandlers({
    ...{ host, models, refused },
    work: createWork({ host: () => host, models: () => models }),
  });
  const router = createRouter({ host, handlers, refused, say: () => undefined });
  return new Promise((resolve) => {
    const send = (text: string) => resolve(JSON.parse(text) as Answer); // the router's own words
    router.connect({ send, end: () => undefined }).receive(JSON.stringify({ id: 1, route: name, params, as }));
  });
}

describe('the limits and their usual values (spec trust, "Limits")', () => {
  it('are those of the specification, in bytes and milliseconds', () => {
    const KiB = 1_024;
    expect(defaultLimits).toMatchObject({
      ...{ messageBytes: 8 * KiB * KiB, depth: 64, tools: 512, pages: 100, listMs: 30_000 },
      ...{ schemaBytes: 256 * KiB, schemaDepth: 32, schemaParts: 2_000, requestStateBytes: 64 * KiB },
      ...{ rounds: 10, questions: 8, callIdleMs: 10_000, callMs: 600_000, notificationsPerSecond: 50 },
      ...{ relistMs: 5_000, stderrBytes: 256 * KiB, redirects: 3, urlLength: 2_048 },
      ...{ restarts: 5, restartWindowMs: 600_000, backoffMs: 1_000, backoffMaxMs: 60_000 },
    });
  });
  it.each(limitRows({}))('$name: can be set from its least to its most, and has another effect then', (row) => {
    const { name, usual, least, most } = row;
    expect([least, usual, most].map((value) => limitProblem(name, value))).toEqual([null, null, null]);
    for (const wrong of [least - 1, most + 1, least + 0.5, Number.NaN])
      expect(limitProblem(name, wrong)).toContain(`from ${least} to ${most}`);
    expect(limitsOf({ [name]: usual === most ? least : most })).not.toEqual(defaultLimits);
  });
});

describe('what an admin set', () => {
  it('outlives the desk, and a value another version kept that is none here does not hold', async () => {
    const clock = { now: () => Date.parse('2026-06-30T09:00:00Z') };
    const file = path.join(folder, 'kept.db');
    const first = await openStore(file);
    await (await openLimits(createSettings(first, clock))).set('tools', 40);
    await first.close();
    const again = await openStore(file);
    const settings = createSettings(again, clock);
    expect((await openLimits(settings)).now()).toMatchObject({ tools: 40, pages: 100 });
    await settings.set('limits', { tools: 0, pages: 7, gone: 1, rounds: 'many' });
    expect((await openLimits(settings)).now()).toEqual(limitsOf({ pages: 7 }));
    await again.close();
  });
  it('is an admin’s to set, and kept among what people did (spec host §25)', async () => {
    const asked = { name: 'questions', value: 3 };
    expect(await ask('limits.set', asked, 'staff-0002')).toMatchObject({
      ok: false,
      failure: { code: 'people.role', message: expect.stringContaining('Only an admin sets limits') as string },
    });
    expect(host.limits.now().questions).toBe(8);
    expect(await ask('limits.set', asked, 'staff-0001')).toMatchObject({ ok: true });
    expect(host.limits.now().questions).toBe(3);
    expect(await ask('limits.set', { name: 'questions', value: null }, 'staff-0001')).toMatchObject({ ok: true });
    expect(host.limits.now()).toEqual(defaultLimits);
    expect(
      (await host.acts.list({ before: null })).map(({ by, about, outcome }) => [by, about, outcome]).slice(0, 2),
    ).toEqual([
      ['staff-0001', 'questions as usual', 'done'],
      ['staff-0001', 'questions 3', 'done'],
    ]);
  });
  it.each([
    [{ name: 'tool', value: 3 }, 'limits.unknown', 'There is no limit “tool”. Known: message-size, '],
    [{ name: '__proto__', value: 3 }, 'limits.unknown', 'Known: '],
    [{ name: 'questions', value: 33 }, 'limits.range', 'a whole number from 1 to 32'],
    [{ name: 'questions', value: 2.5 }, 'limits.range', 'a whole number from 1 to 32'],
  ])('is refused in words: %o', async (asked, code, words) => {
    expect(await ask('limits.set', asked, 'staff-0001')).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(words) as string },
    });
    expect(host.limits.now()).toEqual(defaultLimits);
  });
});

describe('a real server', () => {
  const set = (name: LimitName, value: number | null) => host.limits.set(name, value);
  async function start(prefix: string, args: string[], env: Record<string, string> = {}) {
    await host.servers.remove(prefix);
    host.servers.add(serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args, env }));
    const server = host.servers.get(prefix);
    if (server === undefined) throw new Error('it was added');
    await server.connection.start();
    return server.connection;
  }
  const startRooms = () =>
    start('rooms', [rooms], { ROOMS_DATA: path.join(folder, 'rooms'), ROOMS_CLOCK: '2026-06-30T09:00:00Z' });
  const bad = { tool: 'bad', arguments: {} };

  it('that runs keeps what it started with; from its next start fewer tools are read, and it says so', async () => {
    const running = await startRooms();
    await set('tools', 1);
    expect(await running.tools({ refresh: true })).toHaveLength(2);
    const next = await startRooms();
    expect(await next.tools()).toHaveLength(1);
    expect(next.status().problem).toContain('The list is longer than 1; the rest is left out.');
    await set('tools', null);
    expect(await (await startRooms()).tools()).toHaveLength(2);
  });
  it('with a schema beyond what is set has that tool parked', async () => {
    await set('schema-parts', 150);
    const listed = await (await start('lists', [path.join(path.dirname(wire), 'lists.mjs'), 'bombs'])).tools();
    expect(listed.find(({ name }) => name === 'crowded')?.problem).toContain('more than 150 schemas');
    await set('schema-parts', null);
  });
  it('that answers more than is set is refused, and answers others', async () => {
    await set('message-size', 64);
    const one = await start('wire', [wire, 'huge']);
    expect(await one.call(bad)).toMatchObject({ reason: expect.stringContaining('65536 are allowed') as string });
    await set('message-size', null);
  });
  it('that says nothing for as long as is set has its call ended', async () => {
    await set('call-silence', 1);
    const one = await start('wire', [wire, 'never']);
    expect(await one.call(bad)).toEqual({ kind: 'unknown', reason: 'no answer and no progress for 1 s' });
    await set('call-silence', null);
  });
});
