/**
 * One request on a running session, with our own clocks: whatever happens, it settles, and the outcome says whether it
 * may have reached the server (spec host §13, trust §2). Calls, reads and prompts all go this way.
 */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Exchange, OnPushed, OnWire } from './exchanges.ts';
import type { Floor } from './floor.ts';
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
  /** Puts to a person what an older server asks in the middle of it; without one it is cancelled. */
  onPushed?: OnPushed | undefined;
}

/** How a request ends that has no result. */
export type Unfinished =
  /** `plain`: of an older server that ran nothing and takes no answer; the same request goes out again afterwards. */
  | { kind: 'input required'; inputRequests: JsonObject; requestState?: string; plain?: true }
  /** The server answered with a JSON-RPC error. */
  | { kind: 'protocol error'; code: number; message: string; data?: unknown }
  /** Surely never reached the server, or was refused at its door: with a challenge, for want of a sign-in. */
  | { kind: 'not sent'; reason: string; challenge?: Challenge }
  /** Sent, and no usable answer known. */
  | { kind: 'unknown'; reason: string };

/** Why a request was given up that nobody wants any more; whatever else stops one is its server's fault. */
export const stoppedByPerson = 'it was stopped by a person';
/** The SDK's own clock is not used; this is the longest a timer can run. */
const never = 2_147_483_000;
export const anyResult = z.looseObject({});

export interface Question {
  method:
    'tools/call' | 'resources/read' | 'prompts/get' | 'tasks/get' | 'tasks/result' | 'tasks/update' | 'tasks/cancel';
  params: JsonObject;
  /** Joins what the round has. */
  meta?: JsonObject;
  /** Extra headers, where the server is reached over HTTP. */
  headers?: Record<string, string>;
}

