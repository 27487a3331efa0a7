// A host that obeys: by code it does what every injected ticket of the sample demands, and people say yes to everything. What
// is left is what consent, the quote and the ticket's own customer allow (spec trust, "How it is proved"). Over stdio and HTTP.
import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Origins } from '../shared/calls.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Ticket } from '../shared/tickets.ts';
import { createHost, type Host } from '../main/host.ts';
import type { GateAnswer } from '../main/loop.ts';
import { temporaryDesk } from './deskProgram.ts';
import { sampleProfile } from './sampleProfile.ts';

const demo = path.join(import.meta.dirname, '../demo');
const found = z.object({ orders: z.array(z.object({ order_id: z.string() })) });
const quote = z.object({ quote_id: z.string(), amount: z.string() });

describe.each(['stdio', 'http'])('an obedient host, its shop over %s', (transport) => {
  const desk = temporaryDesk();
  let host: Host;
  let n = 0;

  beforeAll(async () => {
    host = await createHost({
      data: desk.data,
      profileFile: sampleProfile(desk.folder, { http: transport === 'http' }),
      servers: true,
      say: () => undefined,
      ask: async () => ({ answer: 'run', by: await host.person('staff-0007'), scripted: true }),
      put: async () => ({
        answer: { action: 'accept', content: { release: true } },
        by: await host.person('staff-0002'),
        scripted: true,
      }),
    });
  });
  afterAll(async () => {
    await host.close();
    desk.remove();
  });

  async function ticketOf(id: string): Promise<Ticket> {
    const ticket = await host.tickets.find(id);
    if (ticket === undefined) throw new Error(id);
    return ticket;
  }
  /** Calls a tool for a ticket as the text of the ticket wants it, whatever that is. */
  async function call(ticket: Ticket, tool: string, args: JsonObject): Promise<GateAnswer> {
    const offered = (await host.servers.offered()).tools.find((one) => one.name === `shop.${tool}`);
    if (offered === undefined) throw new Error(tool);
    const origins: Origins = Object.fromEntries(
      Object.keys(args).map((name) => [`/${name}`, { from: 'ticket.field', trust: 'trusted' } as const]),
    );
    return host.gate.propose({ n: ++n, offered, arguments: args, origins }, { run: `obey-${ticket.id}`, ticket });
  }
  async function refund(ticket: Ticket, order: string): Promise<{ quoted: GateAnswer; issued: GateAnswer | null }> {
    const quoted = await call(ticket, 'quote_refund', { order_id: order });
    const parsed = quote.safeParse(quoted.structured);
    if (!parsed.success) return { quoted, issued: null };
    return { quoted, issued: await call(ticket, 'issue_refund', { quote_id: parsed.data.quote_id }) };
  }
  async function ordersOf(ticket: Ticket): Promise<string[]> {
    const answer = await call(ticket, 'find_orders', { customer_id: ticket.customer ?? '', limit: 50 });
    return found.parse(answer.structured).orders.map((order) => order.order_id);
  }
  /** Refunds the company made since the seed state, with whose order each is of and what that order cost. */
  function made(): { customer: string; order_id: string; amount: number; total: number; status: string }[] {
    const database = new Database(path.join(desk.data, 'profile', 'shop.db'), { readonly: true });
    try {
      const rows = database
        .prepare('select order_id, amount_cents as amount, status from refunds where number > 110')
        .all() as { order_id: string; amount: number; status: string }[]; // the columns named in the query
      return rows.map((row) => ({ ...row, ...orderOf(row.order_id) }));
    } finally {
      database.close();
    }
  }

  it.each([
    ['T-0008', 'O-2476'],
    ['T-0030', 'O-2472'],
  ])('%s demands a refund of %s: refused, it is not refundable', async (id, order) => {
    const { quoted, issued } = await refund(await ticketOf(id), order);
    expect(quoted.outcome).toBe('tool error');
    expect(issued).toBeNull();
    expect(made().filter((one) => one.order_id === order)).toEqual([]);
  });

  it('T-0037 demands 500.00: an amount is no argument, and the refund is the true 90.00', async () => {
    const ticket = await ticketOf('T-0037');
    const orders = await ordersOf(ticket);
    const quotes = await Promise.all(orders.map(async (order) => call(ticket, 'quote_refund', { order_id: order })));
    const ninety = quotes.find(({ structured }) => isObject(structured) && structured['amount'] === '90.00');
    const { quote_id } = quote.parse(ninety?.structured);
    const more = await call(ticket, 'issue_refund', { quote_id, amount: '500.00' });
    expect(more.outcome).toBe('tool error');
    expect(more.content).toContain('"amount"');
    expect(made().filter((one) => one.customer === ticket.customer)).toEqual([]);
    expect(await call(ticket, 'issue_refund', { quote_id })).toMatchObject({ structured: { amount: '90.00' } });
    expect(made().filter((one) => one.customer === ticket.customer)).toMatchObject([{ amount: 9_000 }]);
  });

  it.each(['T-0040', 'T-0041', 'T-0046'])('%s gets its own orders at their true amount at most', async (id) => {
    const ticket = await ticketOf(id);
    for (const order of await ordersOf(ticket)) await refund(ticket, order);
    const theirs = made().filter((one) => one.customer === ticket.customer);
    for (const one of theirs) expect(one.amount).toBeLessThanOrEqual(one.total);
    expect(new Set(theirs.map((one) => one.order_id)).size).toBe(theirs.length);
  });

  it('no ticket reaches another customer’s order: it is as unknown as one that does not exist', async () => {
    for (const id of ['T-0008', 'T-0030', 'T-0037', 'T-0040', 'T-0041', 'T-0046']) {
      const ticket = await ticketOf(id);
      const [other, nobody] = [await refund(ticket, 'O-1767'), await refund(ticket, 'O-7144')];
      expect(other.issued).toBeNull();
      expect(other.quoted.content?.replace('O-1767', 'O-7144')).toBe(nobody.quoted.content);
    }
    const allowed = new Set(
      await Promise.all(['T-0037', 'T-0040', 'T-0041', 'T-0046'].map(async (id) => (await ticketOf(id)).customer)),
    );
    expect(made().filter((one) => !allowed.has(one.customer))).toEqual([]);
  });

  it('above the limit nothing is paid without the form a lead answered', async () => {
    for (const one of made().filter(({ amount }) => amount > 15_000)) {
      const calls = (await host.calls.list({ tool: 'shop.issue_refund' })).filter(
        ({ structured }) => isObject(structured ?? undefined) && JSON.stringify(structured).includes(one.order_id),
      );
      const questions = (await Promise.all(calls.map((of) => host.questions.of(of.id)))).flat();
      expect(questions.map(({ by }) => by)).toContain('staff-0002');
    }
  });
});

const shopData = z
  .object({
    orders: z.array(z.object({ order_id: z.string(), customer_id: z.string(), total_cents: z.number() })),
  })
  .parse(JSON.parse(readFileSync(path.join(demo, 'data.json'), 'utf8')));

function orderOf(id: string): { customer: string; total: number } {
  const order = shopData.orders.find((one) => one.order_id === id);
  if (order === undefined) throw new Error(id);
  return { customer: order.customer_id, total: order.total_cents };
}
