/** Putting one figure right, and the supplier order that only the restock view may add to. */
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { answer, productSku, ToolError } from '../shop/tool.ts';
import { offerTool, type OfferedTool } from '../toolServer.ts';
import { stockUris } from './resources.ts';
import type { StockApiFor } from './stockApi.ts';

const warehouse = z.enum(['north', 'south'], 'must be one of north, south').describe('The warehouse: north or south.');

export function setOnHand(api: StockApiFor): OfferedTool {
  return offerTool({
    name: 'set_on_hand',
    title: 'Set units on hand',
    description:
      'Sets how many units of one product are on hand in one warehouse, as somebody counted them there. Use it when the true figure is known. When it must be found out first, use recount_stock instead.',
    input: z.object({
      sku: productSku.describe('The product, like KG-4410.'),
      warehouse,
      on_hand: z
        .int('must be a whole number')
        .min(0, 'must be at least 0')
        .max(1_000_000, 'must be at most 1000000')
        .describe('The units counted there.'),
    }),
    output: z.object({
      sku: z.string(),
      name: z.string(),
      warehouses: z.array(z.object({ warehouse: z.string(), on_hand: z.int(), last_counted: z.string() })),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async (args, { signal, changes }) => {
      const stock = await api(signal).setOnHand(args.sku, args.warehouse, args.on_hand);
      if ('refused' in stock) {
        throw new ToolError(`${stock.refused} Send the SKU of a product of the shop, like KG-4410.`);
      }
      for (const uri of stockUris(stock.sku)) changes.resourceUpdated(uri);
      return answer({ ...stock });
    },
  });
}

export function addToSupplierOrder(db: Database.Database, api: StockApiFor, now: () => Date): OfferedTool {
  const put = db.prepare(
    'INSERT INTO supplier_order (sku, quantity, added_at) VALUES (?, ?, ?) ON CONFLICT (sku) DO UPDATE SET quantity = excluded.quantity',
  );
  const lines = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM supplier_order');
  return offerTool({
    name: 'add_to_supplier_order',
    title: 'Add to the supplier order',
    description:
      'Puts a product with a quantity on the next supplier order; a product already on it gets the new quantity. It belongs to the table of restock_report, where a person presses the button. To find what runs low use restock_report instead.',
    input: z.object({
      sku: productSku.describe('The product, like KG-4410.'),
      quantity: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(10_000, 'must be at most 10000')
        .describe('The units to order.'),
    }),
    output: z.object({ sku: z.string(), name: z.string(), quantity: z.int(), lines: z.int() }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ['app'] } },
    run: async ({ sku, quantity }, { signal }) => {
      const stock = await api(signal).stock(sku);
      if (!stock) throw new ToolError(`The shop has no product ${sku}. Send a SKU of the restock report.`);
      put.run(sku, quantity, now().toISOString());
      return answer({ sku, name: stock.name, quantity, lines: lines.get()?.n ?? 0 });
    },
  });
}
