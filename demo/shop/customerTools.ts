/** The tools of a customer who signed in: the shop's look-ups without any argument that says whose records they are. */
import type { RefundDeps } from './heldRefunds.ts';
import { checkStock, findOrders, getOrderStatus } from './lookups.ts';
import { quoteRefund } from './refunds.ts';
import { defineTool, ToolError, type Tool } from './tool.ts';

const myOrders: Tool = defineTool({
  ...findOrders,
  title: 'Find your orders',
  description:
    'Lists the orders of the customer who signed in, newest first, with date, status, total and SKUs. Use it when the order ID is missing or unknown. When you have an order ID and the question is about that one order, use get_order_status instead.',
  input: findOrders.input.omit({ customer_id: true }),
  run: (args, scope, round, around) => {
    if (typeof scope.customer !== 'string') throw new ToolError('Nobody is signed in. Sign in and ask again instead.');
    return findOrders.run({ ...args, customer_id: scope.customer }, scope, round, around);
  },
});

export function customerTools(deps: RefundDeps): Tool[] {
  const quote: Tool = {
    ...quoteRefund(deps),
    description:
      'Works out what a refund of one of your orders, or of one product on it, would be; nothing is paid. Use it when the question is what would come back. When the question is only where the order is, use get_order_status instead.',
  };
  return [myOrders, getOrderStatus, quote, checkStock];
}
