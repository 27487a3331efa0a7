import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawServer, type RawServer } from './rawServer.ts';
import { KEY, startApi, temporaryFolder, type StartedApi } from './startedPrograms.ts';
import { runToEnd, startServer, type StartedServer } from './startedServers.ts';

const folder = temporaryFolder();
/** It counts for over six seconds: slowly enough for a test to come between. */
let api: StartedApi;
beforeAll(async () => {
  api = await startApi(folder.path, { SHOP_RECOUNT_MS: '100' });
});
afterAll(async () => {
  await api.stop();
  folder.remove();
});

const settings = (to: StartedApi, name: string, more: Record<string, string> = {}) => ({
  WAREHOUSE_API_URL: to.url,
  WAREHOUSE_API_KEY: KEY,
  WAREHOUSE_DATA: join(folder.path, name),
  WAREHOUSE_CLOCK: '2026-06-30T09:00:00Z',
  ...more,
});
const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ledger = z.object({
  entries: z.array(
    z.object({ work: z.string(), products: z.int(), ended: z.string().nullable(), ended_at: z.string().nullable() }),
  ),
});
async function entries(server: RawServer) {
  const { result } = await server.ask('resources/read', { uri: 'warehouse://ledger' });
  const { contents } = z.object({ contents: z.tuple([z.object({ text: z.string() })]) }).parse(result);
  return ledger.parse(JSON.parse(contents[0].text)).entries;
}

const handle = z.object({ taskId: z.string(), status: z.string(), ttlMs: z.int(), pollIntervalMs: z.int() });
async function startReport(server: RawServer, args: Record<string, unknown> = {}) {
  const { result } = await server.ask('tools/call', { name: 'restock_report', arguments: args });
  expect(result?.resultType).toBe('task');
  return handle.parse(result);
}
const statusOf = async (server: RawServer, taskId: string) => (await server.ask('tasks/get', { taskId })).result ?? {};

const report = z.object({
  content: z.array(z.object({ text: z.string() })),
  structuredContent: z.looseObject({ reorder: z.array(z.looseObject({ sku: z.string(), units: z.int() })) }),
});
const underWay = expect.stringMatching(/^recounted [1-9]/) as string;
const notFound = { code: -32602, message: 'There is no such task. It may have expired.' };

