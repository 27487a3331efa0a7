// Listening for changes (spec host §5), over the sample shop on both transports and over a server that listens badly.
import { cpSync, mkdtempSync, appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { startService, type Service } from '../services.ts';
import { createConnection, type Connection, type ConnectionDeps } from './connection.ts';
import { startHttp } from './startedHttp.ts';

const demo = path.join(import.meta.dirname, '../../demo');
const folder = mkdtempSync(path.join(tmpdir(), 'listen-'));
const policies = path.join(folder, 'policies');
const uri = 'shop://policies/stock';
const closes: (() => Promise<void>)[] = [];
let api: Service;

beforeAll(async () => {
  cpSync(path.join(demo, 'policies'), policies, { recursive: true });
  const env = { SHOP_DB: path.join(folder, 'shop.db'), SHOP_KEY: 'k'.repeat(32), SHOP_CLOCK: '2026-06-30T09:00:00Z' };
  api = await startService('api', { command: process.execPath, args: [path.join(demo, 'api.ts')], env });
});
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

function connect(config: unknown, deps: Partial<ConnectionDeps> = {}): Connection {
  const clock = { now: () => Date.now() };
  const one = createConnection(serverConfig.parse(config), { clock, eras: new Map<string, Json>(), ...deps });
  closes.push(() => one.close());
  return one;
}
async function shop(http: boolean, deps: Partial<ConnectionDeps>): Promise<Connection> {
  const env = {
    SHOP_API_URL: api.url,
    SHOP_API_KEY: 'k'.repeat(32),
    SHOP_DATA: mkdtempSync(path.join(folder, 'shop-')),
    SHOP_POLICIES: policies,
  };
  const program = { command: process.execPath, args: [path.join(demo, 'servers/shop.ts')], env };
  if (!http) return connect({ prefix: 'shop', kind: 'stdio', ...program }, deps);
  const service = await startService('shop', { ...program, args: [...program.args, '--http', '0'] });
  closes.push(() => service.close());
  return connect({ prefix: 'shop', kind: 'http', url: service.url }, deps);
}

describe.each([
  ['stdio', false],
  ['HTTP', true],
])('the sample shop over %s', (_, http) => {
  it('tells of a list and of a resource that is shown, also of one named after the stream opened (host §5)', async () => {
    const changed: string[] = [];
    const updated: string[] = [];
    const one = await shop(http, {
      onChanged: (list) => changed.push(list),
      onUpdated: (of) => updated.push(of),
      limits: { relistMs: 0 },
    });
    one.follow('shop://policies/refund');
    await one.start();
    await one.resources();
    one.follow(uri);
    // A stream with both in it is open: each may have changed before, unheard.
    await expect.poll(() => updated).toContain(uri);
    expect(updated).toContain('shop://policies/refund');
    expect(await one.resources()).toHaveLength(6);
    changed.length = updated.length = 0;
    appendFileSync(path.join(policies, 'stock.md'), '\n');
    await expect.poll(() => updated).toContain(uri);
    await expect.poll(() => changed).toContain('resources');
    expect(new Set(updated)).toEqual(new Set([uri]));
  });
  it('is listened to further where one of the resources may not be listened for', async () => {
    const updated: string[] = [];
    const one = await shop(http, { onUpdated: (of) => updated.push(of) });
    for (const followed of ['shop://orders/O-9999', uri]) one.follow(followed);
    await one.start();
    await expect.poll(() => updated).toEqual([uri]);
    appendFileSync(path.join(policies, 'stock.md'), '\n');
    await expect.poll(() => updated.slice(1)).toContain(uri);
  });
});

describe('a server that listens badly', () => {
  it('is listened to again after a drop, and read again; notices of another subscription are dropped (host §5)', async () => {
    let now = 1_700_000_000_000;
    const changed: string[] = [];
    const server = await startHttp('hears');
    closes.push(() => server.kill());
    const one = connect(
      { prefix: 'far', kind: 'http', url: server.url },
      { clock: { now: () => now }, onChanged: (list) => changed.push(list), limits: { relistMs: 20 } },
    );
    one.follow('x://a');
    await one.start();
    const names = async () => (await one.prompts()).map(({ name }) => name);
    expect(await names()).toEqual(['p1']);
    await expect.poll(() => server.lines.length).toBe(2);
    await expect.poll(() => changed).toEqual(['prompts']);
    const asked = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x://a'] };
    expect(server.lines.map((line) => JSON.parse(line) as Json)).toEqual([
      { opened: 1, asked },
      { opened: 2, asked },
    ]);
    now += 21;
    expect(await names()).toEqual(['p2']);
    await one.tools();
    expect(await one.call({ tool: 'ping', arguments: {} })).toMatchObject({ text: 'pong' });
    await expect.poll(() => changed).toEqual(['prompts', 'tools']);
    // An hour to live, but nobody tells of a change any more: read again by the minute.
    now += 59_000;
    expect(await names()).toEqual(['p2']);
    now += 2_000;
    expect(await names()).toEqual(['p3']);
  });
  it('is asked anew for a resource that is shown while it still opens the stream (host §5)', async () => {
    const server = await startHttp('hears', ['late']);
    closes.push(() => server.kill());
    const one = connect({ prefix: 'far', kind: 'http', url: server.url });
    one.follow('x://a');
    await one.start();
    await expect.poll(() => server.lines.length).toBe(1);
    one.follow('x://b');
    await one.call({ tool: 'ping', arguments: {} });
    const asked = () => server.lines.map((line) => (JSON.parse(line) as { asked: Json }).asked);
    await expect
      .poll(asked)
      .toMatchObject([{ resourceSubscriptions: ['x://a'] }, { resourceSubscriptions: ['x://a', 'x://b'] }]);
  });
});
