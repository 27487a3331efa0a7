import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answering, issueRound, quoteRound, yes } from './oneRound.ts';
import {
  program,
  serveShop,
  startApi,
  startShop,
  temporaryFolder,
  type ServedShop,
  type StartedApi,
} from './startedPrograms.ts';

const folder = temporaryFolder();
let api: StartedApi;
let shop: ServedShop;
beforeAll(async () => {
  api = await startApi(folder.path);
  shop = await serveShop(api.url, folder.path, { env: { SERVE_COMMENT_MS: '40' } });
});
afterAll(async () => {
  await shop.stop();
  await api.stop();
  folder.remove();
});

const MODERN = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
interface Posted {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
/** One request of 2026-07-28 as it goes over the wire. */
function post(
  to: ServedShop,
  method: string,
  params: Record<string, unknown> = {},
  posted: Posted = {},
): Promise<Response> {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return fetch(to.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...name,
      ...posted.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    ...(posted.signal ? { signal: posted.signal } : {}),
  });
}
function initialize(to: ServedShop, protocolVersion = '2025-11-25'): Promise<Response> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return fetch(to.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}
/** The status of a request with headers `fetch` would not send. */
async function statusWith(url: URL, headers: Record<string, string>, hostname = url.hostname): Promise<number> {
  const sent = request({
    hostname,
    port: url.port,
    path: '/mcp',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end('{}');
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('servers 10: whom the shop over HTTP answers', () => {
  it('a foreign host or origin is refused, an absent origin and one of this machine pass', async () => {
    const own = shop.url.host;
    expect(await statusWith(shop.url, { host: 'fernhill.example' })).toBe(403);
    expect(await statusWith(shop.url, { host: `127.0.0.1.fernhill.example:${shop.url.port}` })).toBe(403);
    expect(await statusWith(shop.url, { host: own, origin: 'https://fernhill.example' })).toBe(403);
    expect(await statusWith(shop.url, { host: own, origin: 'null' })).toBe(403);
    expect(await statusWith(shop.url, { host: own, origin: '' })).toBe(403);
    expect(await statusWith(shop.url, { host: `somebody@${own}` })).toBe(403);
    // 400: past the guards, "{}" is no request.
    expect(await statusWith(shop.url, { host: own })).toBe(400);
    expect(await statusWith(shop.url, { host: own, origin: `http://${own}` })).toBe(400);
    expect((await post(shop, 'tools/list')).status).toBe(200);
  });
  it.runIf(process.platform === 'linux')('only loopback is listened on, unless names are given', async () => {
    await expect(statusWith(shop.url, {}, '127.0.0.2')).rejects.toThrow('ECONNREFUSED');
    const named = await serveShop(api.url, folder.path, { args: ['--host', 'shop.fernhill.example', 'shop'] });
    expect(await statusWith(named.url, { host: 'shop.fernhill.example' }, '127.0.0.2')).toBe(400);
    expect(await statusWith(named.url, { host: 'shop:80', origin: 'https://shop.fernhill.example' })).toBe(400);
    expect(await statusWith(named.url, { host: 'other.fernhill.example' })).toBe(403);
    await named.stop();
  });
  it('GET and DELETE are not allowed, nor any other path or kind of body', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const answer = await fetch(shop.url, {
        method,
        headers: { 'mcp-protocol-version': MODERN, accept: 'text/event-stream' },
      });
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST']);
    }
    expect((await fetch(new URL('/', shop.url), { method: 'POST' })).status).toBe(404);
    expect((await post(shop, 'tools/list', {}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    const broken = await fetch(shop.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[1',
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  });
  it('a body above the limit is refused, with its length named or without', async () => {
    const body = JSON.stringify({ big: 'x'.repeat(1_100_000) });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(shop.url, { method: 'POST', headers, body })).status).toBe(413);
    const stream = new Blob([body]).stream();
    expect((await fetch(shop.url, { method: 'POST', headers, body: stream, duplex: 'half' })).status).toBe(413);
    expect((await post(shop, 'tools/list')).status).toBe(200);
  });
  it('says in one sentence which argument it does not understand', () => {
    const start = (...args: string[]) =>
      spawnSync(process.execPath, [program('servers/shop.ts'), ...args], { encoding: 'utf8', input: '', env: {} });
    const mistyped = start('--htpp');
    expect([mistyped.status, mistyped.stderr]).toEqual([
      2,
      'shop: --htpp is not understood; the arguments are --http [PORT], --host NAME…, --no-2025, --release VALUE.\n',
    ]);
    expect(start('--http', '70000').stderr).toBe('shop: --http 70000 is wrong: a port is a number from 0 to 65535.\n');
  });
});

describe('servers 10: streams', () => {
  /** Reads until the text has what is looked for; the test's own time limit ends a stream that never has it. */
  async function readUntil(response: Response, wanted: RegExp): Promise<string> {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (wanted.test(text)) return text;
    }
    throw new Error(`the stream ended with: ${text}`);
  }
  it('are not to be transformed and send comments, in both revisions', async () => {
    const listening = await post(shop, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const opened = await initialize(shop);
    const session = opened.headers.get('mcp-session-id') ?? '';
    const standing = await fetch(shop.url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
    for (const stream of [listening, standing]) {
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
      await readUntil(stream, /(^|\n):[^\n]*\n[\s\S]*\n:[^\n]*\n/);
    }
    expect(opened.headers.get('cache-control')).toBe('no-cache, no-transform');
    await opened.text();
  });
  it('stop the tool when they are closed', async () => {
    let asked = 0;
    const left: string[] = [];
    const silent = createServer((incoming, response) => {
      asked += 1;
      response.once('close', () => left.push(incoming.url ?? ''));
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const waiting = await serveShop(`http://127.0.0.1:${portOf(silent)}`, folder.path);
    const leave = new AbortController();
    const call = post(
      waiting,
      'tools/call',
      { name: 'get_order_status', arguments: { order_id: 'O-2476' } },
      { signal: leave.signal },
    );
    await expect.poll(() => asked).toBe(1);
    expect(left).toEqual([]);
    leave.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => left).toEqual(['/orders/O-2476']);
    await waiting.stop();
    silent.close();
  });
  it('do not keep the server: it ends with its stdin, or at SIGTERM', async () => {
    for (const end of ['stdin', 'SIGTERM']) {
      const served = await serveShop(api.url, folder.path);
      const stream = await post(served, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
      expect(stream.status).toBe(200);
      const closed = once(served.child, 'close');
      if (end === 'stdin') served.child.stdin?.end();
      else served.child.kill('SIGTERM');
      expect(await closed, end).toEqual([0, null]);
    }
  });
});

describe('servers 10: both revisions on one address', () => {
  it('ask the same confirmation: as a result in 2026-07-28, pushed in 2025-11-25', async () => {
    const newer = await shop.connect();
    const older = await shop.connect({ mode: 'legacy' });
    expect([newer.getNegotiatedProtocolVersion(), older.getNegotiatedProtocolVersion()]).toEqual([
      MODERN,
      '2025-11-25',
    ]);
    const pushed: unknown[] = [];
    older.setRequestHandler('elicitation/create', ({ params }) => {
      pushed.push(params);
      return { action: 'accept', content: { release: true } };
    });
    const id = await quoteRound(older, 'O-2289');
    const asked = await issueRound(newer, id);
    const done = await older.callTool({ name: 'issue_refund', arguments: { quote_id: id } });
    expect(done.structuredContent).toMatchObject({ quote_id: id, amount: '180.00', status: 'requested' });
    const { params } = z.object({ params: z.record(z.string(), z.unknown()) }).parse(asked.requests.confirm);
    expect(pushed).toEqual([{ ...params, _meta: expect.anything() as unknown }]);
    expect((await issueRound(newer, id, answering(asked.state, yes))).structured.status).toBe('requested');
    await Promise.all([newer.close(), older.close()]);
  });
  it.each([
    ['accepts with false', { action: 'accept', content: { release: false } }],
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
  ] as const)('servers 5: a refund stays held, and says so, when the 2025-11-25 client %s', async (_name, said) => {
    const older = await shop.connect({ mode: 'legacy' });
    older.setRequestHandler('elicitation/create', () => ({ ...said }));
    const id = await quoteRound(older, 'O-1928');
    const kept = await older.callTool({ name: 'issue_refund', arguments: { quote_id: id } });
    expect(kept.structuredContent).toMatchObject({ quote_id: id, status: 'needs_confirmation' });
    expect(JSON.stringify(kept.content)).toContain('stays held and nothing is paid');
    await older.close();
  });
  it('servers 5: a 2025-11-25 client that cannot be asked gets an error after the hold, and nothing is lost', async () => {
    const mute = await shop.connect({ mode: 'legacy', capabilities: {} });
    const id = await quoteRound(mute, 'O-1085');
    const failed = await mute.callTool({ name: 'issue_refund', arguments: { quote_id: id } });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed.content)).toContain('did not declare the required capability');
    await mute.close();
    expect((await api.ask('/refunds?order_id=O-1085')).body.refunds).toMatchObject([{ status: 'needs_confirmation' }]);
    const able = await shop.connect();
    const { state } = await issueRound(able, id);
    expect((await issueRound(able, id, answering(state, yes))).structured.status).toBe('requested');
    await able.close();
  });
  it('a session belongs to its server: another, and one ended, answer 404', async () => {
    const another = await serveShop(api.url, folder.path);
    const opened = await initialize(shop);
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    const ping = (to: ServedShop, id: string) =>
      fetch(to.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': id,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
      });
    const status = async (to: ServedShop): Promise<number> => {
      const answer = await ping(to, session);
      await answer.text();
      return answer.status;
    };
    expect([await status(shop), await status(another)]).toEqual([200, 404]);
    const del = (to: ServedShop) => fetch(to.url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect([(await del(another)).status, (await del(shop)).status, await status(shop)]).toEqual([404, 200, 404]);
    await another.stop();
  });
  it('are counted apart, by the revision each request came in', async () => {
    const counting = await serveShop(api.url, folder.path);
    for (const id of [1, 2, 3]) expect((await post(counting, 'tools/list', { id })).status).toBe(200);
    await (await initialize(counting)).text();
    await (await initialize(counting, '1999-01-01')).text();
    expect(await counting.stop()).toBe(0);
    expect(counting.log()).toContain('shop: requests by revision {"2026-07-28":3,"2025-11-25":1,"unnamed":1}\n');
  });
  it('2025 can be switched off, over HTTP and stdio: the error names the versions spoken', async () => {
    const strict = await serveShop(api.url, folder.path, { args: ['--no-2025'] });
    const refused = await initialize(strict);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: [MODERN], requested: '2025-11-25' } } },
    ]);
    const get = await fetch(strict.url, { headers: { 'mcp-session-id': 'x', accept: 'text/event-stream' } });
    expect(get.status).toBe(405);
    expect((await post(strict, 'tools/list')).status).toBe(200);
    await strict.stop();
    const env = { PATH: process.env.PATH, SHOP_API_URL: api.url, SHOP_API_KEY: 'x', SHOP_DATA: folder.path };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const piped = spawnSync(process.execPath, [program('servers/shop.ts'), '--no-2025'], {
      env,
      encoding: 'utf8',
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ error: { code: -32022, data: { supported: [MODERN] } } });
  });
  it('servers 3: a ticket limits a call of either revision to its customer', async () => {
    for (const mode of ['legacy', { pin: MODERN }] as const) {
      const client = await shop.connect({ mode });
      const status = (order_id: string) =>
        client.callTool({
          name: 'get_order_status',
          arguments: { order_id, ticket: 'T-0003' },
          _meta: { 'example.fernhill/ticket': 'T-0009' },
        });
      // T-0009 is written by C-0129; O-1928 is another customer's, whatever an argument says.
      expect((await status('O-1744')).structuredContent).toMatchObject({ customer_id: 'C-0129' });
      expect((await status('O-1928')).isError).toBe(true);
      await client.close();
    }
  });
});

