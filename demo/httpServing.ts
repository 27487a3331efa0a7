/**
 * Streamable HTTP for one server factory: 2026-07-28 without state, 2025-11-25 by session, on one address. The guards
 * (host, origin, method, size) stand before either; what a request then means is the SDK's business.
 */
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  isLegacyRequest,
  isJSONRPCRequest,
  localhostAllowedHostnames,
  originValidationResponse,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServer,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { both, notifierOf, type Connected } from './changes.ts';
import { createClientLog } from './clientLog.ts';
import { refuse } from './environment.ts';
import { followSubscriptions, refusedListen } from './listening.ts';
import type { OlderServer, OlderSession, Served, ServerFactory, ServingOptions } from './servingOptions.ts';

const PATH = '/mcp';
const MAX_BODY_BYTES = 1_048_576;
/** A client that never ends its sessions costs its own oldest one. */
const MAX_SESSIONS = 256;
/** A whole request must have come within this time. */
const REQUEST_MS = 30_000;
const MODERN = '2026-07-28';

/** What no client sends and the SDK's checks read past: an origin of nothing, a host with somebody in front of it. */
function oddHeaders(request: Request): Response | undefined {
  const odd = request.headers.get('origin') === '' || request.headers.get('host')?.includes('@') === true;
  return odd ? problem(403, -32_000, 'The Origin or Host of this request is not one this server answers.') : undefined;
}

function problem(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}

interface Sessions {
  /** The older revision: `initialize` opens a session, everything after names it; one of another replica is 404. */
  answer(request: Request, authInfo: AuthInfo | undefined, parsedBody?: unknown): Promise<Response>;
  close(): Promise<void>;
}

function createSessions(openOne: OlderServer['open'], keepAliveMs: number): Sessions {
  interface Session {
    transport: OlderSession;
    /** Who opened it; to everybody else it does not exist. */
    subject: string | undefined;
  }
  const sessions = new Map<string, Session>();

  async function open(request: Request, authInfo: AuthInfo | undefined, parsedBody: unknown): Promise<Response> {
    const transport = await openOne({
      keepAliveMs,
      opened: (id) => sessions.set(id, { transport, subject: authInfo?.clientId }),
      closed: () => {
        if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
      },
    });
    const response = await transport.handleRequest(request, { parsedBody, ...(authInfo ? { authInfo } : {}) });
    if (transport.sessionId === undefined) await transport.close();
    const [oldest] = sessions.values();
    if (oldest && sessions.size > MAX_SESSIONS) await oldest.transport.close();
    return response;
  }

  return {
    answer: async (request, authInfo, parsedBody) => {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return await open(request, authInfo, parsedBody);
      const session = sessions.get(id);
      if (!session || session.subject !== authInfo?.clientId)
        return problem(404, -32_001, 'There is no such session here. Open a new one with initialize.');
      sessions.delete(id);
      sessions.set(id, session);
      return await session.transport.handleRequest(request, { parsedBody, ...(authInfo ? { authInfo } : {}) });
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

/** Opens sessions of 2025-11-25 with servers that speak both revisions; `connected` holds those that are open. */
function sessionsOf(create: () => Connected, connected: Set<Connected>): OlderServer['open'] {
  return async ({ keepAliveMs, opened, closed }) => {
    const made = create();
    const { server } = made;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      keepAliveMs,
      onsessioninitialized: (id) => {
        opened(id);
        connected.add(made);
      },
    });
    server.server.onclose = () => {
      connected.delete(made);
      closed();
    };
    await server.connect(transport);
    return transport;
  };
}

interface Answering {
  /** `body` is read only when the guards let the request pass; undefined: it is too large. */
  answer(request: Request, body: () => Promise<string | undefined>): Promise<Response>;
  /** JSON-RPC requests so far, by the revision they came in. */
  counted: ReadonlyMap<string, number>;
  /** Tells the clients of this process. */
  local: ServerNotifier;
  close(): Promise<void>;
}

/** Who asks, by the one token a request carries; a Response says why it is not answered. */
function signedIn(request: Request, { signIn }: Required<Served>): AuthInfo | Response | undefined {
  if (!signIn) return undefined;
  const given = request.headers.get('authorization');
  if (given?.includes(',')) return problem(400, -32_600, 'A request carries one Authorization header.');
  const token = /^Bearer ([\w~+/.=-]+)$/i.exec(given ?? '')?.[1];
  const found = token === undefined ? undefined : signIn(token);
  if (found) return found;
  const why = given === null ? 'Bearer' : 'Bearer error="invalid_token"';
  return problem(401, -32_000, 'Sign in: this server answers requests with a valid token only.', {
    'www-authenticate': why,
  });
}

function createAnswering(
  program: string,
  { hosts, older, commentMs }: ServingOptions,
  served: Required<Served>,
  factory: ServerFactory | OlderServer,
): Answering {
  const names = [...localhostAllowedHostnames(), ...hosts];
  const onerror = (error: Error): void => console.error(error.message);
  const counted = new Map<string, number>();
  const logClient = createClientLog(program);
  const connected = new Set<Connected>();
  const told = notifierOf(connected);
  const modern =
    typeof factory === 'function'
      ? createMcpHandler((): McpServer => factory(local), { legacy: 'reject', keepAliveMs: commentMs, onerror })
      : undefined;
  const local: ServerNotifier = modern ? both(modern.notify, told) : told;
  function create(make: ServerFactory): Connected {
    const server = make(local);
    return { server, subscribed: followSubscriptions(server, served.mayListen) };
  }
  const sessions = createSessions(
    typeof factory === 'function' ? sessionsOf(() => create(factory), connected) : factory.open,
    commentMs,
  );

  function count(request: Request, body: unknown, legacy: boolean): void {
    if (!isJSONRPCRequest(body)) return;
    const version = legacy ? olderVersion(request, body.params) : MODERN;
    counted.set(version, (counted.get(version) ?? 0) + 1);
  }

  async function answer(request: Request, body: () => Promise<string | undefined>): Promise<Response> {
    const refused =
      oddHeaders(request) ?? hostHeaderValidationResponse(request, names) ?? originValidationResponse(request, names);
    if (refused) return refused;
    if (new URL(request.url).pathname !== PATH) return problem(404, -32_000, `This server answers at ${PATH}.`);
    const caller = signedIn(request, served);
    if (caller instanceof Response) return caller;
    if (request.method !== 'POST') {
      const ofSession = older && request.headers.has('mcp-session-id');
      if (ofSession && (request.method === 'GET' || request.method === 'DELETE'))
        return await sessions.answer(request, caller);
      return problem(405, -32_000, 'Only POST is answered.', { allow: 'POST' });
    }
    if (!isJsonContentType(request.headers.get('content-type')))
      return problem(415, -32_000, 'A request is application/json.');
    const text = await body();
    if (text === undefined) return problem(413, -32_000, `A request is at most ${MAX_BODY_BYTES} bytes.`);
    let parsedBody: unknown;
    try {
      parsedBody = JSON.parse(text);
    } catch {
      return problem(400, -32_700, 'The request is not JSON.');
    }
    const legacy = modern === undefined || (await isLegacyRequest(request, parsedBody));
    count(request, parsedBody, legacy);
    logClient(parsedBody);
    if (modern === undefined || (legacy && older)) return await sessions.answer(request, caller, parsedBody);
    const unlistened = await refusedListen(parsedBody, served.mayListen, caller);
    if (unlistened) return Response.json(unlistened);
    return await modern.fetch(request, { parsedBody, ...(caller ? { authInfo: caller } : {}) });
  }

  return {
    answer,
    counted,
    local,
    close: async () => {
      await Promise.all([modern?.close(), sessions.close()]);
    },
  };
}

/** The revision a request of the older kind names, of those that exist: what a client makes up is not counted apart. */
function olderVersion(request: Request, params: unknown): string {
  const inBody =
    params && typeof params === 'object' && 'protocolVersion' in params ? params.protocolVersion : undefined;
  const named = request.headers.get('mcp-protocol-version') ?? inBody;
  return SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === named) ?? 'unnamed';
}

