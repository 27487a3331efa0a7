// Crash safety (spec host §13, trust §6): the desk is killed with -9 at every stored step of a refund and at random
// moments. The witness is the database of the company's own API. `DESK_KILLS` sets how many random kills there are.
import Database from 'better-sqlite3';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '../shared/calls.ts';
import { createHost, type Host } from '../main/host.ts';
import { temporaryDesk } from './deskProgram.ts';

const program = path.join(import.meta.dirname, 'refundFlow.ts');
const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const kills = Number(process.env['DESK_KILLS'] ?? '12');
const limit = 15_000;
const desk = temporaryDesk();
afterAll(() => desk.remove());

const shop = z
  .object({
    orders: z.array(z.object({ order_id: z.string(), status: z.string(), total_cents: z.number() })),
    refunds: z.array(z.object({ order_id: z.string() })),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../demo/data.json'), 'utf8')));
const taken = new Set(shop.refunds.map((refund) => refund.order_id));
const fresh = shop.orders.filter(
  (order) => (order.status === 'delivered' || order.status === 'returned') && !taken.has(order.order_id),
);
const large = fresh.filter((order) => order.total_cents > limit).map((order) => order.order_id);
const small = fresh.filter((order) => order.total_cents <= limit).map((order) => order.order_id);

interface Refund {
  order_id: string;
  amount_cents: number;
  status: string;
}
/** What the company's own database says. */
function refundsOf(order: string): Refund[] {
  const database = new Database(path.join(desk.data, 'profile', 'shop.db'), { readonly: true });
  try {
    // The columns named in the query.
    return database
      .prepare('select order_id, amount_cents, status from refunds where order_id = ?')
      .all(order) as Refund[];
  } finally {
    database.close();
  }
}
interface Plan {
  orders: string[];
  dont?: string[];
  hold?: string[];
  kill?: { state: string; round: number };
  /** By itself: whoever waits for its messages to kill it may be late, and it refunds on. */
  after?: { steps: number; ms: number };
  leave?: boolean;
}
/** Runs the flow to its end, or until it kills itself where that is asked. */
async function flow(plan: Plan): Promise<{ signal: string | null; touched: Set<string> }> {
  const child = fork(program, [JSON.stringify({ ...plan, data: desk.data })], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const touched = new Set<string>();
  child.on('message', (message: { order: string }) => touched.add(message.order));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(`the flow ended with ${code ?? 'nothing'}`);
  return { signal, touched };
}
async function looked<T>(work: (host: Host) => Promise<T>): Promise<T> {
  const host = await createHost({ data: desk.data, profileFile, servers: false, say: () => undefined });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
async function issued(host: Host, order: string): Promise<Call | undefined> {
  return (await host.calls.list({ run: `flow-${order}` })).findLast((call) => call.tool === 'shop.issue_refund');
}

describe('killed with -9 the moment a step is stored (host §13)', () => {
  it.each([
    [{ state: 'asking', round: 0 }, 'result', 'requested'],
    [{ state: 'consented', round: 0 }, 'result', 'requested'],
    [{ state: 'sending', round: 1 }, 'unknown', null],
    [{ state: 'asked', round: 1 }, 'result', 'requested'],
    [{ state: 'answered', round: 1 }, 'result', 'requested'],
    [{ state: 'sending', round: 2 }, 'unknown', 'needs_confirmation'],
    [{ state: 'result', round: 2 }, 'result', 'requested'],
  ] as const)('%o: the next desk ends it as %s, the API has %s', async (kill, ends, status) => {
    const order = large.shift() ?? '';
    expect(await flow({ orders: [order], kill })).toMatchObject({ signal: 'SIGKILL' });
    expect(await flow({ orders: [order] })).toMatchObject({ signal: null });
    const call = await looked((host) => issued(host, order));
    expect(call?.state).toBe(ends);
    expect(refundsOf(order).map((refund) => refund.status)).toEqual(status === null ? [] : [status]);
  });

  it('an unknown outcome is settled by a person who says why, once (host §13)', async () => {
    const order = large.shift() ?? '';
    await flow({ orders: [order], kill: { state: 'sending', round: 2 } });
    await looked(async (host) => {
      const call = await issued(host, order);
      const found = { by: await host.person('staff-0002'), happened: false, why: 'R is held in the shop.' };
      if (call === undefined) throw new Error(order);
      await expect(host.calls.settleUnknown(call.id, { ...found, why: ' ' })).rejects.toMatchObject({
        code: 'calls.why',
      });
      expect(await host.calls.settleUnknown(call.id, found)).toMatchObject({ state: 'failed' });
      await expect(host.calls.settleUnknown(call.id, found)).rejects.toMatchObject({ code: 'calls.state' });
      expect((await host.calls.events(call.id)).at(-1)).toMatchObject({
        from: 'unknown',
        to: 'failed',
        by: 'staff-0002',
      });
      expect(await host.calls.verifyChain()).toEqual([]);
    });
  });
});

describe('a lead who answers later (host §19)', () => {
  it.each([
    ['20 minutes', 20 * 60_000],
    ['16 hours', 16 * 3_600_000],
  ])('releases one refund after %s and a kill in between', async (_, later) => {
    const order = large.shift() ?? '';
    await flow({ orders: [order], leave: true, kill: { state: 'asked', round: 1 } });
    expect(refundsOf(order)).toMatchObject([{ status: 'needs_confirmation' }]);
    await looked(async (host) => {
      const begun = await host.settings.get('clock.begun');
      if (typeof begun !== 'string') throw new Error('the sample company has no clock');
      await host.settings.set('clock.begun', new Date(Date.parse(begun) - later).toISOString());
    });
    await flow({ orders: [order] });
    const call = await looked((host) => issued(host, order));
    expect(call).toMatchObject({ state: 'result', round: 2 });
    expect(refundsOf(order)).toMatchObject([{ status: 'requested' }]);
  });

  it('and does not release leaves it held, and the call says so', async () => {
    const order = large.shift() ?? '';
    await flow({ orders: [order], hold: [order] });
    const call = await looked((host) => issued(host, order));
    expect(call).toMatchObject({ state: 'result', structured: { status: 'needs_confirmation' } });
    expect(refundsOf(order)).toMatchObject([{ status: 'needs_confirmation' }]);
  });
});

describe(`killed at ${kills} random moments of the refund flow`, () => {
  it('every consented refund is there once, none unconsented, and the log agrees or says unknown', async () => {
    const orders = Array.from({ length: kills * 3 }, () => [small.shift() ?? '', large.shift() ?? ''])
      .flat()
      .filter((order) => order !== '');
    const dont = orders.filter((_, index) => index % 5 === 4);
    const hold = orders.filter((_, index) => index % 7 === 6);
    const touched = new Set<string>();
    let done = 0;
    for (let from = 0; done < kills && from < orders.length;) {
      const rest = orders.slice(Math.max(0, from - 1));
      const steps = 1 + Math.floor(Math.random() * 24);
      const ended = await flow({ orders: rest, dont, hold, after: { steps, ms: Math.random() * 20 } });
      if (ended.signal === 'SIGKILL') done++;
      for (const order of ended.touched) touched.add(order);
      from = Math.max(from, ...[...ended.touched].map((order) => orders.indexOf(order) + 1));
    }
    expect(done).toBe(kills);
    await flow({ orders: [...touched], dont, hold });
    const ends: Record<string, number> = {};
    await looked(async (host) => {
      expect(await host.calls.verifyChain()).toEqual([]);
      for (const order of touched) {
        const call = await issued(host, order);
        const made = refundsOf(order);
        const state = call?.state ?? 'none';
        ends[state] = (ends[state] ?? 0) + 1;
        expect(made.length, `${order}: ${state}`).toBeLessThanOrEqual(1);
        if (dont.includes(order)) expect([state, made.length]).toEqual(['declined', 0]);
        else if (state === 'result') expect(made, order).toMatchObject([{ status: statusOf(call) }]);
        else expect(state, order).toBe('unknown');
      }
    });
    console.log(`${done} kills, ${touched.size} refunds:`, ends);
  });
});

/** What the call's own result says of the refund. */
function statusOf(call: Call | undefined): unknown {
  const parsed = z.object({ status: z.string() }).safeParse(call?.structured);
  return parsed.data?.status;
}