describe.each([false, true])('the warehouse (over HTTP: %s)', (http) => {
  let server: StartedServer;
  let raw: RawServer;
  let plain: RawServer;
  let fresh: StartedApi;
  beforeAll(async () => {
    fresh = await startApi(folder.path, { SHOP_DB: join(folder.path, `shop-${http}.db`), SHOP_RECOUNT_MS: '6' });
    const env = settings(fresh, `whole-${http}`);
    [server, raw, plain] = await Promise.all([
      startServer('warehouse', { http, env }),
      rawServer('warehouse', { http, env, capabilities: declared }),
      rawServer('warehouse', { http, env: { ...env, WAREHOUSE_TASK_TTL: '1' }, capabilities: { elicitation: {} } }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([server.close(), raw.stop(), plain.stop()]);
    await fresh.stop();
  });

  it('recount_stock counts 64 products, telling each one, and the ledger says when it finished', async () => {
    const told: unknown[] = [];
    const { transport } = server.client;
    if (transport === undefined) throw new Error('not connected');
    // Counted on the wire: the SDK's client drops progress that it reads in one piece with the result.
    const pass = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress')
        told.push({ progress: message.params?.progress, total: message.params?.total });
      pass?.(message, extra);
    };
    const result = await server.client.callTool(
      { name: 'recount_stock', arguments: {} },
      { onprogress: () => undefined },
    );
    transport.onmessage = pass;
    expect(result.structuredContent).toMatchObject({ products: 64, units: 6_969 });
    expect(told).toEqual(Array.from({ length: 64 }, (_, index) => ({ progress: index + 1, total: 64 })));
    expect((await entries(raw))[0]).toMatchObject({ work: 'recount_stock', products: 64, ended: 'finished' });
  });
  it.each(['2026-07-28', '2025-11-25'])(
    'servers 10: recount_stock stops when its caller of %s cancels, and the ledger says when',
    async (revision) => {
      const env = settings(api, `left-${http}`);
      const [asking, reading] = await Promise.all([
        startServer('warehouse', { http, env, ...(revision === '2025-11-25' && { mode: 'legacy' }) }),
        rawServer('warehouse', { http, env }),
      ]);
      const leave = new AbortController();
      const call = asking.client.callTool(
        { name: 'recount_stock', arguments: {} },
        { signal: leave.signal, onprogress: ({ progress }) => progress === 3 && leave.abort() },
      );
      await expect(call).rejects.toThrow();
      await expect.poll(async () => (await entries(reading))[0]).toMatchObject({ ended: 'cancelled' });
      const [stopped] = await entries(reading);
      expect(stopped?.ended_at).toMatch(/^2026-06-30T09:/);
      expect(stopped?.products).toBeLessThan(64);
      await asking.call('set_on_hand', { sku: 'KG-1002', warehouse: 'north', on_hand: 7 });
      expect((await entries(reading))[0]).toEqual(stopped);
      await Promise.all([asking.close(), reading.stop()]);
    },
  );
  it('set_on_hand is heard by whoever listens for that product', async () => {
    const heard: string[] = [];
    server.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    const uri = 'warehouse://stock/KG-1018';
    const subscription = await server.client.listen({ resourceSubscriptions: [uri] });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
    await server.call('set_on_hand', { sku: 'KG-1019', warehouse: 'south', on_hand: 4 });
    const set = await server.call('set_on_hand', { sku: 'KG-1018', warehouse: 'south', on_hand: 11 });
    expect(set.structured).toMatchObject({ warehouses: [{ warehouse: 'north' }, { warehouse: 'south', on_hand: 11 }] });
    await expect.poll(() => heard).toEqual([uri]);
    const { contents } = await server.client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain('\\"on_hand\\":11');
  });
  it('servers 7: listening is refused for what cannot be read, in the words of a read', async () => {
    for (const uri of ['warehouse://stock/KG-9999', 'shop://stock/KG-1018', 'warehouse://stock/%2e%2e/KG-1018']) {
      const resourceSubscriptions = ['warehouse://stock/KG-1018', uri];
      const refused = await plain.ask('subscriptions/listen', { notifications: { resourceSubscriptions } });
      const read = await plain.ask('resources/read', { uri });
      expect(refused.error).toEqual({ code: -32602, message: 'There is no such resource.', data: { uri } });
      expect(read.error).toMatchObject({ code: -32602, message: refused.error?.message, data: { uri } });
    }
    expect(plain.notices).toEqual([]);
  });
  it('servers 12: what a client calls itself is logged once, as text, and nothing hangs on it', async () => {
    const info = { name: 'an\nadmin', version: '9' };
    const meta = { 'io.modelcontextprotocol/clientInfo': info };
    const [one, other] = [await plain.ask('tools/list', {}, meta), await plain.ask('tools/list')];
    expect(other.result).toEqual(one.result);
    await plain.ask('tools/list', {}, meta);
    await expect.poll(() => plain.log().split('calls itself "an\\nadmin 9"\n')).toHaveLength(2);
    expect(plain.log()).toContain('warehouse: a client calls itself "raw 1"\n');
  });
  it('servers 9: a task is stored before its handle leaves, says how far it is, and ends with the report', async () => {
    const task = await startReport(raw);
    expect(task).toMatchObject({ status: 'working', ttlMs: 3_600_000 });
    // 24 random bytes: 192 bits.
    expect(task.taskId).toMatch(/^[\w-]{32}$/);
    expect((await statusOf(raw, task.taskId)).taskId).toBe(task.taskId);
    const done = { resultType: 'complete', status: 'completed', statusMessage: 'recounted 64 of 64' };
    await expect.poll(() => statusOf(raw, task.taskId)).toMatchObject(done);
    const { content, structuredContent } = report.parse((await statusOf(raw, task.taskId)).result);
    expect(structuredContent).toMatchObject({ below: 30, products: 64 });
    expect(structuredContent.reorder[0]?.units).toBeLessThan(30);
    // As a plain call answers: the whole report as text too.
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });
  it('servers 9: a cancelled task stops after the product it is at, and says so', async () => {
    const slow = await rawServer('warehouse', {
      http,
      env: settings(api, `stopped-${http}`),
      capabilities: declared,
    });
    const { taskId } = await startReport(slow);
    await expect.poll(() => statusOf(slow, taskId)).toMatchObject({ statusMessage: underWay });
    expect((await slow.ask('tasks/cancel', { taskId })).error).toBeUndefined();
    const stopped = expect.stringMatching(/^stopped: recounted \d+ of 64$/) as string;
    await expect.poll(() => statusOf(slow, taskId)).toMatchObject({ status: 'cancelled', statusMessage: stopped });
    expect((await entries(slow))[0]).toMatchObject({ work: 'restock_report', ended: 'cancelled' });
    await slow.stop();
  });
  it('servers 9: tasks are refused to a client that does not declare the extension', async () => {
    const data = { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
    const call = await plain.ask('tools/call', { name: 'restock_report', arguments: {} });
    expect(call.error).toMatchObject({ code: -32021, data });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await plain.ask(method, { taskId: 'x' })).error, method).toMatchObject({ code: -32021, data });
  });
  it('servers 9: another owner’s task and an unknown ID are answered alike', async () => {
    const { taskId } = await startReport(raw);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const other = await raw.ask(method, { taskId }, { 'example.fernhill/person': 'staff-0007' });
      expect(other.error, method).toEqual(notFound);
      expect((await raw.ask(method, { taskId: 'nothing' })).error, method).toEqual(notFound);
    }
    expect((await raw.ask('tasks/update', { taskId, inputResponses: {} })).error).toBeUndefined();
    await raw.ask('tasks/cancel', { taskId });
  });
  it('servers 9: an expired task is purged, and answered like one that never was', async () => {
    // A task of this server is kept for a second.
    const meta = { 'io.modelcontextprotocol/clientCapabilities': declared };
    const { result } = await plain.ask('tools/call', { name: 'restock_report', arguments: {} }, meta);
    const { taskId } = handle.parse(result);
    const error = async () => (await plain.ask('tasks/get', { taskId }, meta)).error;
    await expect.poll(error).toEqual(notFound);
  });
  it('servers 2: set_on_hand names what is wrong with its arguments, all at once', async () => {
    const wrong = await server.call('set_on_hand', { sku: '1018', warehouse: 'west', on_hand: -6 });
    expect(wrong.isError).toBe(true);
    for (const rule of [
      '"KG-" and four digits',
      'must be one of north, south, not "west"',
      'must be at least 0, not -6',
    ])
      expect(wrong.text).toContain(rule);
    const unknown = await server.call('set_on_hand', { sku: 'KG-9999', warehouse: 'north', on_hand: 6 });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('no product KG-9999') as string });
  });
  it('the restock view is an app of the report; its button has a tool that no model sees', async () => {
    const { tools } = await server.client.listTools();
    expect(Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]))).toEqual({
      recount_stock: undefined,
      set_on_hand: undefined,
      restock_report: { ui: { resourceUri: 'ui://warehouse/restock.html' } },
      add_to_supplier_order: { ui: { visibility: ['app'] } },
    });
    const { contents } = await server.client.readResource({ uri: 'ui://warehouse/restock.html' });
    expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }]);
    const html = readFileSync(new URL('warehouse/restock.html', import.meta.url), 'utf8');
    // No network: nothing is fetched, and what the report says is never markup.
    expect(html).not.toMatch(/https?:|fetch\(|src=|innerHTML|import\(/);
    const added = await server.call('add_to_supplier_order', { sku: 'KG-1018', quantity: 28 });
    const again = await server.call('add_to_supplier_order', { sku: 'KG-1018', quantity: 30 });
    expect([added.structured.quantity, again.structured]).toMatchObject([28, { quantity: 30, lines: 1 }]);
  });
});

