import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/client';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueRound, quoteRound } from './oneRound.ts';
import { rawServer, type RawServer } from './rawServer.ts';
import {
  KEY,
  serveShop,
  startApi,
  startShop,
  temporaryFolder,
  type ServedShop,
  type StartedApi,
  type StartedShop,
} from './startedPrograms.ts';

const folder = temporaryFolder();
const policies = join(folder.path, 'policies');
const bus = join(folder.path, 'changes');
const ticket = (id: string) => ({ _meta: { 'example.fernhill/ticket': id } });
let api: StartedApi;
let piped: StartedShop;
let served: ServedShop;
let client: Client;
beforeAll(async () => {
  cpSync(new URL('policies/', import.meta.url), policies, { recursive: true });
  api = await startApi(folder.path);
  const env = { SHOP_POLICIES: policies, SHOP_CHANGES: bus };
  [piped, served] = await Promise.all([
    startShop(api.url, folder.path, { env }),
    serveShop(api.url, folder.path, { env, args: ['--release', 'deprecated'] }),
  ]);
  client = await served.connect();
});
afterAll(async () => {
  await client.close();
  await Promise.all([piped.close(), served.stop()]);
  await api.stop();
  folder.remove();
});

const settings = (more: Record<string, string> = {}) => ({
  SHOP_API_URL: api.url,
  SHOP_API_KEY: KEY,
  SHOP_DATA: join(folder.path, 'raw'),
  ...more,
});

describe('servers 7: orders and stock by template', () => {
  it('are two templates, each record private and never kept (servers 8)', async () => {
    const { resourceTemplates } = await piped.client.listResourceTemplates();
    expect(resourceTemplates.map((one) => one.uriTemplate)).toEqual(['shop://orders/{order_id}', 'shop://stock/{sku}']);
    const order = await piped.client.readResource({ uri: 'shop://orders/O-2476' });
    const stock = await piped.client.readResource({ uri: 'shop://stock/KG-1018' });
    for (const one of [order, stock]) expect(one).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    expect(JSON.stringify(order.contents)).toContain('C-0127');
    expect(JSON.stringify(stock.contents)).toContain('\\"on_hand\\":-6');
  });
  it('servers 3: another customer’s order is answered exactly like one that does not exist', async () => {
    const read = (uri: string) => piped.client.readResource({ uri, ...ticket('T-0009') });
    expect(JSON.stringify(await read('shop://orders/O-1744'))).toContain('C-0129');
    for (const uri of ['shop://orders/O-1928', 'shop://orders/O-7144', 'shop://orders/O-17440', 'shop://orders/']) {
      await expect(read(uri), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/The shop has no such resource\.$/) as string,
        data: { uri },
      });
    }
  });
  it('refuse traversal in any encoding before anything is asked of the API', async () => {
    const asked: string[] = [];
    const recorder = createServer((incoming, response) => {
      asked.push(incoming.url ?? '');
      response.writeHead(404).end('{}');
    });
    await once(recorder.listen(0, '127.0.0.1'), 'listening');
    const address = recorder.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const shop = await rawServer('shop', { env: settings({ SHOP_API_URL: `http://127.0.0.1:${port}` }) });
    for (const id of [
      '../orders/O-2476',
      '..%2forders%2fO-2476',
      '%4f-2476',
      'O-2476/../O-2476',
      'O-2476%00',
      'o-2476',
      'O-２４７６',
      'O-2476\n',
    ])
      for (const uri of [`shop://orders/${id}`, `shop://stock/${id}`])
        expect((await shop.ask('resources/read', { uri })).error, uri).toMatchObject({ code: -32602, data: { uri } });
    expect(asked).toEqual([]);
    await shop.ask('resources/read', { uri: 'shop://orders/O-2476' });
    expect(asked).toEqual(['/orders/O-2476']);
    await shop.stop();
    recorder.close();
  });
});

