import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answering, issueRound, yes, type Answered } from './oneRound.ts';
import {
  startApi,
  startShop,
  temporaryFolder,
  type ShopOptions,
  type StartedApi,
  type StartedShop,
} from './startedPrograms.ts';

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

async function quote(args: Record<string, unknown>, on: StartedShop = shop): Promise<Record<string, unknown>> {
  const result = await on.client.callTool({ name: 'quote_refund', arguments: args });
  return fields.parse(result.structuredContent ?? {});
}
const quoteId = async (order_id: string, on: StartedShop = shop): Promise<string> =>
  String((await quote({ order_id }, on)).quote_id);

const issue = (quote_id: string, more: Record<string, unknown> = {}, on: StartedShop = shop): Promise<Answered> =>
  issueRound(on.client, quote_id, more);
/** What every refused state gets; the reason is only in the server's log. */
const uniform = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};
const refundsOf = async (order: string) =>
  (await api.ask(`/refunds?order_id=${order}`)).body.refunds as { refund_id: string; status: string; amount: string }[];

describe('servers 4: quotes', () => {
  it('have the published amounts', async () => {
    const amount = async (args: Record<string, unknown>) => (await quote(args)).amount;
    expect(await amount({ order_id: 'O-1928' })).toBe('503.99');
    expect(await amount({ order_id: 'O-2289', reason: 'changed mind' })).toBe('180.00');
    expect(await amount({ order_id: 'O-1145' })).toBe('343.49');
    expect(await amount({ order_id: 'O-2415', sku: 'KG-1050' })).toBe('23.98');
    expect(await amount({ order_id: 'O-2415', sku: 'KG-1050', reason: 'changed mind' })).toBe('23.98');
    expect(await amount({ order_id: 'O-1004' })).toBe('24.98');
    expect(await amount({ order_id: 'O-1190' })).toBe('109.00');
    expect(await amount({ order_id: 'O-2263' })).toBe('90.00');
  });
  it('are computed by the server: an amount sent along changes nothing', async () => {
    expect((await quote({ order_id: 'O-2263', amount: '500.00', policy_limit: '900.00' })).amount).toBe('90.00');
  });
  it('include shipping with the whole order unless minds were changed', async () => {
    expect((await quote({ order_id: 'O-1004', reason: 'arrived late' })).amount).toBe('24.98');
    expect((await quote({ order_id: 'O-1004', reason: 'changed mind' })).amount).toBe('19.99');
    expect((await quote({ order_id: 'O-1004', sku: 'KG-1006' })).amount).toBe('24.98');
  });
  it('say whether the limit is kept and how long they hold, under an ID nobody can guess', async () => {
    const made = await quote({ order_id: 'O-2289' });
    expect(made).toEqual({
      quote_id: expect.stringMatching(/^Q-[0-9a-f]{32}$/) as string,
      order_id: 'O-2289',
      sku: null,
      amount: '180.00',
      policy_limit: '150.00',
      within_limit: false,
      expires_in_seconds: 900,
    });
    expect((await quote({ order_id: 'O-2263' })).within_limit).toBe(true);
  });
  it('make one refund each: repeated, the same one', async () => {
    const id = await quoteId('O-2415');
    const first = await issue(id);
    expect(first.structured).toMatchObject({ quote_id: id, order_id: 'O-2415', amount: '49.96', status: 'requested' });
    expect((await issue(id)).structured).toEqual(first.structured);
    expect(await refundsOf('O-2415')).toHaveLength(1);
  });
  it('make one refund each: two at once, one refund', async () => {
    const id = await quoteId('O-2327');
    const both = await Promise.all([issue(id), issue(id)]);
    expect(both[0].structured).toMatchObject({ amount: '68.99', status: 'requested' });
    expect(both[1].structured).toEqual(both[0].structured);
    expect(await refundsOf('O-2327')).toHaveLength(1);
  });
  it('make one refund each: two servers on one folder at once, one refund', async () => {
    const other = await startShop(api.url, folder.path);
    const id = await quoteId('O-2188');
    const both = await Promise.all([issue(id), issue(id, {}, other)]);
    const made = both.filter((one) => !one.isError);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map((one) => one.structured.refund_id)).size).toBe(1);
    for (const one of both.filter((answer) => answer.isError)) expect(one.text).toContain('is being made right now');
    expect(await refundsOf('O-2188')).toHaveLength(1);
    await other.close();
  });
  it('make one refund each: one made by a server that died before it could note it is taken up', async () => {
    const id = await quoteId('O-1744');
    const { body } = await api.ask('/refunds', { order_id: 'O-1744', amount: '30.99' });
    const db = new Database(join(folder.path, 'shop', 'quotes.db'));
    db.prepare("UPDATE quotes SET claimed_at = 1, refunds_before = '[]' WHERE quote_id = ?").run(id);
    db.close();
    expect((await issue(id)).structured).toMatchObject({ refund_id: body.refund_id, amount: '30.99' });
    expect(await refundsOf('O-1744')).toHaveLength(1);
  });
  it('name a refund the order already has', async () => {
    const result = await shop.client.callTool({ name: 'quote_refund', arguments: { order_id: 'O-2415' } });
    const [refund] = await refundsOf('O-2415');
    expect(result.content[1]).toEqual({
      type: 'text',
      text: `Order O-2415 already has refund ${refund?.refund_id ?? ''} of 49.96 (requested).`,
    });
  });
  it('end after their time, and survive a restart until then', async () => {
    const options = (clock: string): ShopOptions => ({ env: { SHOP_QUOTE_TTL: '600', SHOP_CLOCK: clock } });
    const first = await startShop(api.url, folder.path, options('2026-06-30T09:00:00Z'));
    expect((await quote({ order_id: 'O-2351' }, first)).expires_in_seconds).toBe(600);
    const id = await quoteId('O-2351', first);
    await first.close();
    const late = await startShop(api.url, folder.path, options('2026-06-30T09:11:00Z'));
    expect((await issue(id, {}, late)).text).toContain('no longer valid');
    await late.close();
    expect(await refundsOf('O-2351')).toEqual([]);
    const inTime = await startShop(api.url, folder.path, options('2026-06-30T09:05:00Z'));
    expect((await issue(id, {}, inTime)).structured).toMatchObject({ status: 'requested' });
    await inTime.close();
  });
});