describe('set_on_hand', () => {
  it('is heard by a subscriber of 2025-11-25, and by nobody who did not subscribe', async () => {
    const env = settings(api, 'set-older');
    const server = await startServer('warehouse', { mode: 'legacy', env });
    const heard: string[] = [];
    server.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    await server.client.subscribeResource({ uri: 'warehouse://stock/KG-1020' });
    await expect(server.client.subscribeResource({ uri: 'warehouse://stock/KG-9999' })).rejects.toMatchObject({
      code: -32602,
    });
    await server.call('set_on_hand', { sku: 'KG-1021', warehouse: 'south', on_hand: 4 });
    await server.call('set_on_hand', { sku: 'KG-1020', warehouse: 'south', on_hand: 5 });
    await expect.poll(() => heard).toEqual(['warehouse://stock/KG-1020']);
    await server.close();
  });
});

describe('servers 9: a task outlives its process', () => {
  it.each(['kill', 'stop'] as const)(
    '%s: another process on the folder finishes it, once, from where it stopped',
    async (how) => {
      const env = settings(api, `restart-${how}`);
      const first = await rawServer('warehouse', { capabilities: declared, env });
      const { taskId } = await startReport(first);
      await expect.poll(() => statusOf(first, taskId)).toMatchObject({ statusMessage: underWay });
      await first[how]();
      const second = await rawServer('warehouse', { capabilities: declared, env });
      const done = { status: 'completed', statusMessage: 'recounted 64 of 64' };
      await expect.poll(() => statusOf(second, taskId)).toMatchObject(done);
      // A killed process could not write its own end; a stopped one did.
      expect(await entries(second)).toMatchObject([
        { work: 'restock_report', ended: 'finished', products: 64 },
        { work: 'restock_report', ended: how === 'stop' ? 'interrupted' : null },
      ]);
      await second.stop();
    },
  );
});

it('says in one sentence what is wrong with its settings', () => {
  expect(runToEnd('warehouse', {})).toMatchObject({
    status: 2,
    stderr: 'warehouse: WAREHOUSE_API_URL is not set; WAREHOUSE_API_KEY is not set.',
  });
});
