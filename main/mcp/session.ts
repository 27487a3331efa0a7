/** One life of one server, a process or a URL: started, its era agreed, until it ends. The supervisor in connection.ts starts others. */
import {
  Client,
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  type PriorDiscovery,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import { appsExtension, viewType } from '../../shared/apps.ts';
import { Failure, reason } from '../../shared/failures.ts';
import { isObject, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import type { OnWire } from './exchanges.ts';
import { createFloor, type Floor } from './floor.ts';
import { createHttpTransport, type Access } from './httpTransport.ts';
import { visible } from './inbound.ts';
import type { Limits } from './limits.ts';
import { signInFailure } from './oauthChallenge.ts';
import { stopped } from './serverProcess.ts';
import type { ServerTransport } from './serverTransport.ts';
import { createTransport } from './transport.ts';

export interface Session {
  client: Client;
  /** What the desk declares with every request. */
  capabilities: JsonObject;
  /**
   * What the server said at its start that it has, and of itself. The client forgets both when it is closed, and a list that
   * is read at that moment would pass for an empty one: every tool removed.
   */
  offers: ServerCapabilities;
  instructions: string | null;
  transport: ServerTransport;
  era: 'modern' | 'legacy';
  revision: string;
  /** What a later start may reuse instead of a probe. */
  verdict: PriorDiscovery;
  alive(): boolean;
  /** Where questions in the middle of a call do not say which call it is: one at a time. */
  floor: Floor | null;
  close(): Promise<void>;
}

export interface SessionOptions {
  config: ServerConfig;
  limits: Limits;
  signal?: AbortSignal | undefined;
  prior?: PriorDiscovery | undefined;
  onWire?: OnWire | undefined;
  /** A notice of the server, with the URI of a resource it is about. */
  onChanged: (method: string, uri?: string) => void;
  onExit: (session: Session) => void;
  access?: Access | undefined;
  /** The server asks something of the host, by method. */
  onAsked?: ((method: string) => void) | undefined;
  /** A line an older server logs over the protocol. */
  onSaid?: ((line: string) => void) | undefined;
  /** An older server says that what a page of its was for is done, by the ID it gave the question. */
  onFinished?: ((elicitation: string) => void) | undefined;
  /** The transport of a start under way, so that its stderr and process can be shown. */
  onTransport?: ((transport: ServerTransport) => void) | undefined;
}

const modern = '2026-07-28';
const capabilities = {
  elicitation: { form: {}, url: {} },
  extensions: { [appsExtension]: { mimeTypes: [viewType] } },
};

/**
 * Starts a server and agrees on a revision. Failure `servers.start` says in words why not. A server that dies at the
 * probe is started once more with the older handshake; one whose answer to the probe came late, with the newer.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  try {
    const session = await attempt(options);
    const late = session.transport.discovered();
    if (session.era === 'modern' || !speaksModern(late)) return session;
    await session.close();
    return await attempt({ ...options, prior: priorOf(late) });
  } catch (error) {
    const retry =
      error instanceof Failure && isRetry(error.data) && !options.signal?.aborted ? error.data.retry : undefined;
    if (!retry || options.prior) throw error;
    return await attempt({ ...options, prior: retry });
  }
}

async function attempt(options: SessionOptions): Promise<Session> {
  const { config, limits } = options;
  const timeout = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  const transport =
    config.kind === 'http'
      ? createHttpTransport({ ...options, url: config.url, headers: config.headers ?? {} })
      : createTransport({ ...config, ...options, signal });
  options.onTransport?.(transport);
  let alive = true;
  const client = new Client(
    { name: 'desk', version: '0.1.0' },
    {
      capabilities,
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: config.kind === 'http' ? limits.httpProbeMs : limits.probeMs },
      },
      inputRequired: { autoFulfill: false },
      // Foreign schemas run in our own worker, never inside the SDK.
      jsonSchemaValidator: {
        getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  client.fallbackRequestHandler = (request, { mcpReq }) => take(request as unknown as JsonObject, mcpReq, transport); // JSON
  client.setNotificationHandler('notifications/message', ({ params }) => options.onSaid?.(logLine(params)));
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    options.onFinished?.(params.elicitationId),
  );
  const clock = setTimeout(() => timeout.abort(), limits.startMs);
  const stop = () => void transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect(transport, {
      timeout: limits.startMs,
      signal,
      ...(options.prior && { prior: options.prior }),
    });
    signal.throwIfAborted();
  } catch (error) {
    const ended = transport.ended === stopped ? null : transport.ended;
    const retry = retryOf(transport, ended);
    await transport.close();
    const late = timeout.signal.aborted && !options.signal?.aborted;
    const cause = late
      ? `it did not answer within ${Math.round(limits.startMs / 1_000)} s`
      : (startCause(error, ended) ?? reason(error));
    const sentence = diagnose(config.prefix, cause, transport);
    throw signInFailure(error, config.prefix, sentence) ?? new Failure('servers.start', sentence, retry && { retry });
  } finally {
    clearTimeout(clock);
    signal.removeEventListener('abort', stop);
  }
  const era = client.getProtocolEra() ?? 'legacy';
  const discover = client.getDiscoverResult();
  const session: Session = {
    client,
    capabilities,
    offers: client.getServerCapabilities() ?? {},
    instructions: client.getInstructions() ?? null,
    transport,
    era,
    revision: client.getNegotiatedProtocolVersion() ?? 'unknown',
    verdict: era === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' },
    alive: () => alive && transport.ended === null,
    floor: era === 'legacy' && config.kind === 'stdio' ? createFloor() : null,
    async close() {
      await client.close();
    },
  };
  client.onclose = () => {
    alive = false;
    options.onExit(session);
  };
  client.onerror = () => undefined; // counted by the transport; nothing here is fatal
  return session;
}

/** What a server asks of the host: a question goes to the call it belongs to, all else is refused in words. */
async function take(
  { method = '', params = {} }: JsonObject,
  { id, signal }: { id: string | number; signal: AbortSignal },
  transport: ServerTransport,
): Promise<JsonObject> {
  if (method !== 'elicitation/create') throw new ProtocolError(-32601, refusals[textOf(method)] ?? 'Method not found');
  const asker = transport.asker(id);
  const answer = await asker?.exchange.onPushed?.({ request: { method, params }, signal, sure: asker.sure });
  return { ...(answer ?? { action: 'cancel' }) };
}

const refusals: Record<string, string> = {
  'sampling/createMessage': 'Not offered: the desk does not lend its model.',
  'roots/list': 'Not offered: the desk lends no folders.',
};

function logLine({ level, logger, data }: { level: string; logger?: string | undefined; data?: unknown }): string {
  const words = typeof data === 'string' ? data : textOf((data ?? null) as Json);
  return `[${level}]${logger === undefined ? '' : ` ${logger}:`} ${words}`.replace(/[\r\n]+/g, ' ').slice(0, 2_000);
}

function startCause(error: unknown, ended: string | null): string | null {
  if (error instanceof Failure) return error.message;
  if (error instanceof UnsupportedProtocolVersionError)
    return `it speaks ${error.supported.join(', ')}; the desk speaks ${[modern, ...SUPPORTED_PROTOCOL_VERSIONS].join(', ')}`;
  return ended;
}

/** The way to try once more after a failed start: without the probe when the server died, modern when it said so late. */
function retryOf(transport: ServerTransport, ended: string | null): PriorDiscovery | undefined {
  const late = transport.discovered();
  if (speaksModern(late)) return priorOf(late);
  return ended !== null && typeof transport.pid === 'number' ? { kind: 'legacy' } : undefined;
}

function isRetry(data: unknown): data is { retry: PriorDiscovery } {
  return typeof data === 'object' && data !== null && 'retry' in data;
}

function speaksModern(discover: Json | undefined): discover is JsonObject {
  return isObject(discover) && Array.isArray(discover.supportedVersions) && discover.supportedVersions.includes(modern);
}

function priorOf(discover: JsonObject): PriorDiscovery {
  return { kind: 'modern', discover: discover as never }; // the SDK parses a prior before it uses it
}

/** A failed start in words: the cause, and what the server printed in the wrong place or to stderr. */
function diagnose(prefix: string, cause: string, transport: ServerTransport): string {
  const sentences = [`${prefix} did not start: ${cause.replace(/\.$/, '')}.`];
  const noise = printed(transport);
  if (noise !== null) sentences.push(noise);
  if (transport.dropped.oversize > 0) sentences.push('It sent a message over the size limit.');
  const lines = (transport.stderr ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  // A program that crashes says why before it prints where: the line that names the error, else the last ones.
  const says = lines.findLast((line) => /\b\w*error\b|cannot|not found|denied|refused/i.test(line));
  const tail = visible(says ?? lines.slice(-3).join(' · ')).slice(0, 300);
  if (tail !== '') sentences.push(`Its stderr says: ${tail}`);
  return sentences.join(' ');
}

/** What a server printed where only messages belong, or null. */
export function printed(transport: ServerTransport): string | null {
  const { noise, firstNoise } = transport.dropped;
  if (noise === 0) return null;
  return `It prints text on its stdout, where only messages belong (${noise} ${noise === 1 ? 'line' : 'lines'}): "${firstNoise ?? ''}".`;
}