describe('servers 4: replays', () => {
  const replay = (seed: string): ShopOptions => ({ env: { SHOP_SEED: seed, SHOP_CLOCK_FIXED: '1' } });
  async function numbers(path: string, seed: string, orders: readonly string[]): Promise<string[]> {
    const server = await startShop(api.url, path, replay(seed));
    const made: string[] = [];
    for (const order of orders) made.push(await quoteId(order, server));
    await server.close();
    return made;
  }
  it('give the same quote numbers from the same seed, whatever was quoted and over a restart', async () => {
    const [one, other, third] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const inOneGo = await numbers(one.path, '4217', ['O-1004', 'O-1004', 'O-2415']);
    const first = await numbers(other.path, '4217', ['O-2415']);
    expect([...first, ...(await numbers(other.path, '4217', ['O-1085', 'O-1004']))]).toEqual(inOneGo);
    expect(new Set(inOneGo).size).toBe(3);
    for (const id of inOneGo) expect(id).toMatch(/^Q-[0-9a-f]{32}$/);
    expect(await numbers(third.path, '4218', ['O-1004'])).not.toEqual(first);
    const db = new Database(join(one.path, 'shop', 'quotes.db'));
    const ends = db.prepare<[], { at: number }>('SELECT DISTINCT expires_at AS at FROM quotes').all();
    db.close();
    expect(ends).toEqual([{ at: Date.parse('2026-06-30T09:15:00Z') }]);
    for (const made of [one, other, third]) made.remove();
  });
  it('write the same times into the shop, whose clock stands still too', async () => {
    const copy = temporaryFolder();
    const still = await startApi(copy.path, { SHOP_CLOCK_FIXED: '1' });
    const made = [1, 2].map(() => still.ask('/refunds', { order_id: 'O-1004', amount: '1.00' }));
    const times = (await Promise.all(made)).map((one) => one.body.created_at);
    expect(times).toEqual(['2026-06-30T09:00:00.000Z', '2026-06-30T09:00:00.000Z']);
    await still.stop();
    copy.remove();
  });
});

