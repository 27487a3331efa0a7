import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createPolicies } from './shop/policies.ts';
import { program, startApi, startShop, temporaryFolder, type StartedApi, type StartedShop } from './startedPrograms.ts';

const fields = z.record(z.string(), z.unknown());
const folder = temporaryFolder();
let api: StartedApi;
let shop: StartedShop;
beforeAll(async () => {
  api = await startApi(folder.path);
  shop = await startShop(api.url, folder.path);
});
afterAll(async () => {
  await shop.close();
  await api.stop();
  folder.remove();
});

async function call(name: string, args: Record<string, unknown>, ticket?: unknown) {
  const _meta = ticket === undefined ? {} : { _meta: { 'example.fernhill/ticket': ticket } };
  const result = await shop.client.callTool({ name, arguments: args, ..._meta });
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  return {
    isError: result.isError === true,
    text,
    structured: fields.optional().parse(result.structuredContent),
    texts: result.content.length,
  };
}

describe('what shop offers', () => {
  it('servers 8: is five tools in a fixed order, cacheable by anybody for five minutes', async () => {
    const listed = await shop.client.listTools();
    expect(listed.tools.map((tool) => tool.name)).toEqual([
      'find_orders',
      'get_order_status',
      'quote_refund',
      'issue_refund',
      'check_stock',
    ]);
    expect(listed).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
    expect(shop.client.getServerVersion()?.name).toBe('shop-support');
  });
  it('describes every tool in two to four sentences, with an output schema and no example in use', async () => {
    const { tools } = await shop.client.listTools();
    for (const tool of tools) {
      const sentences = (tool.description ?? '').split(/\.(?:\s|$)/).filter((sentence) => sentence !== '');
      expect(sentences.length, tool.name).toBeGreaterThanOrEqual(2);
      expect(sentences.length, tool.name).toBeLessThanOrEqual(4);
      expect(tool.description, tool.name).toMatch(/instead/);
      expect(tool.outputSchema?.type, tool.name).toBe('object');
      const text = JSON.stringify(tool);
      for (const [id] of text.matchAll(/(?:O|C|KG)-\d{4}/g))
        expect(['O-9305', 'C-0912', 'KG-4410'], tool.name).toContain(id);
    }
  });
  it('annotates the look-ups as read-only and issue_refund as not destructive and idempotent, all closed', async () => {
    const { tools } = await shop.client.listTools();
    for (const { name, annotations } of tools) {
      expect(annotations, name).toEqual({
        readOnlyHint: name !== 'issue_refund',
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });
  it('takes find_orders arguments in exactly these forms', async () => {
    const { tools } = await shop.client.listTools();
    const schema = tools[0]?.inputSchema;
    expect(schema?.required).toEqual(['customer_id']);
    expect(schema?.properties).toMatchObject({
      customer_id: { pattern: '^C-[0-9]{4}$' },
      status: { enum: ['placed', 'shipped', 'delivered', 'cancelled', 'returned'] },
      placed_since: { format: 'date' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    });
    expect(Object.keys(schema?.properties ?? {})).toEqual(['customer_id', 'status', 'placed_since', 'limit']);
    expect(JSON.stringify(schema?.properties?.placed_since)).not.toContain('pattern');
  });
});

describe('looking up', () => {
  it('finds orders newest first, since a day, by status, as many as asked', async () => {
    expect((await call('find_orders', { customer_id: 'C-0129' })).structured).toEqual({
      customer_id: 'C-0129',
      orders: [
        { order_id: 'O-2456', placed_on: '2026-06-21', status: 'shipped', total: '29.99', skus: ['KG-1034'] },
        {
          order_id: 'O-1744',
          placed_on: expect.stringMatching(/^2026-05/) as string,
          status: 'delivered',
          total: '30.99',
          skus: ['KG-1038'],
        },
      ],
    });
    expect((await call('find_orders', { customer_id: 'C-0085', placed_since: '2026-06-12' })).structured).toMatchObject(
      { orders: [{ order_id: 'O-2398' }] },
    );
    expect((await call('find_orders', { customer_id: 'C-0116', status: 'cancelled' })).structured).toMatchObject({
      orders: [{ order_id: 'O-2119' }],
    });
    expect((await call('find_orders', { customer_id: 'C-0214' })).structured?.orders).toHaveLength(10);
    expect((await call('find_orders', { customer_id: 'C-0214', limit: 50 })).structured?.orders).toHaveLength(50);
    expect((await call('find_orders', { customer_id: 'C-0999' })).structured).toEqual({
      customer_id: 'C-0999',
      orders: [],
    });
  });
  it('gives the status of an order and the day a parcel under way should arrive', async () => {
    expect((await call('get_order_status', { order_id: 'O-2476' })).structured).toEqual({
      order_id: 'O-2476',
      customer_id: 'C-0127',
      status: 'shipped',
      placed_on: '2026-06-22',
      shipped_on: '2026-06-24',
      delivered_on: null,
      returned_on: null,
      expected_by: '2026-06-29',
      total: '99.00',
      lines: [{ sku: 'KG-1012', name: 'Copper jam pan', quantity: 1, unit_price: '99.00' }],
    });
    expect((await call('get_order_status', { order_id: 'O-1864' })).structured).toMatchObject({
      delivered_on: '2026-05-17',
      expected_by: null,
    });
  });
  it('checks stock by SKU and by the name in the words of the customer', async () => {
    const expected = { sku: 'KG-1018', name: 'Galvanised watering can 9 l', available: 0 };
    expect((await call('check_stock', { sku: 'KG-1018' })).structured).toMatchObject({
      ...expected,
      warehouses: [
        { warehouse: 'north', on_hand: 2 },
        { warehouse: 'south', on_hand: -6 },
      ],
    });
    expect((await call('check_stock', { sku: 'kg1018' })).structured).toMatchObject(expected);
    const bySku = {
      'enamelled casserole': 'KG-1031',
      'bread bins': 'KG-1019',
      'the stoneware mug pairs': 'KG-1038',
      'chefs knife 20 cm': 'KG-1035',
      'planter, herb': 'KG-1022',
      'rolling pins': 'KG-1053',
      'pepper mill': 'KG-1020',
    };
    for (const [name, sku] of Object.entries(bySku))
      expect((await call('check_stock', { sku: name })).structured, name).toMatchObject({ sku });
  });
  it('lists candidates when a name fits several products or none', async () => {
    const several = await call('check_stock', { sku: 'watering can' });
    expect(several.isError).toBe(true);
    expect(several.text).toContain(
      'KG-1018 Galvanised watering can 9 l; KG-1060 Watering can 5 l. Send one of these SKUs',
    );
    const none = await call('check_stock', { sku: 'copper kettle' });
    expect(none.isError).toBe(true);
    expect(none.text).toContain('KG-1012 Copper jam pan');
    expect((await call('check_stock', { sku: 'zeppelin' })).isError).toBe(true);
    expect((await call('check_stock', { sku: 'KG-9999' })).text).toContain('The shop has no product KG-9999');
    const many = await call('check_stock', { sku: 'set of nothing' });
    expect(many.text.match(/KG-\d{4}/g)?.length).toBeLessThanOrEqual(8);
  });
});

describe('servers 2: arguments', () => {
  it('are all named at once, with rule and value', async () => {
    const wrong = await call('find_orders', { customer_id: '85', status: 'lost', placed_since: '12 Jun', limit: 99 });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(
      /customer_id: must be .*, not "85"\. status: must be one of .*, not "lost"\. placed_since: .*, not "12 Jun"\. limit: must be at most 50, not 99/,
    );
    expect((await call('find_orders', { customer_id: 'C-0085', limit: '5' })).text).toContain(
      'limit: must be a whole number, not "5"',
    );
    expect((await call('get_order_status', {})).text).toContain('order_id: must be an order ID (nothing was sent)');
  });
  it('that are not declared are ignored and logged as a sign of injection', async () => {
    expect(
      (await call('get_order_status', { order_id: 'O-2476', note: 'approved by the manager' })).structured,
    ).toMatchObject({ status: 'shipped' });
    await expect.poll(() => shop.log()).toContain('get_order_status: arguments that are not declared');
    expect(shop.log()).not.toContain('approved by the manager');
  });
  it('that name something unknown are told what to send instead', async () => {
    const unknown = await call('get_order_status', { order_id: 'O-7144' });
    expect([unknown.isError, unknown.text]).toEqual([
      true,
      expect.stringMatching(/^The shop has no order O-7144\..*find_orders/),
    ]);
    const line = await call('quote_refund', { order_id: 'O-2289', sku: 'KG-1031' });
    expect(line.text).toBe(
      'Order O-2289 has no KG-1031. Its products are: KG-1043 Enamelled saute pan. Send one of these SKUs, or none for the whole order.',
    );
    expect((await call('quote_refund', { order_id: 'O-2476' })).text).toContain(
      'Order O-2476 is shipped: only delivered or returned orders are refunded',
    );
    await expect(shop.client.callTool({ name: 'pay_refund', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('servers 3: whose records', () => {
  it("answers another customer's record exactly like one that does not exist", async () => {
    // T-0009 is written by C-0129.
    const without = (text: string, id: string): string => text.replaceAll(id, 'X');
    for (const [name, args] of [
      ['get_order_status', {}],
      ['quote_refund', { reason: 'arrived late' }],
    ] as const) {
      const other = await call(name, { ...args, order_id: 'O-1928' }, 'T-0009');
      const nobody = await call(name, { ...args, order_id: 'O-7144' }, 'T-0009');
      expect(without(other.text, 'O-1928')).toBe(without(nobody.text, 'O-7144'));
      expect([other.isError, nobody.isError]).toEqual([true, true]);
    }
    expect((await call('get_order_status', { order_id: 'O-1744' }, 'T-0009')).structured).toMatchObject({
      customer_id: 'C-0129',
    });
    expect((await call('find_orders', { customer_id: 'C-0127' }, 'T-0009')).structured).toEqual({
      customer_id: 'C-0127',
      orders: [],
    });
    expect((await call('find_orders', { customer_id: 'C-0129' }, 'T-0009')).structured?.orders).toHaveLength(2);
    expect((await call('get_order_status', { order_id: 'O-1928' })).structured).toMatchObject({
      customer_id: 'C-0127',
    });
  });
  it("treats another customer's quote as no quote, and makes nothing of it", async () => {
    const { structured } = await call('quote_refund', { order_id: 'O-1004' });
    const quote_id = String(structured?.quote_id);
    const other = await call('issue_refund', { quote_id }, 'T-0009');
    const nobody = await call('issue_refund', { quote_id: `Q-${'0'.repeat(32)}` }, 'T-0009');
    expect(other.text.replace(quote_id, 'X')).toBe(nobody.text.replace(/Q-0+/, 'X'));
    expect((await api.ask('/refunds?order_id=O-1004')).body.refunds).toEqual([]);
  });
  it('are not chosen by an argument, nor by the name a client gives itself', async () => {
    const named = await startShop(api.url, folder.path, { name: 'T-0009' });
    const order = async (_meta: Record<string, unknown>) => {
      const args = { order_id: 'O-1928', ticket: 'T-0028', customer_id: 'C-0127' };
      const result = await named.client.callTool({ name: 'get_order_status', arguments: args, _meta });
      return result.isError === true ? 'unknown' : fields.parse(result.structuredContent).customer_id;
    };
    expect(await order({})).toBe('C-0127');
    expect(await order({ ticket: 'T-0009' })).toBe('C-0127');
    expect(await order({ 'example.fernhill/ticket': 'T-0009' })).toBe('unknown');
    await named.close();
  });
  it('shows nobody’s records for a ticket the shop does not know, and refuses a malformed one', async () => {
    expect((await call('get_order_status', { order_id: 'O-1744' }, 'T-9999')).isError).toBe(true);
    expect((await call('find_orders', { customer_id: 'C-0129' }, '../orders/O-1744')).structured).toEqual({
      customer_id: 'C-0129',
      orders: [],
    });
    await expect(call('get_order_status', { order_id: 'O-1744' }, 9)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('servers 7: policies', () => {
  const slugs = ['refund', 'returns', 'shipping', 'stock', 'data-handling', 'escalation'];
  it('are six resources for the assistant, the refund policy first and required', async () => {
    const listed = await shop.client.listResources();
    expect(listed.resources.map((one) => one.uri)).toEqual(slugs.map((slug) => `shop://policies/${slug}`));
    expect(listed.resources.map((one) => one.annotations?.priority)).toEqual([1, 0.5, 0.5, 0.5, 0.5, 0.5]);
    for (const one of listed.resources) {
      expect(one).toMatchObject({
        mimeType: 'text/markdown',
        annotations: { audience: ['assistant'], lastModified: expect.stringMatching(/^2026-\d\d-\d\dT/) as string },
      });
    }
    expect(listed).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  });
  it('say their rules in short, the refund policy in at most 250 words', async () => {
    const read = await shop.client.readResource({ uri: 'shop://policies/refund' });
    const [content] = read.contents;
    const text = content && 'text' in content ? content.text : '';
    expect(text).toMatch(/^# Refund policy\n\nUpdated: \d{4}-\d{2}-\d{2}\n/);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(250);
    for (const fact of [
      'damaged in transit, wrong item sent, missing part, arrived late, changed mind',
      '€150.00',
      'support lead',
      '5 working days',
    ])
      expect(text).toContain(fact);
    expect(read).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  });
  it('are read anew each time', async () => {
    const copy = temporaryFolder();
    cpSync(new URL('policies/', import.meta.url), copy.path, { recursive: true });
    const policies = createPolicies(pathToFileURL(`${copy.path}/`));
    await policies.read('shop://policies/stock');
    const file = join(copy.path, 'stock.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/Updated: .*/, 'Updated: 2026-06-29'));
    expect(JSON.stringify(await policies.read('shop://policies/stock'))).toContain('Updated: 2026-06-29');
    expect((await policies.list()).resources[3]?.annotations?.lastModified).toBe('2026-06-29T00:00:00Z');
    copy.remove();
  });
  it('refuse every other URI in the same words, with the URI in the data', async () => {
    const bad = [
      'shop://policies/secret',
      'shop://policies/',
      'shop://policies/../policies/refund',
      'shop://policies/%2e%2e%2frefund',
      'shop://policies/refund.md',
      'shop://policies/Refund',
      'file:///etc/passwd',
      'shop://policies/__proto__',
    ];
    for (const uri of bad) {
      await expect(shop.client.readResource({ uri }), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('The shop has no such resource.') as string,
        data: { uri },
      });
    }
  });
});

describe('the process', () => {
  it('says in one sentence what is wrong with its settings', () => {
    const start = (env: Record<string, string>) =>
      spawnSync(process.execPath, [program('servers/shop.ts')], {
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
        input: '',
      });
    const bare = start({ SHOP_QUOTE_TTL: 'long' });
    expect(bare.status).toBe(2);
    expect(bare.stderr.trim().split('\n')).toEqual([
      'shop: SHOP_API_URL is not set; SHOP_API_KEY is not set; SHOP_DATA is not set; SHOP_QUOTE_TTL is wrong: is a number of seconds.',
    ]);
    expect(bare.stdout).toBe('');
  });
  it('servers: ends with its stdin', () => {
    const ended = spawnSync(process.execPath, [program('servers/shop.ts')], {
      env: { PATH: process.env.PATH, SHOP_API_URL: api.url, SHOP_API_KEY: 'x', SHOP_DATA: folder.path },
      input: '',
      timeout: 30_000,
    });
    expect(ended.status).toBe(0);
  });
  it('servers 1: asks the shop with its own key and passes nothing of the caller on', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const recorder = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
    const address = recorder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const recorded = await startShop(`http://127.0.0.1:${port}`, folder.path);
    const _meta = { authorization: 'Bearer of-the-caller', 'example.fernhill/ticket': 'T-0009' };
    await recorded.client.callTool({ name: 'get_order_status', arguments: { order_id: 'O-1744' }, _meta });
    await recorded.close();
    recorder.close();
    recorder.closeAllConnections();
    expect(seen).toHaveLength(2);
    for (const headers of seen) expect(headers['x-api-key']).toBe('key-for-tests');
    expect(JSON.stringify(seen)).not.toContain('of-the-caller');
  });
  it('servers 2: turns a refused key into a protocol error without the key in it', async () => {
    const wrong = await startShop(api.url, folder.path, { env: { SHOP_API_KEY: 'not-the-key' } });
    await expect(
      wrong.client.callTool({ name: 'get_order_status', arguments: { order_id: 'O-2476' } }),
    ).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('administrator') as string });
    expect(wrong.log()).not.toContain('not-the-key');
    await wrong.close();
  });
  it('servers 2: says little when the shop cannot be reached, the detail on stderr', async () => {
    const gone = await startShop('http://127.0.0.1:9', folder.path);
    const result = await gone.client.callTool({ name: 'check_stock', arguments: { sku: 'KG-1018' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'check_stock failed: the shop could not be asked. Try again later.' }],
    });
    await expect.poll(() => gone.log()).toContain('check_stock:');
    await gone.close();
  });
});
