/** The warehouse's line to the shop's API: products and their stock, counted anew or set. */
import { z } from 'zod';
import { createLine } from '../apiLine.ts';

const warehouses = z.array(z.object({ warehouse: z.string(), on_hand: z.int(), last_counted: z.string() }));
const stock = z.object({ sku: z.string(), name: z.string(), warehouses });
type Stock = z.infer<typeof stock>;
const product = z.object({ sku: z.string(), name: z.string() });
export type Product = z.infer<typeof product>;

export interface StockApi {
  /** By SKU. */
  products(): Promise<Product[]>;
  stock(sku: string): Promise<Stock | undefined>;
  /** Counts the shelves: slow, and left off without harm. The units of the product in all. */
  recount(sku: string): Promise<number>;
  /** `refused`: the shop's own words why not. */
  setOnHand(sku: string, warehouse: string, onHand: number): Promise<Stock | { refused: string }>;
}

export type StockApiFor = (signal: AbortSignal) => StockApi;

export function createStockApi(url: string, key: string): StockApiFor {
  return (signal) => {
    const { ask, must, post } = createLine(url, key, signal);
    const path = (sku: string): string => `/stock/${encodeURIComponent(sku)}`;
    return {
      products: async () => (await must(z.object({ products: z.array(product) }), '/products')).products,
      stock: (sku) => ask(stock, path(sku)),
      recount: async (sku) => {
        const { body } = await post(`${path(sku)}/recount`, {}, 'when the caller leaves');
        return z.object({ units: z.int() }).parse(body).units;
      },
      setOnHand: async (sku, warehouse, on_hand) => {
        const { status, body } = await post(`${path(sku)}/on-hand`, { warehouse, on_hand });
        return status === 200 ? stock.parse(body) : { refused: z.object({ error: z.string() }).parse(body).error };
      },
    };
  };
}