/** Node's request as the SDK wants it; its signal aborts when the caller hangs up, which ends what the tool is doing. */
function toRequest(incoming: IncomingMessage, response: ServerResponse): Request {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const { method = 'GET', url = '/' } = incoming;
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers, signal: left.signal });
}

/** The rest of a body that is too large runs off unread, so that its sender gets to read why. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    // A request to which no encoding was given yields bytes.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      incoming.resume();
      return undefined;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function respond(answering: Answering, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let answer: Response;
  try {
    answer = await answering.answer(toRequest(incoming, response), () => readBody(incoming));
  } catch (error) {
    console.error(error);
    answer = problem(500, -32_603, 'The server could not answer.');
  }
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
  if (!answer.body) {
    response.end();
    return;
  }
  // A caller who leaves breaks the pipe, and that cancels the stream behind it.
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => undefined);
}

export function serveHttp(
  program: string,
  options: ServingOptions,
  served: Required<Served>,
  factory: ServerFactory | OlderServer,
): { local: ServerNotifier; close(): Promise<void> } {
  const answering = createAnswering(program, options, served, factory);
  const server = createServer(
    { requestTimeout: REQUEST_MS },
    (incoming, response) => void respond(answering, incoming, response),
  );
  server.on('error', (error) => refuse(program, `cannot listen on port ${String(options.port)}: ${error.message}`));
  const listenOn = options.hosts.length === 0 ? { host: '127.0.0.1' } : {};
  server.listen({ port: options.port, ...listenOn }, () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : options.port;
    console.log(JSON.stringify({ url: `http://127.0.0.1:${String(port)}${PATH}` }));
  });
  return {
    local: answering.local,
    close: async () => {
      server.close();
      await answering.close();
      server.closeAllConnections();
      console.error(`${program}: requests by revision ${JSON.stringify(Object.fromEntries(answering.counted))}`);
    },
  };
}
