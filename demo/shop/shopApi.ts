/** The shop server's own line to the system of record: its own key, never the caller's; what is missing is undefined. */
import { z } from 'zod';
import { createLine, type ApiLine } from '../apiLine.ts';

const order = z.object({
  order_id: z.string(),
  customer_id: z.string(),
  status: z.enum(['placed', 'shipped', 'delivered', 'cancelled', 'returned']),
  placed_on: z.string(),
  shipped_on: z.string().nullable(),
  delivered_on: z.string().nullable(),
  returned_on: z.string().nullable(),
  lines: z.array(z.object({ sku: z.string(), name: z.string(), quantity: z.int(), unit_price: z.string() })),
  shipping: z.string(),
  total: z.string(),
});
export type Order = z.infer<typeof order>;

const refund = z.object({
  refund_id: z.string(),
  order_id: z.string(),
  amount: z.string(),
  reason: z.string().nullable(),
  status: z.string(),
});
export type Refund = z.infer<typeof refund>;

const stock = z.object({
  sku: z.string(),
  name: z.string(),
  warehouses: z.array(z.object({ warehouse: z.string(), on_hand: z.int(), last_counted: z.string() })),
});
type Stock = z.infer<typeof stock>;

const named = z.object({ sku: z.string(), name: z.string() });
export type Named = z.infer<typeof named>;

export interface ShopApi {
  customerOfTicket(id: string): Promise<string | undefined>;
  /** All orders of a customer, newest first; the shop gives at most 100. */
  ordersOf(customerId: string, status?: string): Promise<Order[]>;
  /** The newest at most 100, of one customer or of all, and how many there are. */
  newestOrders(customerId: string | undefined): Promise<{ orders: Order[]; total: number }>;
  products(): Promise<Named[]>;
  order(id: string): Promise<Order | undefined>;
  stock(sku: string): Promise<Stock | undefined>;
  /** Products with every word of the name, or else those that share some. */
  productsNamed(name: string): Promise<{ exact: Named[]; near: Named[] }>;
  refund(id: string): Promise<Refund | undefined>;
  refundsOf(orderId: string): Promise<Refund[]>;
  /** `refused`: the shop's own words why not. */
  createRefund(body: {
    order_id: string;
    amount: string;
    reason: string | null;
  }): Promise<Refund | { refused: string }>;
  /** Undefined when the refund is not held any more. */
  confirm(refundId: string): Promise<Refund | undefined>;
}

/** The line for one call: its reads end with the signal; what moves money is never given up half-way. */
export type ShopApiFor = (signal: AbortSignal) => ShopApi;

export function createShopApi(url: string, key: string): ShopApiFor {
  return (signal) => shopApi(createLine(url, key, signal));
}

function shopApi({ ask, must, post }: ApiLine): ShopApi {
  const part = encodeURIComponent;
  return {
    customerOfTicket: async (id) =>
      (await ask(z.object({ customer_id: z.string() }), `/tickets/${part(id)}`))?.customer_id,
    ordersOf: async (customerId, status) => {
      const query = new URLSearchParams({ customer_id: customerId, limit: '100', ...(status ? { status } : {}) });
      return (await must(z.object({ orders: z.array(order) }), `/orders?${query.toString()}`)).orders;
    },
    newestOrders: async (customerId) => {
      const query = new URLSearchParams({ limit: '100', ...(customerId ? { customer_id: customerId } : {}) });
      return await must(z.object({ orders: z.array(order), total: z.int() }), `/orders?${query.toString()}`);
    },
    products: async () => (await must(z.object({ products: z.array(named) }), '/products')).products,
    order: (id) => ask(order, `/orders/${part(id)}`),
    stock: (sku) => ask(stock, `/stock/${part(sku)}`),
    productsNamed: async (name) => {
      const query = new URLSearchParams({ name });
      const found = await must(
        z.object({ products: z.array(named), near: z.array(named) }),
        `/products?${query.toString()}`,
      );
      return { exact: found.products, near: found.near };
    },
    refund: (id) => ask(refund, `/refunds/${part(id)}`),
    refundsOf: async (orderId) => {
      const query = new URLSearchParams({ order_id: orderId });
      return (await must(z.object({ refunds: z.array(refund) }), `/refunds?${query.toString()}`)).refunds;
    },
    createRefund: async (body) => {
      const answer = await post('/refunds', body);
      if (answer.status === 409 || answer.status === 422) {
        return { refused: z.object({ error: z.string() }).parse(answer.body).error };
      }
      return refund.parse(answer.body);
    },
    confirm: async (refundId) => {
      const answer = await post(`/refunds/${part(refundId)}/confirm`, {});
      return answer.status === 409 ? undefined : refund.parse(answer.body);
    },
  };
}
