/**
 * Streamable HTTP under the SDK's client, with our own limits before anything is parsed: one POST a message, its answer
 * as JSON or as a bounded stream of events. Nothing is resent: a call goes out at most once.
 */
import {
  SdkErrorCode,
  SdkHttpError,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Failure } from '../../shared/failures.ts';
import { createExchanges, realHeaders, type Exchange, type OnWire } from './exchanges.ts';
import { broken, exchange, serverUrl, type HttpAnswer } from './httpExchange.ts';
import { bodyHeaders } from './httpHeaders.ts';
import type { StreamMark } from './events.ts';
import { readBody, readError, readEvents } from './httpBody.ts';
import { createStreams } from './httpStreams.ts';
import { createInbound } from './inbound.ts';
import type { Limits } from './limits.ts';
import { readChallenge, Refused, type Challenge } from './oauthChallenge.ts';
import { stopped } from './serverProcess.ts';
import type { ServerTransport } from './serverTransport.ts';

const mostAsked = 16;

interface Open {
  controller: AbortController;
  /** A stream that is only listened to holds nobody up. */
  listens: boolean;
}

/** The token of a request, and what becomes of one that is refused (`oauth.ts`). */
export interface Access {
  token(): Promise<string | null>;
  /** `token` is the one the request went out with. */
  refused(challenge: Challenge, token: string | null): Promise<void>;
}

