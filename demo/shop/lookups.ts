/** The look-ups of the shop server: orders of a customer, one order, stock. */
import { z } from 'zod';
import { addDays } from '../calendar.ts';
import type { Named, Order, ShopApi } from './shopApi.ts';
import { answer, customerId, defineTool, lookUp, orderId, ToolError, visibleOrder, type Tool } from './tool.ts';

const statuses = ['placed', 'shipped', 'delivered', 'cancelled', 'returned'] as const;
const status = z.enum(statuses, `must be one of ${statuses.join(', ')}`);
const day = z.string().describe('YYYY-MM-DD');
/** The shipping policy: a parcel arrives at most this many days after it left. */
const DAYS_UNDER_WAY = 5;

export const findOrders: Tool = defineTool({
  name: 'find_orders',
  title: 'Find orders',
  description:
    "Lists one customer's orders, newest first, with date, status, total and SKUs. Use it when the customer asks which orders they made, or when the order ID is missing or unknown. When you have an order ID and the question is about that one order, use get_order_status instead.",
  input: z.object({
    customer_id: customerId.describe('The customer whose orders to list, like C-0912.'),
    status: status.optional().describe('Only orders with this status.'),
    placed_since: z.iso
      .date('must be a date like 2031-02-28')
      .optional()
      .describe('Only orders placed on this day or later, like 2031-02-28.'),
    limit: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(50, 'must be at most 50')
      .default(10)
      .describe('How many orders at most.'),
  }),
  output: z.object({
    customer_id: z.string(),
    orders: z.array(
      z.object({ order_id: z.string(), placed_on: day, status, total: z.string(), skus: z.array(z.string()) }),
    ),
  }),
  annotations: lookUp,
  run: async ({ customer_id, status: wanted, placed_since, limit }, { api, customer }) => {
    const known = customer === undefined || customer === customer_id;
    const all = known ? await api.ordersOf(customer_id, wanted) : [];
    const orders = all.filter((order) => placed_since === undefined || order.placed_on >= placed_since).slice(0, limit);
    return answer({ customer_id, orders: orders.map(summary) });
  },
});

function summary({ order_id, placed_on, status: now, total, lines }: Order): Record<string, unknown> {
  return { order_id, placed_on, status: now, total, skus: lines.map((line) => line.sku) };
}

export const getOrderStatus: Tool = defineTool({
  name: 'get_order_status',
  title: 'Get order status',
  description:
    'Looks up one order by its ID: status, dates, lines and total, and for a parcel under way the day it should arrive. Use it when the customer asks where an order is, when it arrives or whether it was sent. For what a refund would be use quote_refund instead, and without an order ID find_orders.',
  input: z.object({ order_id: orderId.describe('The order, like O-9305.') }),
  output: z.object({
    order_id: z.string(),
    customer_id: z.string(),
    status,
    placed_on: day,
    shipped_on: day.nullable(),
    delivered_on: day.nullable(),
    returned_on: day.nullable(),
    expected_by: day
      .nullable()
      .describe('For a shipped order: the day it should arrive at the latest, by the shipping policy.'),
    total: z.string().describe('Euros, shipping included.'),
    lines: z.array(z.object({ sku: z.string(), name: z.string(), quantity: z.int(), unit_price: z.string() })),
  }),
  annotations: lookUp,
  run: async ({ order_id }, scope) => {
    const order = await visibleOrder(scope, order_id);
    const { customer_id, status: now, placed_on, shipped_on, delivered_on, returned_on, total, lines } = order;
    const expected_by = now === 'shipped' && shipped_on !== null ? addDays(shipped_on, DAYS_UNDER_WAY) : null;
    return answer({
      order_id,
      customer_id,
      status: now,
      placed_on,
      shipped_on,
      delivered_on,
      returned_on,
      expected_by,
      total,
      lines,
    });
  },
});

export const checkStock: Tool = defineTool({
  name: 'check_stock',
  title: 'Check stock',
  description:
    'Says how many of one product are available, and in which warehouse. Use it when the customer asks whether something can be bought now or in what number. Send the SKU or, without one, the product\'s name as the customer wrote it, like "garden lantern". For things already ordered use get_order_status instead.',
  input: z.object({
    sku: z
      .string('must be a SKU or the name of a product')
      .min(1, 'must be a SKU or the name of a product')
      .max(60, 'must be at most 60 characters')
      .describe('A SKU like KG-4410, or the name of the product in the customer\'s words, like "garden lantern".'),
  }),
  output: z.object({
    sku: z.string(),
    name: z.string(),
    available: z.int().min(0),
    warehouses: z.array(
      z.object({ warehouse: z.string(), on_hand: z.int().describe('Negative: a recount is due.'), last_counted: day }),
    ),
  }),
  annotations: lookUp,
  run: async ({ sku: asked }, { api }) => {
    const sku = await whichProduct(api, asked);
    const stock = await api.stock(sku);
    if (!stock)
      throw new ToolError(
        `The shop has no product ${sku}. Send the name of the product as the customer wrote it, or ask the customer which one they mean.`,
      );
    const total = stock.warehouses.reduce((sum, row) => sum + row.on_hand, 0);
    return answer({ sku, name: stock.name, available: Math.max(0, total), warehouses: stock.warehouses });
  },
});

async function whichProduct(api: ShopApi, asked: string): Promise<string> {
  const sku = /^\s*KG[-\s]?(\d{4})\s*$/i.exec(asked)?.[1];
  if (sku !== undefined) return `KG-${sku}`;
  const { exact, near } = await api.productsNamed(asked);
  const [only] = exact;
  if (only && exact.length === 1) return only.sku;
  const list = (products: readonly Named[]): string =>
    products
      .slice(0, 8)
      .map((product) => `${product.sku} ${product.name}`)
      .join('; ');
  const name = JSON.stringify(asked);
  if (exact.length > 1)
    throw new ToolError(
      `${name} may be any of several products: ${list(exact)}. Send one of these SKUs, or ask the customer which one they mean.`,
    );
  if (near.length > 0)
    throw new ToolError(
      `No product is called ${name}. The nearest are: ${list(near)}. Send one of these SKUs if it is the right one, or ask the customer.`,
    );
  throw new ToolError(
    `No product is called ${name}. Send other words for it or a SKU like KG-4410, or ask the customer what they mean.`,
  );
}
