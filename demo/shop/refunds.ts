/** What a refund would be, and making it: a quote fixes the amount, one quote makes at most one refund. */
import { z } from 'zod';
import { createRelease, issued, POLICY_LIMIT, type RefundDeps } from './heldRefunds.ts';
import { cents, money } from './money.ts';
import type { Quote } from './quotes.ts';
import { orderUri } from './records.ts';
import type { Order, Refund } from './shopApi.ts';
import {
  answer,
  defineTool,
  lookUp,
  orderId,
  productSku,
  ToolError,
  visibleOrder,
  type Scope,
  type Tool,
} from './tool.ts';

const reasons = ['damaged in transit', 'wrong item sent', 'missing part', 'arrived late', 'changed mind'] as const;
/** How long another server may take to make a refund before its claim counts as lost. */
const CLAIM_MS = 45_000;

/** The money for one product, or for everything; shipping goes back with the whole order unless minds were changed. */
function amountOf(order: Order, sku: string | undefined, reason: string | undefined): string {
  const lines = order.lines.filter((line) => sku === undefined || line.sku === sku);
  if (lines.length === 0) {
    const own = order.lines.map((line) => `${line.sku} ${line.name}`).join('; ');
    throw new ToolError(
      `Order ${order.order_id} has no ${sku ?? ''}. Its products are: ${own}. Send one of these SKUs, or none for the whole order.`,
    );
  }
  const goods = lines.reduce((sum, line) => sum + line.quantity * cents(line.unit_price), 0);
  const shipping = lines.length === order.lines.length && reason !== 'changed mind' ? cents(order.shipping) : 0;
  return money(goods + shipping);
}

function others(refunds: readonly Refund[]): string[] {
  const live = refunds.filter((refund) => refund.status !== 'cancelled');
  return live.map(
    (refund) =>
      `Order ${refund.order_id} already has refund ${refund.refund_id} of ${refund.amount} (${refund.status}).`,
  );
}

export function quoteRefund({ quotes, now, quoteSeconds }: RefundDeps): Tool {
  return defineTool({
    name: 'quote_refund',
    title: 'Quote a refund',
    description:
      "Works out what a refund of an order, or of one product on it, would be; nothing is paid. Use it when the customer asks what they would get back, and always before issue_refund, which needs the quote's ID. When the customer only wants to know where the order is, use get_order_status instead.",
    input: z.object({
      order_id: orderId.describe('The order, like O-9305.'),
      sku: productSku.optional().describe('The one product to refund, like KG-4410; leave it out for the whole order.'),
      reason: z
        .enum(reasons, `must be one of ${reasons.join(', ')}`)
        .optional()
        .describe('Only if the customer gave one of these; without a reason the refund counts as a fault of the shop.'),
    }),
    output: z.object({
      quote_id: z.string(),
      order_id: z.string(),
      sku: z.string().nullable(),
      amount: z.string().describe('Euros.'),
      policy_limit: z.string(),
      within_limit: z.boolean().describe('False: a support lead must release the refund.'),
      expires_in_seconds: z.int(),
    }),
    annotations: lookUp,
    run: async ({ order_id, sku, reason }, scope) => {
      const order = await visibleOrder(scope, order_id);
      if (order.status !== 'delivered' && order.status !== 'returned') {
        throw new ToolError(
          `Order ${order_id} is ${order.status}: only delivered or returned orders are refunded. Tell the customer its status instead.`,
        );
      }
      const amount = amountOf(order, sku, reason);
      const quote_id = quotes.add({
        order_id,
        customer_id: order.customer_id,
        sku: sku ?? null,
        reason: reason ?? null,
        amount,
        expires_at: now().getTime() + quoteSeconds * 1_000,
      });
      const quoted = { quote_id, order_id, sku: sku ?? null, amount, policy_limit: POLICY_LIMIT };
      const within_limit = cents(amount) <= cents(POLICY_LIMIT);
      return answer(
        { ...quoted, within_limit, expires_in_seconds: quoteSeconds },
        ...others(await scope.api.refundsOf(order_id)),
      );
    },
  });
}

