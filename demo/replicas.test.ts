import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, issueRound, quoteRound, yes } from './oneRound.ts';
import { program, serveShop, startApi, temporaryFolder, type ServedShop, type StartedApi } from './startedPrograms.ts';

const folder = temporaryFolder();
const newKey = (): string => randomBytes(32).toString('hex');
const shared = newKey();
const store = join(folder.path, 'shared.db');
let api: StartedApi;
const started: ServedShop[] = [];
let one: Client;
let other: Client;

/** A replica with a folder of its own, sharing only what `env` names. */
async function replica(env: Record<string, string>): Promise<{ served: ServedShop; client: Client }> {
  const served = await serveShop(api.url, join(folder.path, `replica-${started.length}`), { env });
  started.push(served);
  return { served, client: await served.connect() };
}
const refundsOf = async (order: string) =>
  (await api.ask(`/refunds?order_id=${order}`)).body.refunds as { refund_id: string; status: string }[];

beforeAll(async () => {
  api = await startApi(folder.path);
  one = (await replica({ SHOP_KEYS: shared, SHOP_STORE: store })).client;
  const file = join(folder.path, 'key');
  writeFileSync(file, `${shared}\n`);
  other = (await replica({ SHOP_KEYS: file, SHOP_STORE: store })).client;
});
afterAll(async () => {
  await Promise.all(started.map((served) => served.stop()));
  await api.stop();
  folder.remove();
});

describe('servers 6: replicas with the same keys and store', () => {
  it('release once, and the other refuses the same answer again', async () => {
    const id = await quoteRound(one, 'O-2289');
    const { state } = await issueRound(one, id);
    expect((await issueRound(other, id, answering(state, yes))).structured).toMatchObject({ status: 'requested' });
    const replayed = await issueRound(one, id, answering(state, yes));
    expect(replayed).toMatchObject({ isError: true, text: expect.stringContaining('was already confirmed') as string });
    expect((await refundsOf('O-2289')).map((refund) => refund.status)).toEqual(['requested']);
  });
  it('refuse a replayed no on the other too, and the refund stays held', async () => {
    const id = await quoteRound(one, 'O-1928');
    const { state } = await issueRound(one, id);
    await issueRound(one, id, answering(state, { action: 'decline' }));
    expect((await issueRound(other, id, answering(state, yes))).text).toContain('was already answered and is held now');
    expect((await refundsOf('O-1928')).map((refund) => refund.status)).toEqual(['needs_confirmation']);
  });
  it('release once when the same answer reaches both at the same time', async () => {
    const id = await quoteRound(one, 'O-1145');
    const { state } = await issueRound(one, id);
    const both = await Promise.all([one, other].map((client) => issueRound(client, id, answering(state, yes))));
    expect(both.filter((answer) => answer.structured.status === 'requested')).toHaveLength(1);
    expect(both.filter((answer) => answer.isError && answer.text.includes('was already'))).toHaveLength(1);
    expect((await refundsOf('O-1145')).map((refund) => refund.status)).toEqual(['requested']);
  });
  it('make one refund of a quote that reaches both at the same time', async () => {
    const id = await quoteRound(one, 'O-2415');
    const both = await Promise.all([one, other].map((client) => issueRound(client, id)));
    expect(both.some((answer) => !answer.isError)).toBe(true);
    const again = await issueRound(other, id);
    expect(again.structured.status).toBe('requested');
    expect(await refundsOf('O-2415')).toHaveLength(1);
  });
});

describe('servers 6: controls', () => {
  it('a replica with a key of its own refuses the state, though it has the store', async () => {
    const own = await replica({ SHOP_KEYS: newKey(), SHOP_STORE: store });
    const id = await quoteRound(one, 'O-1085');
    const { state } = await issueRound(one, id);
    await expect(issueRound(own.client, id, answering(state, yes))).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid or expired requestState',
    });
    await expect.poll(() => own.served.log()).toContain('it was not sealed here or was changed');
    expect((await refundsOf('O-1085')).map((refund) => refund.status)).toEqual(['needs_confirmation']);
  });
  it('a replica with the key alone knows no such quote', async () => {
    const alone = await replica({ SHOP_KEYS: shared });
    const id = await quoteRound(one, 'O-1085');
    const { state } = await issueRound(one, id);
    const answer = await issueRound(alone.client, id, answering(state, yes));
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('There is no quote') as string });
    expect((await refundsOf('O-1085')).every((refund) => refund.status === 'needs_confirmation')).toBe(true);
  });
  it('a replica that seals with a new key still opens what the old one sealed, and not the other way round', async () => {
    const rolled = await replica({ SHOP_KEYS: `${newKey()},${shared}`, SHOP_STORE: store });
    const id = await quoteRound(one, 'O-1864');
    const { state } = await issueRound(one, id);
    const fresh = await issueRound(rolled.client, id);
    await expect(issueRound(one, id, answering(fresh.state, yes))).rejects.toMatchObject({ code: -32602 });
    expect((await issueRound(rolled.client, id, answering(state, yes))).structured.status).toBe('requested');
  });
});

describe('servers 6: the settings of replicas', () => {
  it('are checked before serving, in one sentence that shows no key', () => {
    const mistyped = newKey().slice(1);
    const start = (env: Record<string, string>) =>
      spawnSync(process.execPath, [program('servers/shop.ts')], {
        env: { PATH: process.env.PATH, SHOP_API_URL: api.url, SHOP_API_KEY: 'x', SHOP_DATA: folder.path, ...env },
        encoding: 'utf8',
        input: '',
      });
    const wrong = start({ SHOP_KEYS: `${shared},${mistyped}` });
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      'shop: SHOP_KEYS cannot be used: entry 2 is neither a key of 64 hex digits nor a file with one.\n',
    ]);
    const nowhere = start({ SHOP_KEYS: shared, SHOP_STORE: '/nowhere/at/all.db' });
    expect([nowhere.status, nowhere.stderr]).toEqual([
      2,
      expect.stringMatching(/^shop: SHOP_STORE cannot be used: .*\n$/),
    ]);
    const still = start({ SHOP_CLOCK_FIXED: '1', SHOP_SEED: 'soon' });
    expect([still.status, still.stderr]).toEqual([2, 'shop: SHOP_SEED is wrong: is a whole number.\n']);
    expect(start({ SHOP_CLOCK_FIXED: '1' }).stderr).toBe('shop: SHOP_CLOCK_FIXED needs SHOP_CLOCK.\n');
  });
});
