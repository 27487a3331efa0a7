/** A server that wants sign-in and an authorization server, both on this computer and as good or bad as a test asks. For tests only. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../shared/json.ts';

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  authorization: string | undefined;
}
/** What differs from the good case; called with the stand's own address. */
export interface StandOptions {
  /** Metadata of the server, by path; the good one stands at the path with `/mcp`. */
  resource?: (at: string) => Record<string, JsonObject>;
  metadata?: (at: string) => JsonObject;
  /** Where the page to sign in leads; the good answer is given to be changed. */
  answer?: (good: URLSearchParams, at: string) => URLSearchParams | string;
  token?: (form: URLSearchParams) => JsonObject;
  registered?: JsonObject;
  /** The token the server takes; none: it takes nobody. */
  takes?: () => string | null;
}

export interface Stand {
  at: string;
  /** The server's address. */
  url: string;
  asked: Asked[];
  of(path: string): Asked[];
  close(): Promise<void>;
}

export async function startStand(options: StandOptions = {}): Promise<Stand> {
  const asked: Asked[] = [];
  let at = '';
  let challenge = '';

  function metadata(): JsonObject {
    return {
      issuer: at,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      registration_endpoint: `${at}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...options.metadata?.(at),
    };
  }
  function resources(): Record<string, JsonObject> {
    const good = { resource: `${at}/mcp`, authorization_servers: [at] };
    return options.resource?.(at) ?? { '/.well-known/oauth-protected-resource/mcp': good };
  }
  function page(query: URLSearchParams): string {
    challenge = query.get('code_challenge') ?? '';
    const good = new URLSearchParams({ code: 'the-code', state: query.get('state') ?? '', iss: at });
    const answer = options.answer?.(good, at) ?? good;
    return typeof answer === 'string' ? answer : `${query.get('redirect_uri') ?? ''}?${answer.toString()}`;
  }
  function token(form: URLSearchParams): [number, JsonObject] {
    const verifier = form.get('code_verifier') ?? '';
    if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
      return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'the-token', token_type: 'Bearer', expires_in: 600, ...options.token?.(form) }];
  }
  function reply({ path, query, body }: Asked): [number, JsonObject] | string {
    const found = path === '/.well-known/oauth-authorization-server' ? metadata() : resources()[path];
    if (found !== undefined) return [200, found];
    if (path === '/authorize') return page(query);
    if (path === '/token') return token(new URLSearchParams(body));
    if (path === '/register') return [201, { client_id: 'registered-client', ...options.registered }];
    return [404, {}];
  }

  /** The server itself: one tool, for whoever brings the token. */
  function served({ body, authorization }: Asked): [number, JsonObject] {
    if (authorization !== `Bearer ${options.takes?.() ?? ''}`) return [401, {}];
    const { id = null, method } = JSON.parse(body) as JsonObject; // the desk sends JSON
    const results: Record<string, JsonObject> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: [{ name: 'go', description: 'Goes.', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'gone' }] },
    };
    const result = results[typeof method === 'string' ? method : ''] ?? {};
    return [
      200,
      { jsonrpc: '2.0', id, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } },
    ];
  }

  const server = createServer((request, response) => {
    void read(request).then((one) => {
      asked.push(one);
      if (one.path === '/mcp') {
        const [status, reply] = served(one);
        const type = { 'content-type': 'application/json' };
        response.writeHead(status, status === 401 ? { ...type, 'www-authenticate': 'Bearer scope="go"' } : type);
        response.end(JSON.stringify(reply));
        return;
      }
      const answer = reply(one);
      if (typeof answer === 'string') response.writeHead(302, { location: answer }).end();
      else response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    at,
    url: `${at}/mcp`,
    asked,
    of: (path) => asked.filter((one) => one.path === path),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  let body = '';
  for await (const part of request) body += String(part);
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    body,
    authorization: request.headers.authorization,
  };
}
