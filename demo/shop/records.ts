/** Orders and stock as resources: two templates, each record read from the shop when it is asked for, and completed IDs. */
import {
  ResourceNotFoundError,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { Scope } from './tool.ts';

const ORDER_TEMPLATE = 'shop://orders/{order_id}';
const STOCK_TEMPLATE = 'shop://stock/{sku}';
// The whole of what is taken for a record: anything encoded, longer or climbing is no URI of ours and asks the shop nothing.
const ORDER = /^shop:\/\/orders\/(O-[0-9]{4})$/;
const STOCK = /^shop:\/\/stock\/(KG-[0-9]{4})$/;
const mimeType = 'application/json';
const PRIVATE = { ttlMs: 0, cacheScope: 'private' } as const;
const MOST = 100;

export const orderUri = (id: string): string => `shop://orders/${id}`;

export const templates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: ORDER_TEMPLATE,
      name: 'order',
      title: 'Order',
      description: 'One order with its lines, dates, total and refunds.',
      mimeType,
      annotations: { audience: ['assistant'], priority: 0.5 },
    },
    {
      uriTemplate: STOCK_TEMPLATE,
      name: 'stock',
      title: 'Stock of a product',
      description: 'How many of a product there are, by warehouse.',
      mimeType,
      annotations: { audience: ['assistant'], priority: 0.5 },
    },
  ],
};

/** The record, if the caller may read it; everything else, whatever is wrong with it, is answered in the same words. */
export async function readRecord(uri: string, { api, customer }: Scope): Promise<ReadResourceResult> {
  const orderId = ORDER.exec(uri)?.[1];
  const sku = STOCK.exec(uri)?.[1];
  let record: Record<string, unknown> | undefined;
  if (orderId !== undefined) {
    const order = await api.order(orderId);
    const visible = order && (customer === undefined || order.customer_id === customer);
    if (visible) record = { ...order, refunds: await api.refundsOf(orderId) };
  } else if (sku !== undefined) record = await api.stock(sku);
  if (!record) throw new ResourceNotFoundError(uri, 'The shop has no such resource.');
  return { contents: [{ uri, mimeType, text: JSON.stringify(record) }], ...PRIVATE };
}

type Completed = { values: string[]; total?: number; hasMore: boolean };

const nothing: Completed = { values: [], total: 0, hasMore: false };

/** IDs that begin as written, whatever the case; newest first, and only the caller's. */
async function orderIds(begin: string, { api, customer }: Scope): Promise<Completed> {
  if (customer === null) return nothing;
  const { orders, total } = await api.newestOrders(customer);
  const values = orders.map((order) => order.order_id).filter((id) => startsAs(id, begin));
  // The shop gives at most 100: what begins so among the rest is not counted.
  return orders.length === total ? { values, total: values.length, hasMore: false } : { values, hasMore: true };
}

async function skus(begin: string, { api }: Scope): Promise<Completed> {
  const values = (await api.products()).map(({ sku }) => sku).filter((sku) => startsAs(sku, begin));
  return { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST };
}

const startsAs = (id: string, begin: string): boolean => id.toLowerCase().startsWith(begin.toLowerCase());

/** The values an argument of a template or a prompt can take; none for any other argument. */
export async function complete(argument: { name: string; value: string }, scope: Scope): Promise<Completed> {
  if (argument.name === 'order_id') return await orderIds(argument.value, scope);
  if (argument.name === 'sku') return await skus(argument.value, scope);
  return nothing;
}

/** The arguments of each thing that can be completed. */
const completed: Readonly<Record<string, readonly string[]>> = {
  [ORDER_TEMPLATE]: ['order_id'],
  [STOCK_TEMPLATE]: ['sku'],
  review_refund: ['order_id', 'amount'],
};

/** Whether it is an argument of a template or a prompt of the shop. */
export function mayComplete(ref: { uri: string } | { name: string }, argument: string): boolean {
  return completed['uri' in ref ? ref.uri : ref.name]?.includes(argument) ?? false;
}
