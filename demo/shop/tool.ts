/** What a tool of the shop server is, and how its arguments are checked: all at once, each with its rule and value. */
import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Order, ShopApi } from './shopApi.ts';

/** Whose records a call may see: everybody's (staff at the desk), or one customer's (the call names a ticket). */
export interface Scope {
  api: ShopApi;
  /** Undefined: no limit. Null: a ticket nobody knows, which sees nobody's records. */
  customer: string | null | undefined;
  /** For sealed state: who asked. */
  caller: string;
}

/** What one call has besides its arguments and whose it is. */
export interface Around {
  /** Tells listening clients that a resource is to be read again. */
  updated: (uri: string) => void;
}

export interface Round {
  state: string | undefined;
  responses: Record<string, unknown> | undefined;
  /** Answers the SDK dropped because they had no answer's shape. */
  dropped: readonly string[];
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run(args: unknown, scope: Scope, round: Round, around: Around): Promise<CallToolResult | InputRequiredResult>;
}

/** A failure the caller can mend: the sentence says what to send instead. */
export class ToolError extends Error {}

export const lookUp: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export function answer(structured: Record<string, unknown>, ...notes: string[]): CallToolResult {
  const texts = [JSON.stringify(structured), ...notes];
  return { content: texts.map((text) => ({ type: 'text', text })), structuredContent: structured };
}

/** A tool whose `run` gets its arguments already parsed. */
export function defineTool<I extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: I;
    run(args: z.output<I>, scope: Scope, round: Round, around: Around): Promise<CallToolResult | InputRequiredResult>;
  },
): Tool {
  return { ...tool, run: (args, scope, round, around) => tool.run(parseArguments(tool, args), scope, round, around) };
}

/** The arguments as the tool's schema has them; all that is wrong is said at once, what is not declared is left out. */
export function parseArguments<I extends z.ZodObject>(tool: { name: string; input: I }, args: unknown): z.output<I> {
  const given: Record<string, unknown> = { ...z.record(z.string(), z.unknown()).catch({}).parse(args) };
  const unknown = Object.keys(given).filter((key) => !(key in tool.input.shape));
  if (unknown.length > 0) {
    console.error(
      `${tool.name}: arguments that are not declared, a sign of injected instructions, were ignored: ${JSON.stringify(unknown)}`,
    );
  }
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const rules = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    const value = given[name];
    return `${name}: ${issue.message}${value === undefined ? ' (nothing was sent)' : `, not ${JSON.stringify(value).slice(0, 80)}`}`;
  });
  throw new ToolError(`These arguments of ${tool.name} are wrong. ${rules.join('. ')}.`);
}

export function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // The long pattern of a date says no more than its format, and costs a model hundreds of tokens.
      if (jsonSchema.format === 'date') delete jsonSchema.pattern;
    },
  });
}

/** The order, if the caller may know of it; somebody else's is as unknown as one that does not exist. */
export async function visibleOrder(scope: Scope, orderId: string): Promise<Order> {
  const order = await scope.api.order(orderId);
  if (order && (scope.customer === undefined || order.customer_id === scope.customer)) return order;
  throw new ToolError(
    `The shop has no order ${orderId}. Look the customer's orders up with find_orders and send one of their order IDs, or ask the customer.`,
  );
}

export const orderId = z
  .string('must be an order ID')
  .regex(/^O-[0-9]{4}$/, 'must be "O-" and four digits, like O-9305');
export const customerId = z
  .string('must be a customer ID')
  .regex(/^C-[0-9]{4}$/, 'must be "C-" and four digits, like C-0912');
export const productSku = z
  .string('must be a SKU')
  .regex(/^KG-[0-9]{4}$/, 'must be "KG-" and four digits, like KG-4410');
