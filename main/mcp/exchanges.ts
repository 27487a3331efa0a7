/** Which messages on the wire belong to which request, by JSON-RPC id and progress token: parallel calls are told apart. */
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Challenge } from './oauthChallenge.ts';
import { traceText } from './wireText.ts';

export type OnWire = (direction: 'in' | 'out', text: string) => void;

/** A question an older server pushes while a request of ours is under way. */
export interface Pushed {
  /** `{method, params}`, as it came. */
  request: JsonObject;
  /** Aborted where the server does not want the answer any more. */
  signal: AbortSignal;
  /** False where several requests were under way, and it does not say which of them asks. */
  sure: boolean;
}
export interface PushedAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}
export type OnPushed = (question: Pushed) => Promise<PushedAnswer>;

/** One request of ours, from the caller's side. */
export interface Exchange {
  /** Whether the request may have reached the server: tells `not sent` from `unknown`. */
  written: boolean;
  /** Set where the server refused it at its door for want of a sign-in: it did not run. */
  challenge?: Challenge | null;
  /** What it went out with, to be compared when it is refused; never shown. */
  token?: string | null;
  onWire?: OnWire | undefined;
  /** The result as it came, where the call goes on as a task: the SDK drops results of extensions. */
  task?: JsonObject;
  /** Puts a question of the server to a person; without one it is cancelled. */
  onPushed?: OnPushed | undefined;
  /** It waits for a person. */
  thinks?: boolean;
}
/** The request of ours a question of the server belongs to. */
export interface Asker {
  exchange: Exchange;
  sure: boolean;
}

export interface Exchanges {
  /** Names an exchange in the `headers` of one request; no such header goes out. */
  watch: (exchange: Exchange) => Record<string, string>;
  unwatch: (exchange: Exchange) => void;
  /** A message on its way out; gives the exchange that waits for its answer, if any. */
  out(message: JSONRPCMessage, text: string, options: TransportSendOptions | undefined): Exchange | undefined;
  in: (message: JsonObject, text: string, isWhole: boolean) => void;
  /** Who is asked: the request named, as its own stream tells it, else the one that is under way. */
  asker: (request?: string | number) => Asker | null;
}

const mark = 'desk-exchange';

/** Headers of a request without the mark. */
export function realHeaders(options: TransportSendOptions | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(options?.headers ?? {}).filter(([name]) => name !== mark));
}

export function createExchanges(onWire: OnWire | undefined): Exchanges {
  const begun = new Map<string, Exchange>();
  const byId = new Map<unknown, Exchange>();
  let last = 0;

  function show(direction: 'in' | 'out', text: string, exchange: Exchange | undefined) {
    onWire?.(direction, text);
    exchange?.onWire?.(direction, text);
  }

  return {
    watch(exchange) {
      const key = String(++last);
      begun.set(key, exchange);
      return { [mark]: key };
    },
    unwatch(exchange) {
      for (const open of [begun, byId]) for (const [key, one] of open) if (one === exchange) open.delete(key);
    },
    out(message, text, options) {
      const body = message as unknown as JsonObject; // JSON by its type
      let exchange = isObject(body.params) && body.method === cancel ? byId.get(body.params.requestId) : undefined;
      const key = options?.headers?.[mark];
      if ('id' in message && 'method' in message && key !== undefined) {
        exchange = begun.get(key);
        begun.delete(key);
        if (exchange) byId.set(message.id, exchange);
      }
      if (onWire || exchange?.onWire) show('out', traceText(text, body), exchange);
      return exchange;
    },
    asker(request) {
      const named = request === undefined ? undefined : byId.get(request);
      if (named) return { exchange: named, sure: true };
      const all = [...byId.values()].filter((one) => one.onPushed !== undefined);
      const exchange = all.find((one) => one.thinks !== true) ?? all.at(-1);
      return exchange ? { exchange, sure: all.length === 1 } : null;
    },
    in(message, text, isWhole) {
      const exchange = byId.get(idOf(message));
      if (exchange && isObject(message.result) && message.result.resultType === 'task') exchange.task = message.result;
      if (onWire || exchange?.onWire) show('in', traceText(text, isWhole ? message : null), exchange);
    },
  };
}

const cancel = 'notifications/cancelled';

/** The request a message of the server speaks of. */
function idOf(message: JsonObject): Json | undefined {
  if (message.method === undefined) return message.id;
  return message.method === 'notifications/progress' && isObject(message.params)
    ? message.params.progressToken
    : undefined;
}
