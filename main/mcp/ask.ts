/**
 * One request on a running session, with our own clocks: whatever happens, it settles, and the outcome says whether it
 * may have reached the server (spec host §13, trust §2). Calls, reads and prompts all go this way.
 */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { reason } from '../../shared/failures.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import type { Exchange, OnWire } from './exchanges.ts';
import type { Limits } from './limits.ts';
import type { Challenge } from './oauthChallenge.ts';
import type { Session } from './session.ts';

/** What any request that may be answered with questions takes. */
export interface Round {
  meta?: JsonObject | undefined;
  inputResponses?: JsonObject | undefined;
  /** As the server gave it, the same UTF-16 units. */
  requestState?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds without growing progress. */
  timeoutMs?: number | undefined;
  /** Milliseconds at most, progress or not. */
  hardMs?: number | undefined;
  onProgress?: ((progress: { progress: number; total?: number; message?: string }) => void) | undefined;
  /** Exactly the messages of this request, secrets out. */
  onWire?: OnWire | undefined;
}

/** How a request ends that has no result. */
export type Unfinished =
  | { kind: 'input required'; inputRequests: JsonObject; requestState?: string }
  /** The server answered with a JSON-RPC error. */
  | { kind: 'protocol error'; code: number; message: string; data?: unknown }
  /** Surely never reached the server, or was refused at its door: with a challenge, for want of a sign-in. */
  | { kind: 'not sent'; reason: string; challenge?: Challenge }
  /** Sent, and no usable answer known. */
  | { kind: 'unknown'; reason: string };

/** The SDK's own clock is not used; this is the longest a timer can run. */
const never = 2_147_483_000;
export const anyResult = z.looseObject({});

export interface Question {
  method: 'tools/call' | 'resources/read' | 'prompts/get';
  params: JsonObject;
  /** Extra headers, where the server is reached over HTTP. */
  headers?: Record<string, string>;
}

/** The raw result, or how the request ended without one. */
export async function ask(
  session: Session,
  { method, params, headers }: Question,
  round: Round,
  limits: Limits,
  prefix: string,
): Promise<{ kind: 'answer'; result: JsonObject } | Unfinished> {
  const { transport, client } = session;
  const exchange: Exchange = { written: false, onWire: round.onWire };
  const clocks = startClocks(session, round);
  try {
    const full = {
      ...params,
      ...(round.meta && { _meta: round.meta }),
      ...(round.inputResponses && { inputResponses: round.inputResponses }),
      ...(round.requestState !== undefined && { requestState: round.requestState }),
    };
    const result = await client.request({ method, params: full }, anyResult, {
      allowInputRequired: true,
      signal: clocks.signal,
      timeout: never,
      onprogress: clocks.progress,
      headers: { ...headers, ...transport.watch(exchange) },
    });
    return answer(result as JsonObject, limits); // came in as JSON
  } catch (error) {
    if (!exchange.written) {
      const { challenge = null } = exchange;
      return { kind: 'not sent', reason: clocks.why() ?? reason(error), ...(challenge && { challenge }) };
    }
    return failed(error, session, clocks.why(), prefix);
  } finally {
    clocks.stop();
    transport.unwatch(exchange);
  }
}

/** Idle and hard limits; only growing progress counts as life, and a person's thinking time never counts. */
function startClocks(session: Session, round: Round) {
  const idleMs = round.timeoutMs ?? 10_000;
  const controller = new AbortController();
  let why: string | null = null;
  let best = -Infinity;
  let idle: NodeJS.Timeout;
  let hard: NodeJS.Timeout;

  function stop(sentence: string) {
    why ??= sentence;
    controller.abort(sentence);
  }
  function armIdle() {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (session.asking() > 0) armIdle();
      else stop(`no answer and no progress for ${idleMs / 1_000} s`);
    }, idleMs);
  }
  function armHard(ms: number) {
    hard = setTimeout(() => {
      if (session.asking() > 0) armHard(1_000);
      else stop(`not finished after ${(round.hardMs ?? 600_000) / 1_000} s`);
    }, ms);
  }
  const cancelled = () => stop('it was stopped by a person');
  armIdle();
  armHard(round.hardMs ?? 600_000);
  if (round.signal?.aborted) cancelled();
  round.signal?.addEventListener('abort', cancelled, { once: true });

  return {
    signal: controller.signal,
    why: () => why,
    progress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      if (!(progress.progress > best)) return;
      best = progress.progress;
      armIdle();
      const { total, message } = progress;
      round.onProgress?.({
        progress: best,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
    },
    stop() {
      clearTimeout(idle);
      clearTimeout(hard);
      round.signal?.removeEventListener('abort', cancelled);
    },
  };
}

function answer(result: JsonObject, limits: Limits): { kind: 'answer'; result: JsonObject } | Unfinished {
  const { resultType, requestState, inputRequests = {} } = result;
  if (resultType === undefined || resultType === 'complete') return { kind: 'answer', result };
  const unusable = (what: string): Unfinished => ({ kind: 'unknown', reason: `the server ${what}` });
  if (resultType !== 'input_required')
    return unusable(
      `answers with a result of a kind the desk does not know (${JSON.stringify(resultType).slice(0, 80)})`,
    );
  if (!isObject(inputRequests)) return unusable('asks questions that cannot be read');
  const questions = Object.keys(inputRequests).length;
  if (questions > limits.questions)
    return unusable(`asks ${questions} questions at once; ${limits.questions} are allowed`);
  if (requestState !== undefined && typeof requestState !== 'string')
    return unusable('asks with a state that is no text');
  if (requestState !== undefined && Buffer.byteLength(requestState) > limits.requestStateBytes)
    return unusable(`asks with a state of more than ${limits.requestStateBytes} bytes`);
  if (questions === 0 && requestState === undefined)
    return unusable('asks for an answer but has neither a question nor a state');
  return { kind: 'input required', inputRequests, ...(requestState !== undefined && { requestState }) };
}

function failed(error: unknown, session: Session, why: string | null, prefix: string): Unfinished {
  if (why !== null) return { kind: 'unknown', reason: why };
  if (ProtocolError.isInstance(error)) {
    if (session.transport.madeHere(error.data)) return { kind: 'unknown', reason: error.message };
    const { code, message, data } = error;
    return { kind: 'protocol error', code, message, ...(data !== undefined && { data }) };
  }
  if (isClosed(error, session))
    return {
      kind: 'unknown',
      reason: `${prefix} ended while the call was running (${session.transport.ended ?? 'connection closed'})`,
    };
  return { kind: 'unknown', reason: `the answer of ${prefix} cannot be used: ${reason(error).slice(0, 300)}` };
}

/** True where the process went away under a request. */
export function isClosed(error: unknown, session: Session): boolean {
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed) return true;
  return !session.alive();
}
