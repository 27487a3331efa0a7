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
  type McpServer,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { both, notifierOf } from './changes.ts';
import { refuse } from './environment.ts';
import type { ServerFactory, ServingOptions } from './servingOptions.ts';

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
  answer(request: Request, parsedBody?: unknown): Promise<Response>;
  servers: ReadonlySet<McpServer>;
  close(): Promise<void>;
}

function createSessions(create: () => McpServer, keepAliveMs: number): Sessions {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const servers = new Set<McpServer>();

  async function open(request: Request, parsedBody: unknown): Promise<Response> {
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      keepAliveMs,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        servers.add(server);
      },
    });
    server.server.onclose = () => {
      servers.delete(server);
      if (transport.sessionId !== undefined) transports.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined) await server.close();
    const [oldest] = transports.values();
    if (oldest && transports.size > MAX_SESSIONS) await oldest.close();
    return response;
  }

  return {
    servers,
    answer: async (request, parsedBody) => {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return await open(request, parsedBody);
      const transport = transports.get(id);
      if (!transport) return problem(404, -32_001, 'There is no such session here. Open a new one with initialize.');
      transports.delete(id);
      transports.set(id, transport);
      return await transport.handleRequest(request, { parsedBody });
    },
    close: async () => {
      await Promise.all([...servers].map((server) => server.close()));
    },
  };
}

interface Answering {
  /** `body` is read only when the guards let the request pass; undefined: it is too large. */
  answer(request: Request, body: () => Promise<string | undefined>): Promise<Response>;
  /** JSON-RPC requests so far, by the revision they came in. */
  counted: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

function createAnswering({ hosts, older, commentMs }: ServingOptions, factory: ServerFactory): Answering {
  const names = [...localhostAllowedHostnames(), ...hosts];
  const onerror = (error: Error): void => console.error(error.message);
  const counted = new Map<string, number>();
  const modern = createMcpHandler(() => factory(changes), {
    legacy: 'reject',
    keepAliveMs: commentMs,
    onerror,
  });
  const sessions = createSessions(() => factory(changes), commentMs);
  const changes = both(modern.notify, notifierOf(sessions.servers));

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
    if (request.method !== 'POST') {
      const ofSession = older && request.headers.has('mcp-session-id');
      if (ofSession && (request.method === 'GET' || request.method === 'DELETE')) return await sessions.answer(request);
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
    const legacy = await isLegacyRequest(request, parsedBody);
    count(request, parsedBody, legacy);
    if (legacy && older) return await sessions.answer(request, parsedBody);
    return await modern.fetch(request, { parsedBody });
  }

  return {
    answer,
    counted,
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
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
  factory: ServerFactory,
): { close(): Promise<void> } {
  const answering = createAnswering(options, factory);
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
    close: async () => {
      server.close();
      await answering.close();
      server.closeAllConnections();
      console.error(`${program}: requests by revision ${JSON.stringify(Object.fromEntries(answering.counted))}`);
    },
  };
}
