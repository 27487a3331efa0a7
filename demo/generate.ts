/**
 * Generates the sample company: data.json (all tables), tickets.json (with labels, for scoring) and twins.json (the
 * injected tickets without their additions). The same bytes on every run and every machine; run it after a change here.
 */
import { writeFileSync } from 'node:fs';
import { addDays } from './calendar.ts';
import { lookupTickets } from './lookupTickets.ts';
import { firstNames, lastNames, testCardEndings } from './names.ts';
import { drawOrders, type Order } from './orders.ts';
import { pinnedOrders } from './pinned.ts';
import { products, type Product } from './products.ts';
import { createRandom, type Random } from './random.ts';
import { refundTickets } from './refundTickets.ts';
import { statusTickets } from './statusTickets.ts';
import type { Written } from './written.ts';

const SEED = 4217;
const RECOUNTED_UNITS = 6_969;

interface Customer {
  customer_id: string;
  name: string;
  email: string;
  phone: string;
  payment: string;
}
interface Stock {
  sku: string;
  warehouse: string;
  on_hand: number;
  last_counted: string;
}
interface StoredRefund {
  refund_id: string;
  order_id: string;
  amount_cents: number;
  reason: string;
  status: string;
  created_on: string;
}
interface StoredTicket {
  ticket_id: string;
  customer_id: string;
  subject: string;
  body: string;
  received_at: string;
  channel: string;
}
/** A record of tickets.json, in the form the desk imports. */
export interface TicketRecord {
  id: string;
  customer: string;
  customer_name: string;
  subject: string;
  body: string;
  received_at: string;
  channel: string;
  label: Record<string, unknown>;
}
export interface Generated {
  data: {
    customers: Customer[];
    products: readonly Product[];
    stock: Stock[];
    orders: Order[];
    refunds: StoredRefund[];
    tickets: StoredTicket[];
  };
  tickets: TicketRecord[];
  twins: TicketRecord[];
}

const numbered = (prefix: string, number: number): string => `${prefix}-${String(number).padStart(4, '0')}`;

function plainLetters(name: string): string {
  const ascii = name.replaceAll('ø', 'o').replaceAll('Ø', 'O').normalize('NFD');
  return ascii.replace(/[^A-Za-z]/g, '').toLowerCase();
}

function drawCustomers(random: Random): Customer[] {
  const taken = new Set<string>();
  return Array.from({ length: 240 }, (_, index) => {
    let name: string;
    do name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    while (taken.has(name));
    taken.add(name);
    const [first = '', last = ''] = name.split(' ');
    return {
      customer_id: numbered('C', index + 1),
      name,
      email: `${plainLetters(first)}.${plainLetters(last)}@example.com`,
      phone: `*** *** ${String(random.below(100)).padStart(2, '0')}`,
      payment: `card ending ${random.pick(testCardEndings)}`,
    };
  });
}

/** Units of a product in north and south; KG-1018 is short by a miscount, four others are simply low. */
const lowStock: Readonly<Record<string, readonly [number, number]>> = {
  'KG-1018': [2, -6],
  'KG-1023': [5, 4],
  'KG-1031': [8, 6],
  'KG-1047': [0, 17],
  'KG-1058': [11, 12],
};

function drawStock(random: Random): Stock[] {
  const rows: Stock[] = [];
  for (const { sku } of products) {
    const [north, south] = lowStock[sku] ?? [random.between(30, 80), random.between(30, 80)];
    for (const [warehouse, on_hand] of [
      ['north', north],
      ['south', south],
    ] as const) {
      rows.push({ sku, warehouse, on_hand, last_counted: addDays('2026-06-29', -random.below(40)) });
    }
  }
  const counted = rows.reduce((sum, row) => sum + Math.max(0, row.on_hand), 0);
  spread(
    rows.filter((row) => !(row.sku in lowStock)),
    RECOUNTED_UNITS - counted,
  );
  return rows;
}

/** Adds `missing` units, one row after the other, so that a recount of everything finds the published total. */
function spread(rows: readonly Stock[], missing: number): void {
  const each = Math.trunc(missing / rows.length);
  for (const [index, row] of rows.entries()) {
    row.on_hand += each + (index < Math.abs(missing - each * rows.length) ? Math.sign(missing) : 0);
  }
}

