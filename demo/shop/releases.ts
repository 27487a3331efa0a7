/**
 * How the shop retires a tool, in three releases after the present one: the new tool beside the old, marked deprecated; the
 * old answering only with the name of the new; the old gone. What is new stands last, so that no list changes its order.
 */
import { z } from 'zod';
import { findOrders } from './lookups.ts';
import { answer, defineTool, productSku, ToolError, type Tool } from './tool.ts';

export const shopReleases = ['current', 'deprecated', 'retired', 'gone'] as const;
export type ShopRelease = (typeof shopReleases)[number];

const versions: Readonly<Record<ShopRelease, string>> = {
  current: '1.0.0',
  deprecated: '1.1.0',
  retired: '1.2.0',
  gone: '2.0.0',
};

const found = z.object({
  structuredContent: z.object({ orders: z.array(z.looseObject({ skus: z.array(z.string()) })) }),
});

/** Finds as the old one does, and by product too. */
const findOrdersV2: Tool = defineTool({
  ...findOrders,
  name: 'find_orders_v2',
  title: 'Find orders',
  description:
    "Lists one customer's orders, newest first, with date, status, total and SKUs, if wanted only those with one product. Use it when the customer asks which orders they made, or when the order ID is missing or unknown. When you have an order ID and the question is about that one order, use get_order_status instead.",
  input: findOrders.input.extend({
    sku: productSku.optional().describe('Only orders with this product, like KG-4410.'),
  }),
  run: async ({ sku, limit, ...args }, scope, round, around) => {
    // All the shop gives, so that the filter comes before the limit; the arguments were parsed by the same rules.
    const all = found.safeParse(
      await findOrders.run({ ...args, limit: sku === undefined ? limit : 50 }, scope, round, around),
    );
    const orders = all.success ? all.data.structuredContent.orders : [];
    const wanted = orders.filter((order) => typeof sku !== 'string' || order.skus.includes(sku));
    return answer({ customer_id: args.customer_id, orders: wanted.slice(0, Number(limit)) });
  },
});

function old(word: string): Tool {
  return { ...findOrders, description: `${word}: use find_orders_v2 instead. ${findOrders.description}` };
}

const retired: Tool = {
  ...old('Retired'),
  run: () => {
    throw new ToolError('find_orders is retired. Call find_orders_v2 with the same arguments.');
  },
};

/** The tools and version of a release, from those of the present one. */
export function releaseOf(release: ShopRelease, current: readonly Tool[]): { version: string; tools: Tool[] } {
  const version = versions[release];
  if (release === 'current') return { version, tools: [...current] };
  const others = current.filter((tool) => tool !== findOrders);
  const before = release === 'deprecated' ? [old('Deprecated')] : release === 'retired' ? [retired] : [];
  return { version, tools: [...before, ...others, findOrdersV2] };
}
