/** The prompt a person picks to have a refund looked at against the policy before anything is asked of the shop. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type ListPromptsResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { cents } from './money.ts';
import type { Policies } from './policies.ts';
import { orderId, ToolError, visibleOrder, type Scope } from './tool.ts';

export const prompts: ListPromptsResult = {
  prompts: [
    {
      name: 'review_refund',
      title: 'Review a refund',
      description: 'Weighs a refund of one order against the refund policy. Nothing is paid.',
      arguments: [
        { name: 'order_id', description: 'The order, like O-9305.', required: true },
        { name: 'amount', description: 'Euros, like 24.99.', required: true },
      ],
    },
  ],
};

const input = z.object({
  order_id: orderId,
  amount: z
    .string('must be an amount')
    .regex(/^[0-9]{1,6}\.[0-9]{2}$/, 'must be an amount like 24.99')
    .refine((amount) => cents(amount) > 0, 'must be more than 0.00'),
});

function invalid(text: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

export async function getPrompt(
  name: string,
  args: Record<string, string> | undefined,
  scope: Scope,
  policies: Policies,
): Promise<GetPromptResult> {
  if (name !== 'review_refund') invalid(`There is no prompt ${name}.`);
  const parsed = input.safeParse(args ?? {});
  if (!parsed.success) {
    const rules = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    return invalid(`These arguments of review_refund are wrong. ${rules.join('. ')}.`);
  }
  const { order_id, amount } = parsed.data;
  try {
    await visibleOrder(scope, order_id);
  } catch (error) {
    if (error instanceof ToolError) invalid(`The shop has no order ${order_id}.`);
    throw error;
  }
  const { contents } = await policies.read('shop://policies/refund');
  const [policy] = contents;
  if (!policy) throw new Error('the refund policy has no text');
  return {
    description: `Refund of ${amount} for order ${order_id}`,
    messages: [
      { role: 'user', content: { type: 'resource', resource: policy } },
      {
        role: 'user',
        content: {
          type: 'text',
          text: `A customer asks for ${amount} euros back for order ${order_id}. Look the order up and say, rule by rule of the policy above, whether this refund is due and who may release it. Do not issue a refund.`,
        },
      },
    ],
  };
}
