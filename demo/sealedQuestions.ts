/**
 * A question a tool asks in the middle of a call. What was asked travels sealed through the client, bound to the tool,
 * its arguments and the round; what came of an answer is kept, so the same answer sent again changes nothing.
 */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import type Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Seal } from './shop/sealing.ts';
import type { Round } from './shop/tool.ts';

export interface Asking {
  db: Database.Database;
  seal: Seal;
  now: () => Date;
  /** How long a question may wait. */
  stateSeconds: number;
}

const sealed = z.object({
  /** Names the one effect all rounds of a call may have. */
  action: z.string(),
  tool: z.string(),
  arguments: z.string(),
  round: z.int(),
  expires_at: z.number(),
});
export type State = z.infer<typeof sealed>;

export type Said<C> = { action: 'accept'; content: C } | { action: 'decline' } | { action: 'cancel' };

/** Closed: this answer stands. Open: nothing is settled, the same question may still be answered. Again: one round more. */
export type Settled = { closed: CallToolResult } | { open: CallToolResult } | { again: string };

type Form = Parameters<typeof inputRequired.elicit>[0];

export interface QuestionOptions<A, C> {
  tool: string;
  /** The key of the question in its first round; later rounds append theirs, so old answers do not fit new questions. */
  key: string;
  content: z.ZodType<C>;
  /** `why`: what made the question be asked once more. */
  form: (args: A, why: string | undefined) => Form;
  /** Runs in one transaction with the note that the question was answered. */
  settle: (args: A, said: Said<C>, state: State) => Settled;
}

function refuseState(tool: string, why: string): never {
  console.error(`${tool}: a returned requestState was refused: ${why}`);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });
}

function malformed(key: string, rules: string): never {
  const text = `The answer to "${key}" must be an elicitation result that fits its form. ${rules}.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** What the person said: undefined when nothing was said yet. */
function reply<C>(key: string, { responses, dropped }: Round, content: z.ZodType<C>): Said<C> | undefined {
  if (dropped.includes(key)) malformed(key, 'It has no action');
  if (responses?.[key] === undefined) return undefined;
  const view = inputResponse(responses, key);
  if (view.kind !== 'elicit') return malformed(key, 'It is none');
  if (view.action !== 'accept') return { action: view.action };
  const parsed = content.safeParse(view.content ?? {});
  if (parsed.success) return { action: 'accept', content: parsed.data };
  return malformed(key, parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('. '));
}

const keyOf = (key: string, round: number): string => (round === 1 ? key : `${key}_${round}`);

export function createQuestion<A extends Record<string, unknown>, C>(asking: Asking, options: QuestionOptions<A, C>) {
  const { db, seal, now, stateSeconds } = asking;
  const { tool, key, content, form, settle } = options;
  const earlier = db.prepare<[string, number], { result: string | null }>(
    'SELECT result FROM answered WHERE action = ? AND round = ?',
  );
  const note = db.prepare('INSERT OR IGNORE INTO answered (action, round, result) VALUES (?, ?, ?)');

  /**
   * The state a call brought back. Any that is not ours, unchanged, for this call (and action, if the caller names one):
   * -32602, one message for all.
   */
  function read(args: A, token: string | undefined, action?: string): State | undefined {
    if (token === undefined) return undefined;
    const opened = sealed.safeParse(seal.open(token));
    if (!opened.success) return refuseState(tool, 'it was not sealed here or was changed');
    const state = opened.data;
    if (state.tool !== tool) return refuseState(tool, 'it belongs to another tool');
    if (state.arguments !== JSON.stringify(args)) return refuseState(tool, 'it belongs to other arguments');
    if (action !== undefined && state.action !== action) return refuseState(tool, 'it belongs to another call');
    if (state.expires_at <= now().getTime()) return refuseState(tool, 'it is too old');
    return state;
  }

  function ask(args: A, action: string, round: number, why?: string): InputRequiredResult {
    const expires_at = now().getTime() + stateSeconds * 1_000;
    const state: State = { action, tool, arguments: JSON.stringify(args), round, expires_at };
    return inputRequired({
      inputRequests: { [keyOf(key, round)]: inputRequired.elicit(form(args, why)) },
      requestState: seal.close(state),
    });
  }

  /** Takes the answer of this round, or asks (again) when there is none. */
  function take(args: A, state: State, round: Round): CallToolResult | InputRequiredResult {
    const said = reply(keyOf(key, state.round), round, content);
    if (said === undefined) return ask(args, state.action, state.round);
    return db
      .transaction(() => {
        const known = earlier.get(state.action, state.round);
        // Only results of this file's own making are kept, as JSON.
        if (typeof known?.result === 'string') return JSON.parse(known.result) as CallToolResult;
        if (known) return ask(args, state.action, state.round + 1);
        const settled = settle(args, said, state);
        if ('open' in settled) return settled.open;
        const result = 'closed' in settled ? settled.closed : undefined;
        note.run(state.action, state.round, result ? JSON.stringify(result) : null);
        return result ?? ask(args, state.action, state.round + 1, 'again' in settled ? settled.again : undefined);
      })
      .immediate();
  }

  return { read, ask, take };
}

export function newAction(): string {
  return randomBytes(16).toString('hex');
}