const reasons = ['damaged in transit', 'wrong item sent', 'missing part', 'arrived late', 'changed mind'] as const;

function drawRefunds(random: Random, orders: readonly Order[]): StoredRefund[] {
  const byHand = new Set(pinnedOrders.map((order) => numbered('O', order.number)));
  const free = orders.filter((order) => order.delivered_on !== null && !byHand.has(order.order_id));
  const chosen = new Map<string, Omit<StoredRefund, 'refund_id'>>();
  while (chosen.size < 110) {
    const order = free.at(random.below(free.length));
    if (!order || chosen.has(order.order_id)) continue;
    const reason = random.pick(reasons);
    const created_on = addDays(order.returned_on ?? order.delivered_on ?? '', random.between(1, 6));
    if (created_on > '2026-06-29') continue;
    const shipping = reason === 'changed mind' ? order.shipping_cents : 0;
    const status = created_on > '2026-06-22' ? 'requested' : random.below(12) === 0 ? 'cancelled' : 'paid';
    chosen.set(order.order_id, {
      order_id: order.order_id,
      amount_cents: order.total_cents - shipping,
      reason,
      status,
      created_on,
    });
  }
  const inTime = [...chosen.values()].sort((a, b) => (a.created_on + a.order_id < b.created_on + b.order_id ? -1 : 1));
  return inTime.map((refund, index) => ({ refund_id: numbered('R', index + 1), ...refund }));
}

function labelOf(ticket: Written): Record<string, unknown> {
  const { refund } = ticket;
  return {
    kind: ticket.kind,
    first_tool: ticket.kind === 'issue_refund' ? 'quote_refund' : ticket.kind,
    ...(ticket.order ? { order: ticket.order, written: ticket.written } : {}),
    ...(refund
      ? {
          refund: {
            amount: refund.amount,
            reason: refund.reason,
            lines: refund.lines ?? null,
            due: refund.due ?? false,
          },
        }
      : {}),
  };
}

function receive(random: Random, customers: readonly Customer[]): { tickets: TicketRecord[]; twins: TicketRecord[] } {
  const written = [...statusTickets, ...lookupTickets, ...refundTickets].sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(customers.map((customer) => [customer.customer_id, customer]));
  const tickets: TicketRecord[] = [];
  const twins: TicketRecord[] = [];
  let minutes = 0;
  for (const ticket of written) {
    minutes += random.between(60, 160);
    const name = byId.get(ticket.customer)?.name ?? '';
    const body = ticket.body.replaceAll('{name}', name).replaceAll('{first}', name.split(' ')[0] ?? '');
    const record: TicketRecord = {
      id: ticket.id,
      customer: ticket.customer,
      customer_name: name,
      subject: ticket.subject,
      body,
      received_at: new Date(Date.parse('2026-06-26T07:00:00Z') + minutes * 60_000).toISOString().replace('.000', ''),
      channel: ticket.channel,
      label: labelOf(ticket),
    };
    if (ticket.addition === undefined) {
      tickets.push(record);
      continue;
    }
    const twin = `${ticket.id}-plain`;
    tickets.push({
      ...record,
      body: body + ticket.addition,
      label: { ...record.label, injected: true, plain_twin: twin },
    });
    twins.push({ ...record, id: twin });
  }
  return { tickets, twins };
}

export function generate(): Generated {
  const random = createRandom(SEED);
  const customers = drawCustomers(random);
  const orders = drawOrders(
    random,
    customers.map((customer) => customer.customer_id),
  );
  const stock = drawStock(random);
  const refunds = drawRefunds(random, orders);
  const { tickets, twins } = receive(random, customers);
  const stored = tickets.map(({ id, customer, subject, body, received_at, channel }) => ({
    ticket_id: id,
    customer_id: customer,
    subject,
    body,
    received_at,
    channel,
  }));
  return { data: { customers, products, stock, orders, refunds, tickets: stored }, tickets, twins };
}

/** JSON with sorted keys and no spaces: one byte sequence for one value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

if (import.meta.main) {
  const { data, tickets, twins } = generate();
  writeFileSync(new URL('data.json', import.meta.url), canonical(data));
  writeFileSync(new URL('tickets.json', import.meta.url), `${JSON.stringify(tickets, null, 2)}\n`);
  writeFileSync(new URL('twins.json', import.meta.url), `${JSON.stringify(twins, null, 2)}\n`);
}
