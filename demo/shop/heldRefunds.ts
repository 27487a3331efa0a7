/** A refund above the limit is held first; then a support lead is asked, and only a clear yes releases it. */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Quote, Quotes } from './quotes.ts';
import type { Seal } from './sealing.ts';
import type { Refund } from './shopApi.ts';
import { answer, ToolError, type Round, type Scope } from './tool.ts';

export interface RefundDeps {
  quotes: Quotes;
  seal: Seal;
  now: () => Date;
  quoteSeconds: number;
  stateSeconds: number;
}

export const POLICY_LIMIT = '150.00';
const QUESTION = 'confirm';
const sealed = z.object({
  id: z.string(),
  tool: z.literal('issue_refund'),
  quote_id: z.string(),
  refund_id: z.string(),
  caller: z.string(),
  expires_at: z.number(),
});
type State = z.infer<typeof sealed>;

export interface Release {
  /** The state a call brought back. Any that is not ours, unchanged, for this call and caller: -32602, one message for all. */
  read(quoteId: string, scope: Scope, token: string | undefined): State | undefined;
  ask(
    quote: Quote,
    refund: Refund,
    scope: Scope,
    round: Round,
    state: State | undefined,
  ): Promise<CallToolResult | InputRequiredResult>;
  alreadyAnswered(refund: Refund): ToolError;
}

export function issued(quote: Quote, refund: Refund, ...notes: string[]): CallToolResult {
  const { refund_id, amount, status } = refund;
  return answer({ refund_id, quote_id: quote.quote_id, order_id: quote.order_id, amount, status }, ...notes);
}

function refuseState(why: string): never {
  console.error(`issue_refund: a returned requestState was refused: ${why}`);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

function malformed(): never {
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The answer to "${QUESTION}" must be an elicitation result whose content has "release": true or false.`,
  );
}

/** What the lead said: undefined when nothing was said yet. */
function reply({ responses, dropped }: Round): 'release' | 'keep' | 'cancel' | undefined {
  if (dropped.includes(QUESTION)) malformed();
  if (responses?.[QUESTION] === undefined) return undefined;
  const view = inputResponse(responses, QUESTION);
  if (view.kind !== 'elicit') malformed();
  if (view.action === 'decline') return 'keep';
  if (view.action === 'cancel') return 'cancel';
  const content = z.object({ release: z.boolean() }).safeParse(view.content);
  if (!content.success) malformed();
  return content.data.release ? 'release' : 'keep';
}

export function createRelease({ quotes, seal, now, stateSeconds }: RefundDeps): Release {
  function question(quote: Quote, refund: Refund, caller: string): InputRequiredResult {
    const { refund_id, amount, order_id } = refund;
    const expires_at = now().getTime() + stateSeconds * 1_000;
    const id = randomBytes(16).toString('hex');
    const state: State = { id, tool: 'issue_refund', quote_id: quote.quote_id, refund_id, caller, expires_at };
    return inputRequired({
      inputRequests: {
        [QUESTION]: inputRequired.elicit({
          message: `Refund ${refund_id}: pay ${amount} back for order ${order_id}? It is above the limit of ${POLICY_LIMIT}, so it is held until a support lead releases it.`,
          requestedSchema: {
            type: 'object',
            properties: {
              release: {
                type: 'boolean',
                title: 'Release the refund',
                description: `Yes pays ${amount}; no leaves the refund held.`,
              },
            },
            required: ['release'],
          },
        }),
      },
      requestState: seal.close(state),
    });
  }

  function alreadyAnswered({ refund_id, status }: Refund): ToolError {
    const now = status === 'needs_confirmation' ? 'was already answered and is held now' : 'was already confirmed';
    return new ToolError(
      `Refund ${refund_id} ${now}. Do not send the same answer again; a new call of issue_refund without it shows how things stand.`,
    );
  }

  async function pay(quote: Quote, refund: Refund, { api }: Scope, state: State): Promise<CallToolResult> {
    let released: Refund | undefined;
    try {
      released = await api.confirm(refund.refund_id);
    } catch (error) {
      // Nobody knows whether the shop heard it; the shop confirms a refund only once, so the answer may be sent again.
      quotes.unuse(state.id);
      throw error;
    }
    return issued(quote, released ?? (await api.refund(refund.refund_id)) ?? refund);
  }

  return {
    alreadyAnswered,
    read: (quoteId, scope, token) => {
      if (token === undefined) return undefined;
      const opened = sealed.safeParse(seal.open(token));
      if (!opened.success) return refuseState('it was not sealed here or was changed');
      const state = opened.data;
      if (state.quote_id !== quoteId) return refuseState('it belongs to other arguments');
      if (state.caller !== scope.caller) return refuseState('it belongs to another caller');
      if (state.expires_at <= now().getTime()) return refuseState('it is too old');
      return state;
    },
    ask: async (quote, refund, scope, round, state) => {
      const said = state?.refund_id === refund.refund_id ? reply(round) : undefined;
      if (!state || said === undefined) return question(quote, refund, scope.caller);
      // Another server may have released it since this one looked.
      if (!quotes.use(state.id)) throw alreadyAnswered((await scope.api.refund(refund.refund_id)) ?? refund);
      if (said === 'release') return await pay(quote, refund, scope, state);
      const why =
        said === 'cancel' ? 'The question was closed without an answer' : 'The support lead did not release it';
      return issued(
        quote,
        refund,
        `${why}: refund ${refund.refund_id} stays held and nothing is paid. Do not promise the customer this refund.`,
      );
    },
  };
}
