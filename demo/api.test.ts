import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, startApi, temporaryFolder, type StartedApi } from './startedPrograms.ts';

const folder = temporaryFolder();
let api: StartedApi;
beforeAll(async () => {
  api = await startApi(folder.path);
});
afterAll(async () => {
  await api.stop();
  folder.remove();
});

const refund = (order_id: string, amount: string) => api.ask('/refunds', { order_id, amount, reason: 'missing part' });

describe('the shop API', () => {
  it('answers 401 without its key and 404 for what it does not have', async () => {
    expect((await fetch(`${api.url}/orders/O-2476`)).status).toBe(401);
    expect((await fetch(`${api.url}/orders/O-2476`, { headers: { 'x-api-key': 'guess' } })).status).toBe(401);
    const missing = [
      '/orders/O-7144',
      '/tickets/T-9999',
      '/stock/KG-9999',
      '/products/KG-9999',
      '/refunds/R-0999',
      '/nothing',
      '/orders/%E0',
    ];
    expect(await Promise.all(missing.map(async (path) => (await api.ask(path)).status))).toEqual(
      missing.map(() => 404),
    );
  });
  it('gives a ticket without channel or label', async () => {
    const { body } = await api.ask('/tickets/T-0010');
    expect(Object.keys(body)).toEqual(['ticket_id', 'customer_id', 'subject', 'body', 'received_at']);
  });
  it('gives an order with its lines by name', async () => {
    const { body } = await api.ask('/orders/O-2415');
    expect(body).toMatchObject({ order_id: 'O-2415', status: 'delivered', shipping: '4.99', total: '49.96' });
    expect(body.lines).toEqual([
      { sku: 'KG-1050', name: 'Aluminium muffin tray', quantity: 1, unit_price: '23.98' },
      { sku: 'KG-1051', name: 'Non-stick loaf tin', quantity: 1, unit_price: '20.99' },
    ]);
  });
  it('lists orders newest first with the total, at most 100', async () => {
    const { body } = await api.ask('/orders?customer_id=C-0129');
    expect(body).toMatchObject({ total: 2, orders: [{ order_id: 'O-2456' }, { order_id: 'O-1744' }] });
    const { body: some } = await api.ask('/orders?status=delivered&limit=3');
    expect(some.orders).toHaveLength(3);
    expect(some.total).toBeGreaterThan(1000);
    expect((await api.ask('/orders?limit=101')).status).toBe(422);
  });
  it('finds products by the words of their names', async () => {
    const skus = async (name: string) =>
      ((await api.ask(`/products?name=${encodeURIComponent(name)}`)).body.products as { sku: string }[]).map(
        (one) => one.sku,
      );
    expect(await skus('enamelled casseroles')).toEqual(['KG-1031']);
    expect(await skus('Pan, sauté, enameled')).toEqual(['KG-1043']);
    expect(await skus('watering can')).toEqual(['KG-1018', 'KG-1060']);
    expect(await skus('chefs knife 20cm')).toEqual(['KG-1035']);
    expect(await skus('copper watering can')).toEqual([]);
    const { body } = await api.ask('/products?name=copper+watering+can');
    expect((body.near as { sku: string }[]).map((one) => one.sku)).toEqual(
      expect.arrayContaining(['KG-1012', 'KG-1018', 'KG-1060']),
    );
  });
  it('recounts a miscounted product', async () => {
    expect((await api.ask('/stock/KG-1018')).body.warehouses).toMatchObject([{ on_hand: 2 }, { on_hand: -6 }]);
    expect((await api.ask('/stock/KG-1018/recount', {})).body).toMatchObject({ units: 2 });
    expect((await api.ask('/stock/KG-1018')).body.warehouses).toMatchObject([
      { on_hand: 2 },
      { on_hand: 0, last_counted: '2026-06-30' },
    ]);
  });
});

