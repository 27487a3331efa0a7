// An older server may end the stream of an answer and give the rest on another (2025-11-25, "Resumability"): asked for by
// GET after the time it says, with the call itself sent once.
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { createConnection, type Connection } from './connection.ts';

let http: Server | undefined;
let one: Connection | undefined;
afterEach(async () => {
  await one?.close();
  http?.closeAllConnections();
  http?.close();
});

interface Seen {
  posts: number;
  /** Last-Event-ID of each GET that named one, and how long after the stream ended it came. */
  gets: { after: string; ms: number }[];
}
/** `rest` is what a GET is given, by how often it was asked. */
async function older(first: string, rest: (times: number, id: Json) => string | null): Promise<Seen> {
  const seen: Seen = { posts: 0, gets: [] };
  let called: Json = null;
  let ended = 0;
  http = createServer((request, response) => {
    const stream = { 'content-type': 'text/event-stream', 'mcp-session-id': 's-1' };
    if (request.method === 'GET') {
      const after = request.headers['last-event-id'];
      if (typeof after !== 'string') return void response.writeHead(405).end();
      seen.gets.push({ after, ms: performance.now() - ended });
      const text = rest(seen.gets.length, called);
      if (text === null) response.writeHead(404).end();
      else response.writeHead(200, stream).end(text);
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const message = JSON.parse(body === '' ? '{}' : body) as JsonObject; // the desk sends JSON
      const { id = null, method } = message;
      const say = (result: JsonObject) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's-1' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize')
        say({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'older', version: '1' },
        });
      else if (method === 'server/discover')
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message: 'no session' } }));
      else if (method === 'tools/call') {
        seen.posts++;
        called = id;
        ended = performance.now();
        response.writeHead(200, stream).end(first);
      } else if (isObject(message.params) || method === 'tools/list') say({ tools: [] });
      else response.writeHead(202).end();
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`; // it listens on a port
  const config = serverConfig.parse({ prefix: 'far', kind: 'http', url });
  one = createConnection(config, { clock: { now: () => Date.now() }, eras: new Map<string, Json>() });
  return seen;
}
const answer = (id: Json) =>
  `id: e-9\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })}\n\n`;
const call = () => one?.call({ tool: 'go', arguments: {} });

describe('an answer whose stream ended early', () => {
  it('is asked for again after the time the server says, from where it ended; the call went out once', async () => {
    const seen = await older('id: e-1\nretry: 120\ndata:\n\n', (_, id) => answer(id));
    expect(await call()).toMatchObject({ kind: 'result', text: 'done' });
    expect(seen.posts).toBe(1);
    expect(seen.gets).toEqual([{ after: 'e-1', ms: expect.any(Number) as number }]);
    expect(seen.gets[0]?.ms).toBeGreaterThan(115);
  });
  it('goes on from the newest event each time', async () => {
    const seen = await older('id: e-1\nretry: 10\ndata:\n\n', (times, id) =>
      times < 3 ? `id: e-1${times}\ndata:\n\n` : answer(id),
    );
    expect(await call()).toMatchObject({ kind: 'result' });
    expect(seen.gets.map(({ after }) => after)).toEqual(['e-1', 'e-11', 'e-12']);
    expect(seen.posts).toBe(1);
  });
  it('is unknown where the rest never comes, is gone, or was never promised', async () => {
    const never = await older('id: e-1\nretry: 5\ndata:\n\n', () => ': nothing\n\n');
    expect(await call()).toMatchObject({ kind: 'unknown' });
    expect([never.posts, never.gets.length]).toEqual([1, 5]);
    await one?.close();
    const gone = await older('id: e-1\nretry: 5\ndata:\n\n', () => null);
    expect(await call()).toMatchObject({ kind: 'unknown' });
    expect([gone.posts, gone.gets.length]).toEqual([1, 1]);
    await one?.close();
    const silent = await older('data:\n\n', (_, id) => answer(id));
    expect(await call()).toMatchObject({ kind: 'unknown' });
    expect([silent.posts, silent.gets.length]).toEqual([1, 0]);
  });
});