describe('servers 7: completion', () => {
  const order = { type: 'ref/resource', uri: 'shop://orders/{order_id}' } as const;
  const complete = async (value: string, more: Record<string, unknown> = {}) =>
    (await piped.client.complete({ ref: order, argument: { name: 'order_id', value }, ...more })).completion;
  it('is the ticket’s customer’s alone, newest first, by prefix whatever the case, and counted', async () => {
    // C-0129 has two orders, O-2456 placed after O-1744.
    expect(await complete('', ticket('T-0009'))).toEqual({ values: ['O-2456', 'O-1744'], total: 2, hasMore: false });
    expect((await complete('o-1', ticket('T-0009'))).values).toEqual(['O-1744']);
    expect((await complete('O-19', ticket('T-0009'))).values).toEqual([]);
    expect((await complete('', ticket('T-9999'))).values).toEqual([]);
  });
  it('without a ticket is at most 100 of everybody’s, says there are more, and does not claim to have counted', async () => {
    const all = await complete('');
    expect(all.values).toHaveLength(100);
    expect(all).toMatchObject({ hasMore: true });
    expect(all).not.toHaveProperty('total');
  });
  it('completes products, the order of a prompt, and nothing else', async () => {
    const stock = { type: 'ref/resource', uri: 'shop://stock/{sku}' } as const;
    const skus = await piped.client.complete({ ref: stock, argument: { name: 'sku', value: 'kg-106' } });
    expect(skus.completion).toEqual({
      values: ['KG-1060', 'KG-1061', 'KG-1062', 'KG-1063', 'KG-1064'],
      total: 5,
      hasMore: false,
    });
    const prompt = { type: 'ref/prompt', name: 'review_refund' } as const;
    const own = await piped.client.complete({
      ref: prompt,
      argument: { name: 'order_id', value: 'O-2' },
      ...ticket('T-0009'),
    });
    expect(own.completion.values).toEqual(['O-2456']);
    const no = { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'order_id', value: '' } } as const;
    await expect(piped.client.complete(no)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('servers 7: review_refund', () => {
  const get = (args: Record<string, string>, more: Record<string, unknown> = {}) =>
    piped.client.getPrompt({ name: 'review_refund', arguments: args, ...more });
  it('is two messages of the user, first the policy itself', async () => {
    const { messages } = await get({ order_id: 'O-1744', amount: '24.99' }, ticket('T-0009'));
    expect(messages.map((one) => one.role)).toEqual(['user', 'user']);
    expect(messages).toMatchObject([
      { content: { type: 'resource', resource: { uri: 'shop://policies/refund' } } },
      { content: { type: 'text', text: expect.stringMatching(/24\.99 .*O-1744/) as string } },
    ]);
  });
  it('refuses amounts unlike 24.99 and orders its caller may not see', async () => {
    for (const amount of ['24.9', '24,99', '€24.99', '-1.00', '0.00', ''])
      await expect(get({ order_id: 'O-1744', amount }), amount).rejects.toMatchObject({ code: -32602 });
    const [other, missing] = await Promise.allSettled([
      get({ order_id: 'O-1928', amount: '24.99' }, ticket('T-0009')),
      get({ order_id: 'O-7144', amount: '24.99' }, ticket('T-0009')),
    ]);
    const words = [other, missing].map((one) =>
      one.status === 'rejected' ? String(one.reason).replace(/O-\d{4}/, 'O') : '',
    );
    expect(words[0]).toContain('The shop has no order O.');
    expect(words[1]).toBe(words[0]);
  });
});

describe('servers 6, 7: changes', () => {
  it('reach whoever listens on any replica: a held refund, a count in the warehouse, a policy, a new release', async () => {
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'));
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
    const resourceSubscriptions = ['shop://orders/O-2289', 'shop://stock/KG-1031', 'shop://policies/stock'];
    const asked = { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions };
    const subscription = await client.listen(asked);
    expect(subscription.honoredFilter).toEqual(asked);
    const { state } = await issueRound(piped.client, await quoteRound(piped.client, 'O-2289'));
    expect(state).not.toBe('');
    await expect.poll(() => heard).toEqual(['shop://orders/O-2289']);
    const env = {
      WAREHOUSE_API_URL: api.url,
      WAREHOUSE_API_KEY: KEY,
      WAREHOUSE_DATA: folder.path,
      WAREHOUSE_CHANGES: bus,
    };
    const warehouse = await rawServer('warehouse', { env });
    await warehouse.ask('tools/call', {
      name: 'set_on_hand',
      arguments: { sku: 'KG-1031', warehouse: 'north', on_hand: 3 },
    });
    await warehouse.stop();
    await expect.poll(() => heard).toContain('shop://stock/KG-1031');
    const file = join(policies, 'stock.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/Updated: .*/, 'Updated: 2026-06-29'));
    await expect.poll(() => heard).toEqual(expect.arrayContaining(['shop://policies/stock', 'resources']));
    const [policy] = (await client.readResource({ uri: 'shop://policies/stock' })).contents;
    expect(JSON.stringify(policy)).toContain('2026-06-29');
    const newer = await rawServer('shop', { args: ['--release', 'retired'], env: settings({ SHOP_CHANGES: bus }) });
    await newer.ask('tools/list');
    await newer.stop();
    await expect.poll(() => heard).toContain('tools');
    await subscription.close();
  });
  it('control: a replica on no bus hears nothing of the others', async () => {
    const alone = await rawServer('shop', { env: settings() });
    const filter = { resourceSubscriptions: ['shop://stock/KG-1022'] };
    void alone.ask('subscriptions/listen', { notifications: filter });
    await expect.poll(() => alone.notices).toHaveLength(1);
    const env = {
      WAREHOUSE_API_URL: api.url,
      WAREHOUSE_API_KEY: KEY,
      WAREHOUSE_DATA: folder.path,
      WAREHOUSE_CHANGES: bus,
    };
    const warehouse = await rawServer('warehouse', { env });
    await warehouse.ask('tools/call', {
      name: 'set_on_hand',
      arguments: { sku: 'KG-1022', warehouse: 'north', on_hand: 3 },
    });
    await warehouse.stop();
    // Whatever it was to be told would have come before the answer to a later question.
    await alone.ask('tools/list');
    expect(alone.notices.map((one) => one.method)).toEqual(['notifications/subscriptions/acknowledged']);
    await alone.stop();
  });
  it('are not told of what the ticket’s customer may not read', async () => {
    const uri = 'shop://orders/O-1928';
    const filter = (more: string[]) => ({ notifications: { resourceSubscriptions: more } });
    for (const http of [false, true]) {
      const shop = await rawServer('shop', { http, env: settings() });
      const meta = { 'example.fernhill/ticket': 'T-0009' };
      const refused = await shop.ask('subscriptions/listen', filter(['shop://orders/O-1744', uri]), meta);
      expect(refused.error).toEqual({ code: -32602, message: 'The shop has no such resource.', data: { uri } });
      await shop.stop();
    }
  });
});

describe('servers 11: find_orders retires in three releases', () => {
  const Listed = z.object({
    tools: z.array(
      z.looseObject({ name: z.string(), description: z.string(), outputSchema: z.record(z.string(), z.unknown()) }),
    ),
    ttlMs: z.number(),
  });
  const kept = Listed.shape.tools.parse(JSON.parse(readFileSync(new URL('shop/tools.json', import.meta.url), 'utf8')));
  async function release(name: string): Promise<{ shop: RawServer; listed: z.infer<typeof Listed> }> {
    const shop = await rawServer('shop', { args: ['--release', name], env: settings() });
    const { result } = await shop.ask('tools/list');
    return { shop, listed: Listed.parse(result) };
  }
  const find = async (shop: RawServer, name: string, more: Record<string, unknown> = {}) =>
    await shop.ask('tools/call', { name, arguments: { customer_id: 'C-0129', ...more } });
  const names = (listed: z.infer<typeof Listed>) => listed.tools.map((tool) => tool.name);
  /** A structured result fits the schema that was published before and the one that is published now. */
  async function fits(structured: unknown, ...schemas: (Record<string, unknown> | undefined)[]): Promise<void> {
    for (const schema of schemas) {
      if (!schema) throw new Error('there is no such schema');
      expect((await fromJsonSchema(schema)['~standard'].validate(structured)).issues).toBeUndefined();
    }
  }
  const schemaIn = (tools: typeof kept, name: string) => tools.find((tool) => tool.name === name)?.outputSchema;

  it('the present release is the list in the repository, byte for byte', async () => {
    const { shop, listed } = await release('current');
    expect(JSON.stringify(listed.tools, null, 2)).toBe(JSON.stringify(kept, null, 2));
    expect(listed.ttlMs).toBe(300_000);
    await shop.stop();
  });
  it('first the new one stands last beside the old, which is marked and still answers; lists are kept a minute', async () => {
    const { shop, listed } = await release('deprecated');
    expect(names(listed)).toEqual([...names({ tools: kept, ttlMs: 0 }), 'find_orders_v2']);
    expect(listed.ttlMs).toBe(60_000);
    expect(listed.tools[0]?.description).toBe(`Deprecated: use find_orders_v2 instead. ${kept[0]?.description ?? ''}`);
    for (const [index, tool] of kept.entries())
      expect({ ...listed.tools[index], description: '' }).toEqual({ ...tool, description: '' });
    const [before, after, byProduct] = await Promise.all([
      find(shop, 'find_orders'),
      find(shop, 'find_orders_v2'),
      find(shop, 'find_orders_v2', { sku: 'KG-1034' }),
    ]);
    expect(after.result?.structuredContent).toEqual(before.result?.structuredContent);
    expect(JSON.stringify(byProduct.result?.structuredContent)).toMatch(/O-2456/);
    expect(JSON.stringify(byProduct.result?.structuredContent)).not.toMatch(/O-1744/);
    for (const one of [before, after, byProduct])
      await fits(
        one.result?.structuredContent,
        schemaIn(kept, 'find_orders'),
        schemaIn(listed.tools, 'find_orders_v2'),
      );
    await shop.stop();
  });
  it('then the old one only names the new; then it is gone', async () => {
    const retired = await release('retired');
    const told = (await find(retired.shop, 'find_orders')).result;
    expect(told).toMatchObject({ isError: true });
    expect(JSON.stringify(told?.content)).toContain('Call find_orders_v2 with the same arguments.');
    expect((await find(retired.shop, 'find_orders_v2')).result?.isError).toBeUndefined();
    await retired.shop.stop();
    const gone = await release('gone');
    expect(names(gone.listed)).toEqual([
      'get_order_status',
      'quote_refund',
      'issue_refund',
      'check_stock',
      'find_orders_v2',
    ]);
    expect((await find(gone.shop, 'find_orders')).error).toMatchObject({ code: -32602 });
    expect(gone.listed.ttlMs).toBe(300_000);
    await gone.shop.stop();
  });
  it('every structured result of the other tools fits what was published', async () => {
    for (const [name, args] of [
      ['get_order_status', { order_id: 'O-2476' }],
      ['quote_refund', { order_id: 'O-1004' }],
      ['check_stock', { sku: 'KG-1018' }],
    ] as const) {
      const { structuredContent } = await client.callTool({ name, arguments: args });
      await fits(structuredContent, schemaIn(kept, name));
    }
    const quote_id = await quoteRound(client, 'O-1004');
    await fits((await issueRound(client, quote_id)).structured, schemaIn(kept, 'issue_refund'));
  });
  it('a release that does not exist is named in one sentence', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'servers/shop.ts'), '--release', 'next']);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended: unknown[] = await once(child, 'close');
    expect([ended[0], said.trim()]).toEqual([
      2,
      'shop: --release next is wrong: the releases are current, deprecated, retired, gone.',
    ]);
  });
});
