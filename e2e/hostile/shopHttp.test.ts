// The desk's own client against the sample shop over Streamable HTTP, both revisions: the good case beside the bad ones.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { serveShop, startApi, temporaryFolder, type ServedShop, type StartedApi } from '../../demo/startedPrograms.ts';
import { configurationHash } from '../../main/mcp/configuration.ts';
import { createConnection, type Connection, type ConnectionDeps } from '../../main/mcp/connection.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';

const folder = temporaryFolder();
const clock = { now: () => Date.now() };
const open: Connection[] = [];
let api: StartedApi;
let shop: ServedShop;
beforeAll(async () => {
  api = await startApi(folder.path);
  shop = await serveShop(api.url, folder.path);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await shop.stop();
  await api.stop();
  folder.remove();
});

function connect(era: 'modern' | 'legacy', deps: Partial<ConnectionDeps> = {}, url = shop.url.href): Connection {
  const config = serverConfig.parse({ prefix: 'shop', kind: 'http', url });
  const known = { kind: 'legacy', at: new Date(clock.now()).toISOString() };
  const eras = new Map<string, Json>(era === 'legacy' ? [[`shop:${configurationHash(config)}`, known]] : []);
  const one = createConnection(config, { clock, eras, ...deps });
  open.push(one);
  return one;
}

it.each(['modern', 'legacy'] as const)('%s: lists, reads and calls like over stdio', async (era) => {
  const one = connect(era);
  const tools = await one.tools();
  expect(tools.map((tool) => tool.problem)).toEqual(tools.map(() => null));
  expect(tools.map((tool) => tool.name)).toContain('get_order_status');
  expect(one.status()).toMatchObject({ era, revision: era === 'modern' ? '2026-07-28' : '2025-11-25', pid: null });
  expect(await one.call({ tool: 'get_order_status', arguments: { order_id: 'O-2289' } })).toMatchObject({
    kind: 'result',
    structured: { order_id: 'O-2289' },
  });
  const [first] = await one.resources();
  expect((await one.readResource(first?.uri ?? '')).text.length).toBeGreaterThan(100);
});

it('a refund asks, outlives the connection, and runs once answered (spec host §19)', async () => {
  const first = connect('modern');
  const quoted = await first.call({ tool: 'quote_refund', arguments: { order_id: 'O-2289' } });
  if (quoted.kind !== 'result') throw new Error(quoted.kind);
  const { quote_id } = quoted.structured as JsonObject; // the shop's own schema says so
  const issue = { tool: 'issue_refund', arguments: { quote_id: quote_id ?? null } };
  const asked = await first.call(issue);
  if (asked.kind !== 'input required') throw new Error(asked.kind);
  await first.close();
  const answers = Object.keys(asked.inputRequests).map((key) => [
    key,
    { action: 'accept', content: { release: true } },
  ]);
  const wire: string[] = [];
  const done = await connect('modern').call({
    ...issue,
    requestState: asked.requestState,
    inputResponses: Object.fromEntries(answers) as JsonObject, // built above
    onWire: (direction, text) => wire.push(`${direction} ${text}`),
  });
  expect(done).toMatchObject({ kind: 'result', structured: { status: 'requested' } });
  expect(wire).toHaveLength(2);
  expect(wire.join('')).not.toContain(asked.requestState);
});

it('an older session pushes its question into the open call (spec host §20)', async () => {
  const asked: JsonObject[] = [];
  const one = connect('legacy');
  const quoted = await one.call({ tool: 'quote_refund', arguments: { order_id: 'O-1928' } });
  if (quoted.kind !== 'result') throw new Error(quoted.kind);
  const { quote_id } = quoted.structured as JsonObject; // the shop's own schema says so
  const outcome = await one.call({
    tool: 'issue_refund',
    arguments: { quote_id: quote_id ?? null },
    onPushed({ request, sure }) {
      expect(sure).toBe(true);
      asked.push(request);
      return Promise.resolve({ action: 'decline' });
    },
  });
  expect(asked).toHaveLength(1);
  expect(['result', 'tool error']).toContain(outcome.kind);
});

it('a shop that goes away is told, and is not waited for', async () => {
  const passing = await serveShop(api.url, folder.path);
  const one = connect('modern', { limits: { backoffMs: 1 } }, passing.url.href);
  await one.start();
  await passing.stop();
  const status = { tool: 'get_order_status', arguments: { order_id: 'O-2289' } };
  expect(await one.call(status)).toMatchObject({ kind: 'not sent' });
  await expect.poll(() => one.status().problem).toMatch(/nothing answers at its address/);
});