export function issueRefund(deps: RefundDeps): Tool {
  const { quotes } = deps;
  const release = createRelease(deps);
  /** Calls for one quote take turns, so the second finds what the first made. */
  const turns = new Map<string, Promise<unknown>>();
  async function inTurn<T>(quoteId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(quoteId) ?? Promise.resolve();
    const mine = before.then(work, work);
    turns.set(quoteId, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(quoteId) === mine) turns.delete(quoteId);
    }
  }

  return defineTool({
    name: 'issue_refund',
    title: 'Issue a refund',
    description:
      'Makes the refund of a quote, for exactly the amount of the quote. Use it only when the customer asked for the money back and quote_refund gave a quote; when they only ask what it would be, use quote_refund instead. Above the policy limit a support lead is asked first. Calling it again with the same quote gives the same refund.',
    input: z.object({
      quote_id: z
        .string('must be the ID of a quote')
        .regex(/^Q-[0-9a-f]{32}$/, 'must be the quote_id of a quote_refund result')
        .describe('The quote_id of a quote_refund result.'),
    }),
    output: z.object({
      refund_id: z.string(),
      quote_id: z.string(),
      order_id: z.string(),
      amount: z.string(),
      status: z
        .string()
        .describe('"requested": on its way to the customer. "needs_confirmation": held, nothing is paid.'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ quote_id }, scope, round, { updated }) =>
      inTurn(quote_id, async () => {
        // A returned state is judged before anything else: a changed one must not get as far as a refund.
        const state = release.read(quote_id, scope, round.state);
        const quote = findQuote(deps, quote_id, scope);
        const refund = await refundOf(deps, quote, scope);
        if (quote.refund_id === null) updated(orderUri(quote.order_id));
        if (refund.status !== 'needs_confirmation') {
          if (state && quotes.isUsed(state.id)) throw release.alreadyAnswered(refund);
          return issued(quote, refund);
        }
        const answered = await release.ask(quote, refund, scope, round, state);
        if ('structuredContent' in answered) updated(orderUri(quote.order_id));
        return answered;
      }),
  });
}

function findQuote({ quotes, now }: RefundDeps, quoteId: string, { customer }: Scope): Quote {
  const quote = quotes.find(quoteId);
  if (!quote || (customer !== undefined && quote.customer_id !== customer)) {
    throw new ToolError(`There is no quote ${quoteId}. Make one with quote_refund and send its quote_id.`);
  }
  // A refund already made, held ones too, is finished however old its quote is.
  const begun = quote.refund_id !== null || quote.claimed_at !== null;
  if (!begun && quote.expires_at <= now().getTime()) {
    throw new ToolError(
      `Quote ${quoteId} is no longer valid. Make a new one with quote_refund for order ${quote.order_id} and send its quote_id.`,
    );
  }
  return quote;
}

/** The one refund of a quote: found, or made by whoever claims the quote first. */
async function refundOf(deps: RefundDeps, quote: Quote, scope: Scope): Promise<Refund> {
  const { quotes } = deps;
  const { api } = scope;
  const { quote_id, order_id } = quote;
  if (quote.refund_id !== null) {
    const refund = await api.refund(quote.refund_id);
    if (!refund) throw new Error(`refund ${quote.refund_id} of quote ${quote_id} is gone`);
    return refund;
  }
  const existing = await api.refundsOf(order_id);
  const begun = quote.claimed_at;
  const fresh = begun !== null && Date.now() - begun < CLAIM_MS;
  if (
    fresh ||
    !quotes.claim(
      quote_id,
      Date.now(),
      existing.map((refund) => refund.refund_id),
      begun,
    )
  ) {
    throw new ToolError(
      `The refund of quote ${quote_id} is being made right now. Call issue_refund again with the same quote_id in a minute.`,
    );
  }
  // A claim that went nowhere may have made its refund before the process died: take that one, never a second.
  const before = z.array(z.string()).parse(JSON.parse(quotes.find(quote_id)?.refunds_before ?? '[]'));
  const lost = existing.find(
    (refund) =>
      refund.amount === quote.amount && !before.includes(refund.refund_id) && !quotes.isTaken(refund.refund_id),
  );
  const refund = begun !== null && lost ? lost : await create(deps, quote, scope);
  quotes.made(quote_id, refund.refund_id);
  return refund;
}

async function create({ quotes }: RefundDeps, quote: Quote, { api }: Scope): Promise<Refund> {
  const { order_id, amount, reason, quote_id } = quote;
  const created = await api.createRefund({ order_id, amount, reason });
  if ('refused' in created) {
    quotes.release(quote_id);
    throw new ToolError(
      `The shop did not make the refund: ${created.refused} Look the order up with get_order_status and make a new quote.`,
    );
  }
  return created;
}
