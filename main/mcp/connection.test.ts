import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { configurationHash } from './configuration.ts';
import { createConnection, type Connection, type ConnectionDeps } from './connection.ts';
import type { OnPushed } from './exchanges.ts';
import type { Validator } from './validator.ts';
import { stepClock } from './stepClock.ts';

const good = fileURLToPath(new URL('../../e2e/hostile/good.mjs', import.meta.url));
const open: Connection[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.close()));
});
let now = 1_700_000_000_000;
const clock = { now: () => now };

function connect(deps: Partial<ConnectionDeps> = {}, env: Record<string, string> = {}): Connection {
  const config = serverConfig.parse({ prefix: 'shop', kind: 'stdio', command: process.execPath, args: [good], env });
  const one = createConnection(config, { clock, eras: new Map<string, Json>(), ...deps });
  open.push(one);
  return one;
}
const echo = { tool: 'echo', arguments: { text: 'héllo' } };
const refund = { tool: 'refund', arguments: { order: 'O-1' } };

describe('a connection to a good server', () => {
  it('reports the negotiated revision and shows its state (spec host §2)', async () => {
    const states: string[] = [];
    const one = connect({ onStatus: (status) => states.push(status.state) });
    expect(one.status()).toMatchObject({ state: 'stopped', revision: null, pid: null });
    await one.start();
    expect(one.status()).toMatchObject({
      state: 'ready',
      revision: '2026-07-28',
      era: 'modern',
      problem: null,
      restarts: 0,
    });
    expect(await one.instructions()).toMatchObject([{ name: 'text', raw: { instructions: 'Be kind.' } }]);
    await one.close();
    expect(states).toEqual(['starting', 'ready', 'stopped']);
  });

  it('starts when it is first needed', async () => {
    expect(await connect().call(echo)).toEqual({
      kind: 'result',
      text: 'héllo',
      content: [{ type: 'text', text: 'héllo' }],
    });
  });

  it('gives raw definitions with members the SDK would drop', async () => {
    const found = (await connect().tools()).find((one) => one.name === 'echo');
    expect(found).toMatchObject({ problem: null, raw: { _meta: { 'example.com/kept': true } } });
    expect(found?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('tells the outcomes of calls apart (spec host §13)', async () => {
    const one = connect();
    expect(await one.call({ tool: 'fails', arguments: {} })).toEqual({ kind: 'tool error', text: 'no such order' });
    expect(await one.call({ tool: 'structured', arguments: {} })).toEqual({
      kind: 'result',
      text: '{"total":"12.50"}',
      content: [],
      structured: { total: '12.50' },
    });
    expect(await one.call({ tool: 'none', arguments: {} })).toMatchObject({ kind: 'protocol error', code: -32602 });
  });

  it('sends the context keys under _meta', async () => {
    const outcome = await connect().call({ tool: 'meta', arguments: {}, meta: { 'example.com/ticket': 'T-1' } });
    expect(JSON.parse(outcome.kind === 'result' ? outcome.text : '')).toMatchObject({ 'example.com/ticket': 'T-1' });
  });

  it('gives the server the allowed environment and what was configured, nothing else (spec host §3)', async () => {
    process.env.DESK_TEST_SECRET = 'x';
    const outcome = await connect({}, { SHOP_URL: 'http://127.0.0.1' }).call({ tool: 'environment', arguments: {} });
    delete process.env.DESK_TEST_SECRET;
    const names = outcome.kind === 'result' ? outcome.text.split(' ') : [];
    const allowed = ['DESK_GUARD', 'HOME', 'LOGNAME', 'PATH', 'SHELL', 'SHOP_URL', 'TERM', 'USER'];
    expect(names).toContain('SHOP_URL');
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('reads resources', async () => {
    const one = connect();
    expect(await one.resources()).toEqual([
      { uri: 'shop://policy', name: 'policy', mimeType: 'text/plain', priority: 0.9, audience: ['assistant'] },
    ]);
    expect(await one.readResource('shop://policy')).toEqual({
      uri: 'shop://policy',
      text: 'Thirty days.',
      mimeType: 'text/plain',
    });
    await expect(one.readResource('shop://none')).rejects.toMatchObject({ code: 'servers.read' });
  });

  it('lets growing progress keep a call alive; progress that stands still does not', async () => {
    const one = connect();
    await one.start();
    const { steps: seen, onProgress } = stepClock(1_000);
    const slow = {
      tool: 'slow',
      arguments: { steps: 40, ms: 100 },
      timeoutMs: 1_500,
      onProgress,
    };
    expect(await one.call(slow)).toMatchObject({ kind: 'result', text: 'done' });
    expect(seen.slice(0, 4)).toEqual([1, 2, 3, 4]);
    vi.useRealTimers();
    const still = { tool: 'slow', arguments: { steps: 600, ms: 200, still: true }, timeoutMs: 1_500 };
    expect(await one.call(still)).toEqual({ kind: 'unknown', reason: 'no answer and no progress for 1.5 s' });
    // The stop reached the server (spec trust §2).
    await expect.poll(() => one.status().stderr).toContain('slow was cancelled');
  });
});

describe('questions in a call (spec host §19)', () => {
  it('come back as they are and are never answered here; the state goes back byte for byte', async () => {
    const asked = await connect().call(refund);
    if (asked.kind !== 'input required') throw new Error(asked.kind);
    expect(asked.inputRequests).toMatchObject({
      confirm: { method: 'elicitation/create', params: { message: 'Sure?' } },
    });
    // Another process answers: the question outlived the first.
    const later = await connect().call({
      ...refund,
      requestState: asked.requestState,
      inputResponses: { confirm: { action: 'accept', content: { sure: true } } },
    });
    expect(later).toMatchObject({ kind: 'result', text: 'refunded O-1 true state \u2028 ✓' });
  });
});

describe('a question an older server pushes (spec host §20)', () => {
  const legacy = (deps: Partial<ConnectionDeps>) => {
    const config = serverConfig.parse({ prefix: 'shop', kind: 'stdio', command: process.execPath, args: [good] });
    const known = { kind: 'legacy', at: new Date(now).toISOString() };
    const one = createConnection(config, {
      clock,
      eras: new Map<string, Json>([[`shop:${configurationHash(config)}`, known]]),
      ...deps,
    });
    open.push(one);
    return one;
  };
  it('reaches a person inside the open call, whose time to think does not count (spec trust §2)', async () => {
    const asked: JsonObject[] = [];
    const one = legacy({});
    await one.start();
    // A clock of its own: the person thinks for a minute, and nothing else takes time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const onPushed: OnPushed = ({ request }) => {
      asked.push(request);
      vi.advanceTimersByTime(60_000);
      return Promise.resolve({ action: 'accept', content: { sure: true } });
    };
    expect(await one.call({ ...refund, timeoutMs: 1_000, hardMs: 2_000, onPushed })).toMatchObject({
      kind: 'result',
      text: expect.stringContaining('refunded O-1 true') as string,
    });
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Sure?' } }]);
    expect(one.status()).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
  });
  it('is cancelled where nobody takes it', async () => {
    expect((await legacy({}).call(refund)).kind).not.toBe('unknown');
  });
});

describe('the era of a server (spec host §2)', () => {
  it('is kept per configuration, dated, and reused without a probe', async () => {
    const eras = new Map<string, Json>();
    await connect({ eras }).start();
    expect([...eras.values()]).toMatchObject([{ kind: 'modern', at: new Date(now).toISOString() }]);
    const wire: string[] = [];
    const again = connect({ eras, onWire: (direction, text) => direction === 'out' && wire.push(text) });
    await again.start();
    expect(wire.join('\n')).not.toContain('server/discover');
    expect(again.status()).toMatchObject({ era: 'modern', revision: '2026-07-28' });
    const changed = connect(
      { eras, onWire: (direction, text) => direction === 'out' && wire.push(text) },
      { OTHER: '1' },
    );
    await changed.start();
    expect(wire.join('\n')).toContain('server/discover');
  });

  it('is probed again after a day', async () => {
    const eras = new Map<string, Json>();
    await connect({ eras }).start();
    now += 24 * 60 * 60_000 + 1;
    const wire: string[] = [];
    await connect({ eras, onWire: (_, text) => wire.push(text) }).start();
    expect(wire.join('\n')).toContain('server/discover');
    expect([...eras.values()]).toMatchObject([{ at: new Date(now).toISOString() }]);
  });

  it('that no longer holds is probed again; a known modern server that came back older keeps its cached era and is shown', async () => {
    const eras = new Map<string, Json>();
    const old = fileURLToPath(new URL('../../e2e/hostile/start.mjs', import.meta.url));
    const config = serverConfig.parse({
      prefix: 'shop',
      kind: 'stdio',
      command: process.execPath,
      args: [old, 'dies'],
    });
    const discover: JsonObject = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    };
    const key = `shop:${configurationHash(config)}`;
    eras.set(key, { kind: 'modern', at: new Date(now).toISOString(), discover });
    const one = createConnection(config, { clock, eras });
    open.push(one);
    await one.start();
    expect(one.status()).toMatchObject({
      state: 'ready',
      era: 'legacy',
      problem: expect.stringContaining('newer revision before') as string,
    });
    expect(eras.get(key)).toMatchObject({ kind: 'modern' });
  });
});

describe('a server that goes away (spec host §3)', () => {
  const kill = async (one: Connection) => {
    const { pid } = one.status();
    if (pid === null) throw new Error('the server does not run');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => one.status().state).toBe('failed');
  };

  it('is started again when it is needed, five times in ten minutes, then says so', async () => {
    const one = connect({ limits: { backoffMs: 1, backoffMaxMs: 1 } });
    for (let n = 0; n <= 5; n++) {
      expect(await one.call(echo)).toMatchObject({ kind: 'result' });
      await kill(one);
    }
    expect(one.status()).toMatchObject({ restarts: 5, problem: expect.stringContaining('went away') as string });
    expect(await one.call(echo)).toMatchObject({
      kind: 'not sent',
      reason: expect.stringContaining('5 times within 10 minutes') as string,
    });
    await expect(one.tools()).rejects.toThrow('not started again by itself');
    await one.start();
    expect(await one.call(echo)).toMatchObject({ kind: 'result' });
  });

  it('waits longer each time, and tells a wait that is too long instead of waiting', async () => {
    const one = connect({ limits: { backoffMs: 10_000 } });
    await one.start();
    await kill(one);
    expect(await one.call(echo)).toMatchObject({
      kind: 'not sent',
      reason: expect.stringContaining('again in 10 s') as string,
    });
    now += 10_000;
    expect(await one.call(echo)).toMatchObject({ kind: 'result' });
    await kill(one);
    expect(await one.call(echo)).toMatchObject({ reason: expect.stringContaining('again in 20 s') as string });
  });

  it('never lists nothing because it was closed: that would be every tool removed (spec host §7)', async () => {
    const checked = Promise.withResolvers<null>();
    const checking = Promise.withResolvers<undefined>();
    const compile = (): Promise<null> => {
      checking.resolve(undefined);
      return checked.promise;
    };
    const one = connect({ validator: { compile } as unknown as Validator }); // no more of it is used here
    await one.start();
    const first = one.tools();
    await checking.promise;
    const next = one.tools({ refresh: true });
    await one.close();
    checked.resolve(null);
    expect((await first).length).toBeGreaterThan(0);
    await expect(next).rejects.toThrow();
  });

  it('a closed connection stays closed until it is started', async () => {
    const one = connect();
    await one.start();
    await one.close();
    expect(await one.call(echo)).toMatchObject({ kind: 'not sent' });
    await one.start();
    expect(await one.call(echo)).toMatchObject({ kind: 'result' });
  });
});

describe('the hash of a configuration (spec host §8)', () => {
  const base = {
    prefix: 'shop',
    kind: 'stdio',
    command: 'shop',
    args: ['a'],
    env: { KEY: 's3cret', URL: 'u' },
    secrets: ['KEY'],
  };
  const hash = (more: object) => configurationHash(serverConfig.parse({ ...base, ...more }));
  it("changes with command, arguments, names and open values, not with secrets or the desk's own marks", () => {
    const changes = [{ command: 'x' }, { args: [] }, { env: { KEY: 's3cret', URL: 'v' } }, { env: { URL: 'u' } }];
    expect(new Set([...changes, {}].map(hash)).size).toBe(5);
    expect(hash({ env: { KEY: 'other', URL: 'u' }, trusted: true })).toBe(hash({}));
    expect(hash({ bundled: 'shop', args: ['/another/place'] })).toBe(hash({ bundled: 'shop' }));
  });
});
