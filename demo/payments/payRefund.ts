/**
 * Paying out a requested refund. The provider pays only under a person's own account, connected on its own page: the
 * person is sent there by URL, and what counts is what the provider reports, never that somebody said they went there.
 */
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
import type { Asking } from '../sealedQuestions.ts';
import { answer, ToolError, type Round } from '../shop/tool.ts';
import { offerTool, type OfferedTool } from '../toolServer.ts';
import type { Provider } from './provider.ts';
import type { PayingApiFor, PayableRefund } from './payingApi.ts';

const QUESTION = 'connect';

const sealed = z.object({
  tool: z.literal('pay_refund'),
  refund_id: z.string(),
  flow: z.string(),
  caller: z.string(),
  expires_at: z.number(),
});
type State = z.infer<typeof sealed>;

export interface PayDeps {
  asking: Asking;
  api: PayingApiFor;
  provider: Provider;
  /** What stands before the flow in the address a person is sent to. */
  page: string;
  /** Who the process works for, where no call names anybody. */
  person: string | undefined;
}

function refuseState(why: string): never {
  console.error(`pay_refund: a returned requestState was refused: ${why}`);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

/** What was said to the question: undefined when nothing was said yet. */
function said({ responses, dropped }: Round): 'accept' | 'decline' | 'cancel' | undefined {
  const malformed = (): never => {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The answer to "${QUESTION}" must be an elicitation result: an action, and no content.`,
    );
  };
  if (dropped.includes(QUESTION)) return malformed();
  if (responses?.[QUESTION] === undefined) return undefined;
  const view = inputResponse(responses, QUESTION);
  return view.kind === 'elicit' ? view.action : malformed();
}

function paid({ refund_id, order_id, amount, status }: PayableRefund, ...notes: string[]): CallToolResult {
  return answer({ refund_id, order_id, amount, status }, ...notes);
}

export function payRefund(deps: PayDeps): OfferedTool {
  const { asking, provider } = deps;

  function read(refundId: string, caller: string, token: string | undefined): State | undefined {
    if (token === undefined) return undefined;
    const opened = sealed.safeParse(asking.seal.open(token));
    if (!opened.success) return refuseState('it was not sealed here or was changed');
    const state = opened.data;
    if (state.refund_id !== refundId) return refuseState('it belongs to other arguments');
    if (state.caller !== caller)
      throw new ToolError(
        `The page that refund ${refundId} waits for is another person's, so nothing was paid. Only who was asked can finish it: let them go on, or call pay_refund anew for a page of your own.`,
      );
    if (state.expires_at <= asking.now().getTime()) return refuseState('it is too old');
    return state;
  }

  function ask(state: State, message: string): InputRequiredResult {
    return inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url: deps.page + state.flow }) },
      requestState: asking.seal.close(state),
    });
  }

  /** A flow is a random number: nothing about the person or the refund stands in its address. */
  async function begin(refund: PayableRefund, caller: string, why = ''): Promise<InputRequiredResult> {
    const flow = randomBytes(16).toString('base64url');
    await provider.open(flow);
    const expires_at = asking.now().getTime() + asking.stateSeconds * 1_000;
    const state: State = { tool: 'pay_refund', refund_id: refund.refund_id, flow, caller, expires_at };
    return ask(
      state,
      `${why}Connect your account on the payment provider's page, so that refund ${refund.refund_id} of ${refund.amount} can be paid.`,
    );
  }

  async function settle(refund: PayableRefund, state: State, round: Round, signal: AbortSignal) {
    const { refund_id } = refund;
    const by = await provider.finishedBy(state.flow);
    if (by !== undefined) {
      // An unnamed caller is anybody of the staff; a named one must have gone there in person.
      if (state.caller !== 'staff' && by !== state.caller)
        return await begin(refund, state.caller, 'Somebody else finished the last page, so nothing was paid. ');
      const now = await deps.api(signal).pay(refund_id);
      return paid(now ?? (await deps.api(signal).refund(refund_id)) ?? refund);
    }
    const word = said(round);
    if (word === 'decline' || word === 'cancel') {
      const why = word === 'decline' ? 'No account was connected' : 'The page was not visited';
      return paid(refund, `${why}: refund ${refund_id} stays requested and is not paid yet.`);
    }
    const message =
      word === 'accept'
        ? `The provider does not report the page as finished yet. Finish it there, then refund ${refund_id} can be paid.`
        : `Connect your account on the payment provider's page, so that refund ${refund_id} of ${refund.amount} can be paid.`;
    return ask(state, message);
  }

  return offerTool({
    name: 'pay_refund',
    title: 'Pay out a refund',
    description:
      "Pays a refund that is requested back to the customer through the payment provider. Use it when a refund was issued and the money is to go out now; to make a refund in the first place, use the shop's issue_refund instead. A person is sent to the provider's page first, and nothing is paid before the provider reports it finished.",
    input: z.object({
      refund_id: z
        .string('must be a refund ID')
        .regex(/^R-[0-9]{4}$/, 'must be "R-" and four digits, like R-9305')
        .describe('The refund, like R-9305.'),
    }),
    output: z.object({
      refund_id: z.string(),
      order_id: z.string(),
      amount: z.string().describe('Euros.'),
      status: z.string().describe('"paid": the money is out. "requested": it is not yet.'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    run: async ({ refund_id }, { round, caller: named, signal }) => {
      const caller = named === 'staff' ? (deps.person ?? named) : named;
      const state = read(refund_id, caller, round.state);
      const refund = await deps.api(signal).refund(refund_id);
      if (!refund)
        throw new ToolError(`There is no refund ${refund_id}. Send the refund_id of an issue_refund result.`);
      if (refund.status === 'paid') return paid(refund, `Refund ${refund_id} is already paid; nothing more was done.`);
      if (refund.status !== 'requested') {
        throw new ToolError(
          `Refund ${refund_id} is ${refund.status}: only a requested refund is paid. One that is held must be released by a support lead first.`,
        );
      }
      return state ? await settle(refund, state, round, signal) : await begin(refund, caller);
    },
  });
}
