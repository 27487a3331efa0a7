// Servers over HTTP that go wrong at the start, in their lists or outside tools/call. Argument, or the rest of the path: how.
import { complete, json, say, serveHttp, stream, text, tool } from './httpFrame.mjs';

const listening = process.argv[2] === 'listens';
let pages = 0;
let pestered = 0;
const asks = (message) => ({
  jsonrpc: '2.0',
  id: message.id,
  result: {
    resultType: 'input_required',
    inputRequests: {
      who: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      },
    },
    requestState: 'a\ud800b',
  },
});

/** @type {Record<string, (message: any, response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => boolean | void>} */
const kinds = {
  silent: () => true,
  html(message, response) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
    return true;
  },
  down(message, response) {
    response.writeHead(503).end('soon');
    return true;
  },
  signIn(message, response) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return true;
  },
  forbidden(message, response) {
    response.writeHead(403).end();
    return true;
  },
  loop(message, response) {
    response.writeHead(307, { location: '/mcp/loop' }).end();
    return true;
  },
  away(message, response) {
    response.writeHead(307, { location: 'https://example.com/mcp' }).end();
    return true;
  },
  endless(message, response) {
    if (message?.method !== 'tools/list') return false;
    json(response, complete(message.id, { tools: [tool(`t_${pages++}`)], nextCursor: String(pages) }));
    return true;
  },
  slowList(message) {
    return message?.method === 'tools/list';
  },
  /** Anything but what may ask, asks. */
  listAsks(message, response) {
    if (message?.method !== 'tools/list') return false;
    json(response, asks(message));
    return true;
  },
  /** Resources and prompts ask first and answer when asked again with the same state. */
  asks(message, response) {
    const { method, params } = message ?? {};
    if (method !== 'resources/read' && method !== 'prompts/get') return false;
    say({ method, person: params._meta['example.com/person'] });
    const same = params.requestState === 'a\ud800b' && params.inputResponses.who.action === 'accept';
    const read = {
      contents: [{ uri: 'x://y', text: 'read', mimeType: 'text/plain' }],
      ttlMs: 0,
      cacheScope: 'private',
    };
    const prompt = { description: 'd', messages: [{ role: 'user', content: { type: 'text', text: params.name } }] };
    if (same) json(response, complete(message.id, method === 'prompts/get' ? prompt : read));
    else json(response, asks(message));
    return true;
  },
  /** A prompt, a document and an answer, each against the protocol. */
  invalid(message, response) {
    const wrong = {
      'prompts/get': { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] },
      'resources/read': { contents: [{ uri: 7, text: 'x' }], ttlMs: 0, cacheScope: 'private' },
      'tools/call': { content: 'x' },
    }[message?.method];
    if (wrong === undefined) return false;
    json(response, complete(message.id, wrong));
    return true;
  },
  prompts(message, response) {
    if (message?.method !== 'prompts/list') return false;
    const prompts = [
      { name: 'good', arguments: [{ name: 'order', required: true }] },
      { name: 'bad', arguments: 7 },
    ];
    json(response, complete(message.id, { prompts, ttlMs: 0, cacheScope: 'private' }));
    return true;
  },
  /** Listens, then floods the stream with changes. */
  listens(message, response) {
    if (message?.method !== 'subscriptions/listen') return false;
    const send = stream(response);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id };
    send({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: message.params.notifications, _meta },
    });
    for (let n = 0; n < 5_000; n++) send({ method: 'notifications/tools/list_changed', params: { _meta } });
    response.on('close', () => say('left'));
    return true;
  },
  /** An older server with sessions: the first one it forgets after one call. */
  sessions(message, response, request) {
    const session = request.headers['mcp-session-id'];
    if (request.method === 'DELETE') say({ deleted: session });
    if (request.method === 'GET' && session === 's1') {
      const send = stream(response);
      send({ method: 'notifications/tools/list_changed' });
      return true;
    }
    if (message?.method === 'server/discover') {
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no session' } }, 400);
      return true;
    }
    if (message?.method === 'initialize') {
      response.setHeader('mcp-session-id', `s${++pages}`);
      const serverInfo = { name: 'old', version: '1' };
      const capabilities = { tools: { listChanged: true } };
      const result = { protocolVersion: '2025-11-25', serverInfo, capabilities };
      json(response, { jsonrpc: '2.0', id: message.id, result });
      return true;
    }
    if (message !== null && message.method === undefined) return ++pestered > 0;
    if (message?.method === 'resources/read') {
      say({ read: session });
      // The first session is lost by then.
      const lost = { error: { code: -32001, message: 'Session not found' } };
      const found = { result: { contents: [{ uri: message.params.uri, text: 'kept' }] } };
      const isLost = session === 's1';
      json(response, { jsonrpc: '2.0', id: message.id, ...(isLost ? lost : found) }, isLost ? 404 : 200);
      return true;
    }
    if (message?.method !== 'tools/call') return false;
    say({ called: session, revision: request.headers['mcp-protocol-version'] });
    if (message.params.name === 'hangs') return true;
    // Nine hundred requests to the host, whose answers wait: how many are on their way at once?
    if (message.params.name === 'pesters') {
      const send = stream(response);
      for (let n = 0; n < 900; n++) send({ id: `r-${n}`, method: 'ping' });
      // None is answered: as many come as may be on their way at once, and one too many would come in the time after.
      const wait = setInterval(() => {
        if (pestered < 16) return;
        clearInterval(wait);
        setTimeout(() => send(complete(message.id, text(`${pestered} at once`))), 300);
      }, 20);
      return true;
    }
    if (message.params.name === 'asks') {
      json(response, asks(message));
      return true;
    }
    if (session === `s${pages}` && message.params.name === 'ping') return false;
    json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32001, message: 'Session not found' } }, 404);
    return true;
  },
};
const capabilities = { tools: { listChanged: listening }, resources: {}, prompts: {} };
serveHttp({
  capabilities,
  on(message, response, request) {
    if (message?.method === 'notifications/cancelled') say({ cancelled: message.params.requestId });
    const kind = process.argv[2] ?? /^\/mcp\/(\w+)/.exec(request.url)?.[1];
    return kinds[kind](message, response, request);
  },
});