describe('servers 5: held refunds', () => {
  it('are held before the question, which is one boolean without a default', async () => {
    const asked = await issue(await quoteId('O-2289'));
    expect((await refundsOf('O-2289')).map((one) => one.status)).toEqual(['needs_confirmation']);
    const [refund] = await refundsOf('O-2289');
    expect(asked.requests).toEqual({
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: expect.stringContaining(`${refund?.refund_id ?? ''}: pay 180.00 back for order O-2289`) as string,
          requestedSchema: {
            type: 'object',
            properties: {
              release: {
                type: 'boolean',
                title: expect.any(String) as string,
                description: expect.any(String) as string,
              },
            },
            required: ['release'],
          },
        },
      },
    });
    expect(asked.state).not.toContain(refund?.refund_id);
    expect(Buffer.from(asked.state.slice(3), 'base64url').toString('latin1')).not.toContain('O-2289');
  });
  it('are released by accept with true only, and a replayed answer is refused', async () => {
    const id = await quoteId('O-1145');
    const { state } = await issue(id);
    const released = await issue(id, answering(state, { ...yes, content: { release: true, note: 'an extra key' } }));
    expect(released.structured).toMatchObject({ amount: '343.49', status: 'requested' });
    const replayed = await issue(id, answering(state, yes));
    expect(replayed).toMatchObject({ isError: true, text: expect.stringContaining('was already confirmed') as string });
    expect((await issue(id)).structured).toEqual(released.structured);
    expect(await refundsOf('O-1145')).toHaveLength(1);
  });
  it.each([
    ['accept with false', { action: 'accept', content: { release: false } }],
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
  ])('stay held after %s, which says so, and can be asked about again', async (_name, said) => {
    const id = await quoteId('O-1928');
    const { state } = await issue(id);
    const kept = await issue(id, answering(state, said));
    expect(kept.structured).toMatchObject({ status: 'needs_confirmation', amount: '503.99' });
    expect(kept.texts[1]).toContain('stays held and nothing is paid');
    expect((await issue(id, answering(state, yes))).text).toContain('was already answered and is held now');
    const again = await issue(id);
    expect(again.asked).toBe(true);
    expect((await refundsOf('O-1928')).every((one) => one.status === 'needs_confirmation')).toBe(true);
  });
  it('refuse a changed state, other arguments and another caller with one message', async () => {
    const [id, other] = [await quoteId('O-1085'), await quoteId('O-1928')];
    const { state } = await issue(id);
    const changed = state.slice(0, 20) + (state[20] === 'A' ? 'B' : 'A') + state.slice(21);
    await expect(issue(id, answering(changed, yes))).rejects.toMatchObject(uniform);
    await expect(issue(id, answering(`${state}=`, yes))).rejects.toMatchObject(uniform);
    await expect(issue(other, answering(state, yes))).rejects.toMatchObject(uniform);
    await expect(
      issue(id, { ...answering(state, yes), _meta: { 'example.fernhill/ticket': 'T-0034' } }),
    ).rejects.toMatchObject(uniform);
    await expect.poll(() => shop.log()).toMatch(/changed[\s\S]*other arguments[\s\S]*another caller/);
    expect((await refundsOf('O-1085')).map((one) => one.status)).toEqual(['needs_confirmation']);
  });
  it('ask again without a state, without an answer, and of the refund another state was about', async () => {
    const id = await quoteId('O-1085');
    const { state } = await issue(id);
    expect((await issue(id, { inputResponses: { confirm: yes } })).asked).toBe(true);
    expect((await issue(id, { requestState: state })).asked).toBe(true);
    const { body } = await api.ask('/refunds', { order_id: 'O-1085', amount: '151.00' });
    const db = new Database(join(folder.path, 'shop', 'quotes.db'));
    const point = db.prepare('UPDATE quotes SET refund_id = ? WHERE quote_id = ?');
    const before = db
      .prepare<[string], { refund_id: string }>('SELECT refund_id FROM quotes WHERE quote_id = ?')
      .get(id);
    point.run(body.refund_id, id);
    expect((await issue(id, answering(state, yes))).asked).toBe(true);
    point.run(before?.refund_id, id);
    db.close();
    expect((await issue(id, answering(state, yes))).structured.status).toBe('requested');
  });
  it('call a malformed answer a protocol error, after which the state still takes a good one', async () => {
    const id = await quoteId('O-1085');
    const { state } = await issue(id);
    for (const wrong of [
      { action: 'accept' },
      { action: 'accept', content: { release: 'true' } },
      { action: 'accept', content: {} },
      { roots: [] },
      'yes',
    ]) {
      await expect(issue(id, answering(state, wrong)), JSON.stringify(wrong)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('must be an elicitation result') as string,
      });
    }
    const { requestState, inputResponses } = answering(state, yes);
    const more = { requestState, inputResponses: { ...fields.parse(inputResponses), else: { action: 'decline' } } };
    expect((await issue(id, more)).structured.status).toBe('requested');
  });
  it('name the missing capability after the hold, and lose nothing', async () => {
    const mute = await startShop(api.url, folder.path, { capabilities: {} });
    const id = await quoteId('O-1928', mute);
    const held = (await refundsOf('O-1928')).length;
    await expect(issue(id, {}, mute)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
    await mute.close();
    expect(await refundsOf('O-1928')).toHaveLength(held + 1);
    const { state } = await issue(id);
    expect((await issue(id, answering(state, yes))).structured.status).toBe('requested');
    expect(await refundsOf('O-1928')).toHaveLength(held + 1);
  });
  it.each([
    ['20 minutes', '2026-06-30T09:20:00Z'],
    ['16 hours', '2026-07-01T01:00:00Z'],
    ['13 days', '2026-07-13T09:00:00Z'],
  ])('are finished %s after the question by a server started anew, one refund', async (_time, clock) => {
    const id = await quoteId('O-2289');
    const { state } = await issue(id);
    const before = await refundsOf('O-2289');
    const later = await startShop(api.url, folder.path, { env: { SHOP_CLOCK: clock } });
    // The quote ended long ago; what it held is found by a fresh call and asked about again.
    expect((await issue(id, {}, later)).asked).toBe(true);
    expect((await issue(id, answering(state, yes), later)).structured.status).toBe('requested');
    await later.close();
    const after = await refundsOf('O-2289');
    expect(after).toHaveLength(before.length);
    expect(after.filter((one, at) => one.status !== before[at]?.status)).toHaveLength(1);
  });
  it('are not finished by a state grown old, with the same words as for a changed one', async () => {
    const id = await quoteId('O-2289');
    const { state } = await issue(id);
    const late = await startShop(api.url, folder.path, { env: { SHOP_CLOCK: '2026-07-14T09:01:00Z' } });
    await expect(issue(id, answering(state, yes), late)).rejects.toMatchObject(uniform);
    await expect.poll(() => late.log()).toContain('it is too old');
    expect((await issue(id, {}, late)).asked).toBe(true);
    await late.close();
  });
  it('are not finished by a state whose time was set shorter', async () => {
    const short = (clock: string): ShopOptions => ({ env: { SHOP_STATE_TTL: '60', SHOP_CLOCK: clock } });
    const asking = await startShop(api.url, folder.path, short('2026-06-30T09:00:00Z'));
    const id = await quoteId('O-2289', asking);
    const { state } = await issue(id, {}, asking);
    await asking.close();
    const late = await startShop(api.url, folder.path, short('2026-06-30T09:02:00Z'));
    await expect(issue(id, answering(state, yes), late)).rejects.toMatchObject(uniform);
    await late.close();
  });
  it('are asked the same way of a client of 2025-11-25, by a pushed question', async () => {
    const older = await startShop(api.url, folder.path, { mode: 'legacy' });
    older.client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { release: true } }));
    const id = await quoteId('O-2289', older);
    const result = await older.client.callTool({ name: 'issue_refund', arguments: { quote_id: id } });
    expect(result.structuredContent).toMatchObject({ status: 'requested', amount: '180.00' });
    await older.close();
  });
});