/** The raw result, or how the request ended without one. */
export async function ask(
  session: Session,
  { method, params, meta, headers }: Question,
  round: Round,
  limits: Limits,
  prefix: string,
): Promise<{ kind: 'answer'; result: JsonObject } | Unfinished> {
  const { transport, client } = session;
  const floor = await takeFloor(method.startsWith('tasks/') ? null : session.floor, round.signal);
  if (floor === null) return { kind: 'not sent', reason: 'it was stopped before it was sent' };
  const clocks = startClocks(round, limits);
  const exchange: Exchange = { written: false, onWire: round.onWire };
  const { onPushed } = round;
  let thinking = 0;
  if (onPushed)
    exchange.onPushed = async (question) => {
      exchange.thinks = true;
      thinking++;
      clocks.pause();
      floor.give();
      try {
        return await onPushed(question);
      } finally {
        await floor.again();
        clocks.go();
        exchange.thinks = --thinking > 0;
      }
    };
  try {
    const full = {
      ...params,
      ...((round.meta ?? meta) && { _meta: { ...round.meta, ...meta } }),
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
    const { task } = exchange;
    if (task && method === 'tools/call' && clocks.why() === null) return { kind: 'answer', result: task };
    return failed(error, session, clocks.why(), { method, prefix, questions: limits.questions });
  } finally {
    clocks.stop();
    floor.end();
    transport.unwatch(exchange);
  }
}

/** Holds the floor of a server that needs it; null where the signal came first. */
async function takeFloor(floor: Floor | null, signal: AbortSignal | undefined) {
  let give = floor === null ? () => undefined : await floor.take(signal);
  if (give === null) return null;
  let over = false;
  const isOver = () => over;
  let open = 0;
  return {
    give() {
      if (open++ === 0) give?.();
    },
    /** With the last of its questions answered. */
    async again() {
      if (--open > 0 || floor === null || isOver()) return;
      const next = await floor.take();
      if (isOver()) next?.();
      else give = next;
    },
    end() {
      over = true;
      give?.();
    },
  };
}

/** Idle and hard limits; only growing progress counts as life, and a person's thinking time never counts. */
function startClocks(round: Round, limits: Limits) {
  const idleMs = round.timeoutMs ?? limits.callIdleMs;
  const hardMs = round.hardMs ?? limits.callMs;
  const controller = new AbortController();
  let why: string | null = null;
  let best = -Infinity;
  let idle: NodeJS.Timeout;
  let hard: NodeJS.Timeout;
  let left = hardMs;
  let since = 0;
  /** Questions a person thinks about. */
  let open = 0;

  function stop(sentence: string) {
    why ??= sentence;
    controller.abort(sentence);
  }
  function armIdle() {
    clearTimeout(idle);
    idle = setTimeout(() => stop(`no answer and no progress for ${idleMs / 1_000} s`), idleMs);
  }
  function go() {
    since = performance.now();
    hard = setTimeout(() => stop(`not finished after ${hardMs / 1_000} s`), left);
    armIdle();
  }
  function halt() {
    clearTimeout(idle);
    clearTimeout(hard);
    left -= performance.now() - since;
  }
  const cancelled = () => stop(stoppedByPerson);
  go();
  if (round.signal?.aborted) cancelled();
  round.signal?.addEventListener('abort', cancelled, { once: true });
  let over = false;

  return {
    signal: controller.signal,
    why: () => why,
    pause() {
      if (open++ === 0) halt();
    },
    go() {
      if (--open === 0 && !over) go();
    },
    progress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      if (!(progress.progress > best)) return;
      best = progress.progress;
      if (open === 0 && !over) armIdle();
      const { total, message } = progress;
      round.onProgress?.({
        progress: best,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
    },
    stop() {
      over = true;
      halt();
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

function failed(
  error: unknown,
  session: Session,
  why: string | null,
  { method, prefix, questions }: { method: Question['method']; prefix: string; questions: number },
): Unfinished {
  if (why !== null) return { kind: 'unknown', reason: why };
  if (ProtocolError.isInstance(error)) {
    if (session.transport.madeHere(error.data)) return { kind: 'unknown', reason: error.message };
    const { code, message, data } = error;
    const pages = code === -32042 && session.era === 'legacy' ? pagesIn(data, questions) : null;
    if (pages !== null) return { kind: 'input required', inputRequests: pages, plain: true };
    return { kind: 'protocol error', code, message, ...(data !== undefined && { data }) };
  }
  if (isClosed(error, session))
    return {
      kind: 'unknown',
      reason: `${prefix} ended while the call was running (${session.transport.ended ?? 'connection closed'})`,
    };
  const place = placeOfFault(reason(error));
  if (place !== null) {
    const what = method === 'prompts/get' ? 'prompt' : method === 'resources/read' ? 'document' : 'answer';
    return { kind: 'unknown', reason: `the ${what} of ${prefix} is not valid by the protocol (${place})` };
  }
  return { kind: 'unknown', reason: `the answer of ${prefix} cannot be used: ${reason(error).slice(0, 300)}` };
}

const faults = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])) })).min(1);
/** What breaks the protocol comes as a list of faults in JSON: where the first one stands, or null for other words. */
function placeOfFault(words: string): string | null {
  try {
    const found = faults.safeParse(JSON.parse(words.slice(words.indexOf('['))));
    return found.success ? found.data[0]?.path.join('.').slice(0, 100) || 'as a whole' : null;
  } catch {
    return null;
  }
}

/** Pages an older server wants visited before it runs a request at all (2025-11-25, "URL elicitation required"), or null. */
function pagesIn(data: unknown, most: number): JsonObject | null {
  const { elicitations } = (data ?? {}) as { elicitations?: unknown }; // came in as JSON
  if (!Array.isArray(elicitations) || elicitations.length === 0 || elicitations.length > most) return null;
  const pages = (elicitations as Json[]).flatMap((one): [string, JsonObject][] =>
    isObject(one) && one.mode === 'url' && typeof one.elicitationId === 'string'
      ? [[one.elicitationId, { method: 'elicitation/create', params: one }]]
      : [],
  );
  return pages.length < elicitations.length ? null : Object.fromEntries(pages);
}

/** True where the process went away under a request. */
export function isClosed(error: unknown, session: Session): boolean {
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed) return true;
  return !session.alive();
}
