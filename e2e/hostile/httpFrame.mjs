// The bare frame of a server over Streamable HTTP for the hostile ones: answers what a modern server answers, no more.
// `on` gets each message first, with what it takes to answer it in any way; true means it did.
import { createServer } from 'node:http';

export const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
});
export const text = (value) => ({ content: [{ type: 'text', text: value }] });
export const complete = (id, value) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } });

/** A whole answer as JSON. */
export function json(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** An answer as a stream: gives what sends one event. */
export function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

/** A line for the test, after the address. */
export const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/**
 * @param {{
 *   tools?: object[], capabilities?: object,
 *   on?: (message: any, response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => boolean | void,
 * }} options
 */
export function serveHttp({ tools = [tool('ping'), tool('bad')], capabilities = { tools: {} }, on = () => false }) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (body += part));
    request.on('error', () => undefined);
    request.on('end', () => {
      const message = body === '' ? null : JSON.parse(body);
      if (on(message, response, request) === true) return;
      answer(message, response, { tools, capabilities });
    });
  });
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
    say({ url: `http://127.0.0.1:${server.address().port}/mcp` }),
  );
  process.stdin.on('end', () => process.exit(0)).resume();
}

function answer(message, response, { tools, capabilities }) {
  if (message === null) json(response, '', 405);
  else if (message.id === undefined) response.writeHead(202).end();
  else if (message.method === 'server/discover')
    json(
      response,
      complete(message.id, {
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hostile', version: '1' } },
      }),
    );
  else if (message.method === 'tools/list')
    json(response, complete(message.id, { tools, ttlMs: 60_000, cacheScope: 'private' }));
  else if (message.method === 'tools/call') json(response, complete(message.id, text('pong')));
  else json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no such method' } });
}