describe('servers 5: without declared elicitation', () => {
  it('the capability is named with 400 after the hold, and a client that has it finishes the same refund', async () => {
    const client = await shop.connect();
    const id = await quoteRound(client, 'O-1145');
    const refused = await post(shop, 'tools/call', { name: 'issue_refund', arguments: { quote_id: id } });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
    ]);
    const { state } = await issueRound(client, id);
    expect((await issueRound(client, id, answering(state, yes))).structured.status).toBe('requested');
    expect((await api.ask('/refunds?order_id=O-1145')).body.refunds).toHaveLength(1);
    await client.close();
  });
});

describe('servers 4: two at once', () => {
  it('over HTTP get the same refund, though each request has a server of its own', async () => {
    const client = await shop.connect();
    const id = await quoteRound(client, 'O-2327');
    const both = await Promise.all([issueRound(client, id), issueRound(client, id)]);
    expect(both[0].structured).toMatchObject({ amount: '68.99', status: 'requested' });
    expect(both[1].structured).toEqual(both[0].structured);
    expect((await api.ask('/refunds?order_id=O-2327')).body.refunds).toHaveLength(1);
    await client.close();
  });
});

describe('servers 1: the key of the shop', () => {
  it('is all the API sees: a bearer token or cookie sent to the shop never reaches it', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const recorder = createServer((incoming, response) => {
      seen.push(incoming.headers);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    });
    await once(recorder.listen(0, '127.0.0.1'), 'listening');
    const recorded = await serveShop(`http://127.0.0.1:${portOf(recorder)}`, folder.path);
    const headers = {
      authorization: 'Bearer of-the-caller',
      cookie: 'session=of-the-caller',
      'x-api-key': 'of-the-caller',
    };
    for (const mode of ['legacy', { pin: MODERN }] as const) {
      const client = await recorded.connect({ mode, headers });
      const _meta = { 'example.fernhill/ticket': 'T-0009' };
      await client.callTool({ name: 'get_order_status', arguments: { order_id: 'O-1744' }, _meta });
      await client.close();
    }
    await recorded.stop();
    recorder.close();
    recorder.closeAllConnections();
    expect(seen).toHaveLength(4);
    for (const one of seen) {
      expect(one['x-api-key']).toBe('key-for-tests');
      expect(one).not.toHaveProperty('authorization');
      expect(one).not.toHaveProperty('cookie');
    }
    expect(JSON.stringify(seen)).not.toContain('of-the-caller');
    expect(recorded.log()).not.toContain('of-the-caller');
  });
});

describe('servers 8: the same over HTTP and stdio', () => {
  it('are the tools, in both revisions', async () => {
    const piped = await startShop(api.url, folder.path);
    const newer = await shop.connect();
    const older = await shop.connect({ mode: 'legacy' });
    const lists = await Promise.all([piped.client, newer, older].map((client) => client.listTools()));
    const [first, ...others] = lists.map((list) => list.tools);
    expect(others).toEqual([first, first]);
    expect(JSON.stringify(others[0])).toBe(JSON.stringify(first));
    expect(lists[1]).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
    await Promise.all([piped.close(), newer.close(), older.close()]);
  });
});