describe('refunds of the shop API', () => {
  it('makes two refunds of two equal posts, the first being R-0111', async () => {
    const made = [await refund('O-2415', '23.98'), await refund('O-2415', '23.98')];
    expect(made.map((one) => [one.status, one.body.refund_id, one.body.status])).toEqual([
      [201, 'R-0111', 'requested'],
      [201, 'R-0112', 'requested'],
    ]);
    const { body } = await api.ask('/refunds?order_id=O-2415');
    expect(body.refunds).toHaveLength(2);
  });
  it('refuses what cannot be refunded, saying why', async () => {
    expect(await refund('O-7144', '1.00')).toMatchObject({ status: 404 });
    expect(await refund('O-2476', '1.00')).toMatchObject({
      status: 409,
      body: { error: 'Order O-2476 is shipped: only delivered or returned orders are refunded.' },
    });
    expect(await refund('O-1004', '24.99')).toMatchObject({ status: 422 });
    expect(await refund('O-1004', '0.00')).toMatchObject({ status: 422 });
    expect(await refund('O-1004', '24,98')).toMatchObject({ status: 422 });
  });
  it('holds a refund above 150.00, and only a held one is confirmed or cancelled', async () => {
    const held = await refund('O-2289', '180.00');
    expect(held.body.status).toBe('needs_confirmation');
    const id = String(held.body.refund_id);
    expect((await api.ask(`/refunds/${id}/confirm`, {})).body.status).toBe('requested');
    expect((await api.ask(`/refunds/${id}/confirm`, {})).status).toBe(409);
    expect((await api.ask(`/refunds/${id}/cancel`, {})).status).toBe(409);
    expect((await refund('O-1928', '150.00')).body.status).toBe('requested');
  });
  it('keeps everything over a restart, and ends with its stdin', async () => {
    const { body: before } = await api.ask('/refunds?order_id=O-2415');
    await api.stop();
    api = await startApi(folder.path);
    expect((await api.ask('/refunds?order_id=O-2415')).body).toEqual(before);
    expect((await api.ask('/stock/KG-1018')).body.warehouses).toMatchObject([{ on_hand: 2 }, { on_hand: 0 }]);
  });
});

describe('starting the shop API', () => {
  it('says in one sentence what is wrong with its settings', () => {
    const start = (env: Record<string, string>) =>
      spawnSync(process.execPath, [program('api.ts')], {
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
        input: '',
      });
    const missing = start({ SHOP_DB: '/nowhere/at/all.db' });
    expect([missing.status, missing.stderr]).toEqual([2, 'shop api: SHOP_KEY is not set.\n']);
    const wrong = start({
      SHOP_DB: '/nowhere/at/all.db',
      SHOP_KEY: 'long enough',
      SHOP_CLOCK: 'noon',
      SHOP_PORT: 'http',
    });
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/SHOP_PORT is wrong.*SHOP_CLOCK is wrong/);
    const unusable = start({ SHOP_DB: '/nowhere/at/all.db', SHOP_KEY: 'long enough' });
    expect([unusable.status, unusable.stderr.trim().split('\n').length]).toEqual([2, 1]);
  });
  it('hangs up a recount whose caller left, without counting', async () => {
    const other = temporaryFolder();
    const slow = await startApi(other.path, { SHOP_RECOUNT_MS: '600000' });
    const leave = new AbortController();
    const asked = fetch(`${slow.url}/stock/KG-1018/recount`, {
      method: 'POST',
      headers: { 'x-api-key': 'key-for-tests' },
      signal: leave.signal,
    });
    await slow.ask('/stock/KG-1018');
    leave.abort();
    await expect(asked).rejects.toThrow();
    expect((await slow.ask('/stock/KG-1018')).body.warehouses).toMatchObject([{ on_hand: 2 }, { on_hand: -6 }]);
    slow.child.stdin?.end();
    await once(slow.child, 'exit');
    other.remove();
  });
  it('sets what was counted in one warehouse, and pays a requested refund once', async () => {
    const set = (on_hand: number, warehouse = 'south') => api.ask('/stock/KG-1026/on-hand', { warehouse, on_hand });
    expect((await set(9)).body).toMatchObject({ warehouses: [{}, { on_hand: 9, last_counted: '2026-06-30' }] });
    expect([(await set(-1)).status, (await set(1, 'west')).status]).toEqual([422, 404]);
    const { body } = await api.ask('/refunds', { order_id: 'O-1004', amount: '5.00' });
    const pay = () => api.ask(`/refunds/${String(body.refund_id)}/pay`, {});
    expect([(await pay()).body.status, (await pay()).status]).toEqual(['paid', 409]);
  });
  it('answers no foreign host or origin, whatever the key (servers 10)', async () => {
    const status = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        get(`${api.url}/stock/KG-1018`, { headers: { 'x-api-key': 'key-for-tests', ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({})).toBe(200);
  });
});
