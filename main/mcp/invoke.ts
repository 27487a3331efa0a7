/**
 * One `tools/call` on a running session, with our own clocks: whatever happens, it settles, and the outcome says whether
 * the call may have reached the server (spec host §13, trust §2).
 */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { canonical } from './canonical.ts';
import type { Limits } from './limits.ts';
import type { Session } from './session.ts';

export interface CallRequest {
  /** The server's own name of the tool, without our prefix. */
  tool: string;
  arguments: JsonObject;
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
}

export type WireOutcome =
  | { kind: 'result'; text: string; content: Json[]; structured?: Json }
  | { kind: 'tool error'; text: string; structured?: Json }
  | { kind: 'input required'; inputRequests: JsonObject; requestState?: string }
  /** The server answered with a JSON-RPC error. */
  | { kind: 'protocol error'; code: number; message: string; data?: unknown }
  /** Surely never reached the server. */
  | { kind: 'not sent'; reason: string }
  /** Sent, and no usable answer known. */
  | { kind: 'unknown'; reason: string };

/** The SDK's own clock is not used; this is the longest a timer can run. */
const never = 2_147_483_000;
export const anyResult = z.looseObject({});

export async function invoke(
  session: Session,
  request: CallRequest,
  limits: Limits,
  prefix: string,
): Promise<WireOutcome> {
  const before = session.transport.written;
  const clocks = startClocks(session, request);
  try {
    const params = {
      name: request.tool,
      arguments: request.arguments,
      ...(request.meta && { _meta: request.meta }),
      ...(request.inputResponses && { inputResponses: request.inputResponses }),
      ...(request.requestState !== undefined && { requestState: request.requestState }),
    };
    const result = await session.client.request({ method: 'tools/call', params }, anyResult, {
      allowInputRequired: true,
      signal: clocks.signal,
      timeout: never,
      onprogress: clocks.progress,
    });
    return outcome(result as JsonObject, limits); // came in as JSON
  } catch (error) {
    if (session.transport.written === before) return { kind: 'not sent', reason: clocks.why() ?? reason(error) };
    return failed(error, session, clocks.why(), prefix);
  } finally {
    clocks.stop();
  }
}

/** Idle and hard limits; only growing progress counts as life, and a person's thinking time never counts. */
function startClocks(session: Session, request: CallRequest) {
  const idleMs = request.timeoutMs ?? 10_000;
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
      else stop(`not finished after ${(request.hardMs ?? 600_000) / 1_000} s`);
    }, ms);
  }
  const cancelled = () => stop('it was stopped by a person');
  armIdle();
  armHard(request.hardMs ?? 600_000);
  if (request.signal?.aborted) cancelled();
  request.signal?.addEventListener('abort', cancelled, { once: true });

  return {
    signal: controller.signal,
    why: () => why,
    progress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      if (!(progress.progress > best)) return;
      best = progress.progress;
      armIdle();
      const { total, message } = progress;
      request.onProgress?.({
        progress: best,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
    },
    stop() {
      clearTimeout(idle);
      clearTimeout(hard);
      request.signal?.removeEventListener('abort', cancelled);
    },
  };
}

function outcome(result: JsonObject, limits: Limits): WireOutcome {
  if (result.resultType === 'input_required') {
    const { requestState } = result;
    if (typeof requestState === 'string' && Buffer.byteLength(requestState) > limits.requestStateBytes)
      return { kind: 'unknown', reason: `the server asks with a state of more than ${limits.requestStateBytes} bytes` };
    return {
      kind: 'input required',
      inputRequests: isObject(result.inputRequests) ? result.inputRequests : {},
      ...(typeof requestState === 'string' && { requestState }),
    };
  }
  const content = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  const texts = content.flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  const text = content.length === 0 && structured !== undefined ? written(structured) : texts.join('\n');
  if (result.isError === true) return { kind: 'tool error', text, ...(structured !== undefined && { structured }) };
  return { kind: 'result', text, content, ...(structured !== undefined && { structured }) };
}

function written(value: Json): string {
  try {
    return canonical(value);
  } catch {
    return JSON.stringify(value);
  }
}

function failed(error: unknown, session: Session, why: string | null, prefix: string): WireOutcome {
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
