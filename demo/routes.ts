/** The shop's HTTP interface: plain JSON, one key, no deduplication (whoever calls must know what they already did). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { timingSafeEqual, createHash } from 'node:crypto';
import { z } from 'zod';
import { matchProducts } from './productNames.ts';
import { statuses } from './pinned.ts';
import { cents, type ShopStore } from './shopStore.ts';

/** Above this a refund is held until a support lead confirms it. */
const POLICY_LIMIT_CENTS = 15_000;

export interface ApiOptions {
  store: ShopStore;
  key: string;
  now: () => Date;
  recountMs: number;
}

class HttpProblem extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const ordersQuery = z.object({
  customer_id: z
    .string()
    .regex(/^C-\d{4}$/)
    .optional(),
  status: z.enum(statuses).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});
const refundBody = z.object({
  order_id: z.string(),
  amount: z.string().regex(/^\d{1,7}\.\d{2}$/, 'amounts look like 24.99'),
  reason: z.string().max(200).nullish(),
});

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new HttpProblem(422, problems.join('; '));
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new HttpProblem(404, `The shop has no ${what}.`);
  return value;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 65_536) throw new HttpProblem(413, 'The body is larger than 64 KB.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpProblem(422, 'The body is not JSON.');
  }
}

/** Waits for the shelves to be counted; false when the caller hung up first. */
function counting(response: ServerResponse, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    response.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

interface Answer {
  status: number;
  body: unknown;
}

const countBody = z.object({
  warehouse: z.string(),
  on_hand: z.int('on_hand is a whole number').min(0).max(1_000_000),
});

function setOnHand({ store, now }: ApiOptions, sku: string, input: unknown): Answer {
  const { name } = found(store.product(sku), `product ${sku}`);
  const { warehouse, on_hand } = parse(countBody, input);
  const row = store.stock(sku).find((known) => known.warehouse === warehouse);
  found(row, `warehouse ${warehouse}`);
  const warehouses = store.setOnHand(sku, warehouse, on_hand, now().toISOString().slice(0, 10));
  return { status: 200, body: { sku, name, warehouses } };
}

/** Paying out is the one step after a release: a refund is paid once. */
function payRefund(store: ShopStore, id: string): Answer {
  const refund = found(store.refund(id), `refund ${id}`);
  const paid = store.markPaid(id);
  if (!paid) throw new HttpProblem(409, `Refund ${id} is ${refund.status}: only a requested refund is paid.`);
  return { status: 200, body: paid };
}

function createRefund({ store, now }: ApiOptions, input: unknown): Answer {
  const { order_id, amount, reason } = parse(refundBody, input);
  const order = found(store.order(order_id), `order ${order_id}`);
  if (order.status !== 'delivered' && order.status !== 'returned') {
    throw new HttpProblem(409, `Order ${order_id} is ${order.status}: only delivered or returned orders are refunded.`);
  }
  if (cents(amount) === 0) throw new HttpProblem(422, 'amount: a refund is more than 0.00');
  if (cents(amount) > cents(order.total)) {
    throw new HttpProblem(422, `amount: ${amount} is more than the order's total of ${order.total}`);
  }
  const status = cents(amount) > POLICY_LIMIT_CENTS ? 'needs_confirmation' : 'requested';
  const created_at = now().toISOString();
  return { status: 201, body: store.addRefund({ order_id, amount, reason: reason ?? null, status, created_at }) };
}

function moveRefund(store: ShopStore, id: string, verb: string): Answer {
  const refund = found(store.refund(id), `refund ${id}`);
  const moved = store.moveHeld(id, verb === 'confirm' ? 'requested' : 'cancelled');
  if (!moved) throw new HttpProblem(409, `Refund ${id} is ${refund.status}, not held: there is nothing to ${verb}.`);
  return { status: 200, body: moved };
}

async function recount({ store, now, recountMs }: ApiOptions, sku: string, response: ServerResponse): Promise<Answer> {
  found(store.product(sku), `product ${sku}`);
  if (!(await counting(response, recountMs))) throw new HttpProblem(499, 'The caller hung up.');
  const warehouses = store.recount(sku, now().toISOString().slice(0, 10));
  return { status: 200, body: { sku, units: warehouses.reduce((sum, row) => sum + row.on_hand, 0), warehouses } };
}

function read(store: ShopStore, url: URL, [collection, id]: readonly string[]): Answer | undefined {
  const ok = (body: unknown): Answer => ({ status: 200, body });
  const query = Object.fromEntries(url.searchParams);
  if (id === undefined) {
    if (collection === 'orders') {
      const { customer_id, status, limit } = parse(ordersQuery, query);
      return ok(store.orders({ ...(customer_id ? { customer_id } : {}), ...(status ? { status } : {}), limit }));
    }
    if (collection === 'products') {
      const { name } = parse(z.object({ name: z.string().max(200).optional() }), query);
      return ok(name === undefined ? { products: store.products() } : matchesOf(store, name));
    }
    if (collection === 'refunds')
      return ok({ refunds: store.refundsOf(parse(z.object({ order_id: z.string() }), query).order_id) });
    return undefined;
  }
  if (collection === 'tickets') return ok(found(store.ticket(id), `ticket ${id}`));
  if (collection === 'orders') return ok(found(store.order(id), `order ${id}`));
  if (collection === 'refunds') return ok(found(store.refund(id), `refund ${id}`));
  if (collection === 'products') return ok(found(store.product(id), `product ${id}`));
  if (collection === 'stock') {
    const { sku, name } = found(store.product(id), `product ${id}`);
    return ok({ sku, name, warehouses: store.stock(sku) });
  }
  return undefined;
}

/** `products` have every word of the name; without any, `near` ones share some. */
function matchesOf(store: ShopStore, name: string): { products: unknown[]; near: unknown[] } {
  const { exact, near } = matchProducts(store.products(), name);
  return { products: exact, near: exact.length === 0 ? near : [] };
}

async function route(options: ApiOptions, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
  const [collection = '', id = '', verb = ''] = parts;
  let answer: Answer | undefined;
  if (request.method === 'GET' && parts.length <= 2) answer = read(options.store, url, parts);
  if (request.method === 'POST') {
    if (collection === 'refunds' && parts.length === 1) answer = createRefund(options, await readBody(request));
    if (collection === 'refunds' && parts.length === 3 && (verb === 'confirm' || verb === 'cancel')) {
      answer = moveRefund(options.store, id, verb);
    }
    if (collection === 'refunds' && parts.length === 3 && verb === 'pay') answer = payRefund(options.store, id);
    if (collection === 'stock' && parts.length === 3 && verb === 'on-hand')
      answer = setOnHand(options, id, await readBody(request));
    if (collection === 'stock' && parts.length === 3 && verb === 'recount')
      answer = await recount(options, id, response);
  }
  if (!answer) throw new HttpProblem(404, `There is no ${request.method ?? ''} ${url.pathname}.`);
  return answer;
}

function sameKey(given: unknown, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(key));
}

/** The key alone opens nothing to a page in somebody's browser that was made to look here. */
function isForeign({ headers, socket }: IncomingMessage): boolean {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort ?? 0}`);
  if (!hosts.includes(headers.host ?? '')) return true;
  return headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`);
}

async function respond(options: ApiOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let answer: Answer;
  try {
    if (isForeign(request))
      throw new HttpProblem(403, 'The Host or Origin of this request is not one that is answered.');
    if (!sameKey(request.headers['x-api-key'], options.key))
      throw new HttpProblem(401, 'The X-API-Key header is missing or wrong.');
    answer = await route(options, request, response);
  } catch (error) {
    const known =
      error instanceof HttpProblem
        ? error
        : error instanceof URIError
          ? new HttpProblem(404, 'The address is not valid.')
          : undefined;
    if (!known) console.error(error);
    answer = { status: known?.status ?? 500, body: { error: known?.message ?? 'The shop could not answer.' } };
  }
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify(answer.body));
}

export function createApi(options: ApiOptions): Server {
  return createServer((request, response) => void respond(options, request, response));
}