/** Failure `servers.start` when the URL cannot be used. */
export function createHttpTransport(options: {
  url: string;
  /** Of the configuration, sent with every request; never logged. */
  headers?: Record<string, string>;
  limits: Limits;
  onWire?: OnWire | undefined;
  onChanged: (method: string) => void;
  onAsked?: ((method: string) => void) | undefined;
  access?: Access | undefined;
}): ServerTransport {
  const { limits, access } = options;
  const url = serverUrl(options.url, limits);
  const exchanges = createExchanges(options.onWire);
  const open = new Map<string | number, Open>();
  const closing = new AbortController();
  let sessionId: string | null = null;
  let revision: string | null = null;
  let ended: string | null = null;
  let busy = 0;
  /** What the server asked of the host and has no answer to yet. */
  const asked = new Set<unknown>();
  /** On the stream of which request of ours each of these came. */
  const about = new Map<unknown, string | number>();
  let speaking: string | number | null = null;
  let closed = false;

  const inbound = createInbound({
    limits,
    deliver(message) {
      if ('method' in message && !takes(message)) return;
      transport.onmessage?.(message);
    },
    onWire: exchanges.in,
    onChanged: options.onChanged,
    onAsked: options.onAsked,
  });
  /** What comes on the stream of a request. */
  const hearing = (id: string | number) => (bytes: Buffer) => {
    speaking = id;
    try {
      inbound.line(bytes);
    } finally {
      speaking = null;
    }
  };
  function answeredOf(id: unknown) {
    asked.delete(id);
    about.delete(id);
  }

  /** A server that asks without end would have us answer without end. */
  function takes(message: JSONRPCRequest | JSONRPCNotification): boolean {
    if (message.method === 'notifications/cancelled') answeredOf(message.params?.requestId);
    if (!('id' in message)) return true;
    if (asked.size >= mostAsked) return false;
    asked.add(message.id);
    if (speaking !== null) about.set(message.id, speaking);
    return true;
  }

  const streams = createStreams({
    url,
    limits,
    headers,
    onData: inbound.line,
    closing: closing.signal,
  });

  /** Of the session and of the person, with the revision agreed on. */
  async function headers(): Promise<Record<string, string>> {
    const token = (await access?.token()) ?? null;
    return { ...own(token), ...(revision !== null && { 'mcp-protocol-version': revision }) };
  }
  function own(token: string | null): Record<string, string> {
    return {
      ...options.headers,
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
  }
  function down() {
    if (closed) return;
    closed = true;
    closing.abort();
    transport.onclose?.();
  }
  /** No new request goes this way; those under way may still end well. */
  function retire(sentence: string) {
    ended ??= sentence;
    for (const one of open.values()) if (one.listens) one.controller.abort();
    if (busy === 0) setImmediate(down);
  }

  async function post(headers: Record<string, string>, body: string, signal: AbortSignal, mine: Exchange) {
    try {
      const token = (await access?.token()) ?? null;
      mine.token = token;
      return await exchange({
        url,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...own(token),
        },
        body,
        limits,
        signal,
        onWritten() {
          mine.written = true;
        },
      });
    } catch (error) {
      if (!mine.written && !signal.aborted) retire(broken(error).message);
      throw error;
    }
  }

  /** An HTTP error in words; `mine` was not run where the server refused it at the door. */
  async function refused(answer: HttpAnswer, message: JSONRPCMessage, mine: Exchange): Promise<void> {
    const { status } = answer;
    const text = await readError(answer, limits);
    if (status === 401 || status === 403) {
      // Refused at the door: it did not run.
      mine.written = false;
      const challenge = readChallenge(status, answer.header('www-authenticate'));
      if (challenge !== null) await access?.refused(challenge, mine.token ?? null);
      mine.challenge = challenge;
      throw new Refused(status, challenge, access !== undefined);
    }
    if (status === 404 && sessionId !== null) {
      mine.written = false;
      retire('it does not know this session any more');
      throw new Failure('servers.http', 'the server does not know this session any more; the request was not run');
    }
    const probed = 'method' in message && message.method === 'server/discover';
    if ('id' in message && message.id !== undefined && text.startsWith('{') && !(probed && status >= 500)) {
      inbound.line(Buffer.from(text));
      if (!inbound.awaits(message.id)) return;
    }
    const about = { status, statusText: '', text };
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `the server answered HTTP ${status}`, about);
  }

  /** `isOld`: a server of the older revisions may end a stream early and give the rest on another. */
  async function stream(answer: HttpAnswer, id: string | number, signal: AbortSignal, isOld: boolean) {
    const mark: StreamMark = { id: null, retryMs: null };
    const wanted = () => inbound.awaits(id);
    try {
      await readEvents(answer.body, { limits, signal, onData: hearing(id), wanted, mark });
    } catch (error) {
      if (!isOld || mark.id === null || error instanceof Failure) throw error;
    }
    if (isOld && mark.id !== null) await streams.resume(mark, { wanted, signal });
  }

  async function answered(answer: HttpAnswer, id: string | number, signal: AbortSignal, isOld: boolean) {
    if (answer.type === 'text/event-stream') await stream(answer, id, signal, isOld);
    else if (answer.type === 'application/json') inbound.line(await readBody(answer, limits));
    else {
      const start = (await readError(answer, limits)).slice(0, 80);
      throw new Failure(
        'servers.http',
        `The server answered with ${answer.type === '' ? 'no type' : `"${answer.type.slice(0, 80)}"`} instead of JSON: ${JSON.stringify(start)}.`,
      );
    }
    inbound.refuse(id, 'The server ended its answer without a reply to this request.');
  }

  async function request(
    message: JSONRPCMessage & { id: string | number; method: string },
    text: string,
    mine: Exchange,
    sending: TransportSendOptions | undefined,
  ) {
    const { id } = message;
    const mark: Open = { controller: new AbortController(), listens: message.method === 'subscriptions/listen' };
    const signal = AbortSignal.any([
      closing.signal,
      mark.controller.signal,
      ...(sending?.requestSignal ? [sending.requestSignal] : []),
    ]);
    open.set(id, mark);
    if (!mark.listens) busy++;
    let answer: HttpAnswer | null = null;
    try {
      if (message.method === 'initialize') sessionId = null;
      const head = { ...realHeaders(sending), ...bodyHeaders(message, revision) };
      answer = await post(head, text, signal, mine);
      if (answer.status < 200 || answer.status > 299) {
        await refused(answer, message, mine);
        return;
      }
      if (message.method === 'initialize') sessionId = sessionOf(answer);
      await answered(answer, id, signal, head['mcp-method'] === undefined);
    } catch (error) {
      throw signal.aborted || error instanceof Refused || error instanceof SdkHttpError ? error : broken(error);
    } finally {
      answer?.body.destroy();
      inbound.forget(id);
      open.delete(id);
      if (!mark.listens) busy--;
      // Later, so that what this request has to say is heard first.
      if (ended !== null && busy === 0) setImmediate(down);
    }
  }

  /** A notice or an answer of ours: nothing comes back but a word that it came. */
  async function tell(message: JSONRPCMessage, text: string) {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limits.connectMs)]);
    const answer = await post(bodyHeaders(message, revision), text, signal, { written: false }).finally(() => {
      if (!('method' in message)) answeredOf(message.id);
    });
    answer.body.destroy();
    if (answer.status === 404 && sessionId !== null) retire('it does not know this session any more');
    if (answer.status > 299) throw new Failure('servers.http', `the server answered HTTP ${answer.status}`);
    if ('method' in message && message.method === 'notifications/initialized') void streams.hear(() => ended === null);
  }

  async function forgetSession() {
    if (sessionId === null || ended !== null) return;
    const answer = await exchange({
      url,
      method: 'DELETE',
      headers: await headers(),
      limits,
      signal: AbortSignal.timeout(1_000),
      onWritten: () => undefined,
    }).catch(() => null);
    answer?.body.destroy();
  }

  const transport: ServerTransport & { hasPerRequestStream: boolean } = {
    hasPerRequestStream: true,
    get ended() {
      return ended;
    },
    dropped: inbound.dropped,
    watch: exchanges.watch,
    unwatch: exchanges.unwatch,
    asker: (id) => exchanges.asker(about.get(id)),
    takeList: inbound.takeList,
    madeHere: inbound.madeHere,
    discovered: inbound.discovered,
    setProtocolVersion(version) {
      revision = version;
    },
    start: () => Promise.resolve(),
    async send(message, sending) {
      if (ended !== null || closed)
        throw new Failure('servers.http', `the server cannot be reached: ${ended ?? 'closed'}`);
      const text = JSON.stringify(message);
      inbound.sent(message);
      const mine = exchanges.out(message, text, sending) ?? { written: false };
      if ('method' in message && 'id' in message) {
        await request(message, text, mine, sending);
        return;
      }
      // An older server is told of the cancel; our end of the stream closes all the same.
      if ('method' in message && message.method === 'notifications/cancelled') {
        const about = message.params?.requestId;
        if (typeof about === 'string' || typeof about === 'number') open.get(about)?.controller.abort();
      }
      await tell(message, text);
    },
    async close() {
      await forgetSession();
      ended ??= stopped;
      down();
    },
  };
  return transport;
}

function sessionOf(answer: HttpAnswer): string | null {
  const id = answer.header('mcp-session-id');
  return id !== undefined && /^[\x21-\x7e]{1,512}$/.test(id) ? id : null;
}
