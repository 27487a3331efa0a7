// Servers that break the wire over HTTP. Argument, or the rest of the path: how. All answer a plain `ping` tool unless that is what they break.
import { gzipSync } from 'node:zlib';
import { complete, json, say, serveHttp, stream, text, tool } from './httpFrame.mjs';

const type = { 'content-type': 'application/json' };
const zeros = 'x'.repeat(1024 * 1024);
let tick = 0;

/** Writes as fast as it is read, for ever. */
function forever(response, block) {
  const more = () => {
    while (!response.destroyed) if (!response.write(block)) return void response.once('drain', more);
  };
  more();
}

/** @type {Record<string, (message: any, response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => void>} */
const calls = {
  /** A body without end. */
  endless(message, response) {
    response.writeHead(200, type);
    response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"complete","content":"`);
    forever(response, zeros);
  },
  /** One event without end. */
  endlessEvent(message, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    forever(response, zeros);
  },
  /** One message of 50 MB, well formed. */
  huge(message, response) {
    json(response, complete(message.id, text('x'.repeat(50 * 1024 * 1024))));
  },
  hugeEvent(message, response) {
    stream(response)(complete(message.id, text('x'.repeat(50 * 1024 * 1024))));
  },
  /** 50 MB packed into 50 kB. */
  bomb(message, response) {
    response.writeHead(200, { ...type, 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(complete(message.id, text('x'.repeat(50 * 1024 * 1024))))));
  },
  packed(message, response) {
    response.writeHead(200, { ...type, 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(complete(message.id, text('unpacked')))));
  },
  /** Packed twice, or in a way nobody knows. */
  oddlyPacked(message, response) {
    response.writeHead(200, { ...type, 'content-encoding': 'gzip, gzip' });
    response.end('?');
  },
  deep(message, response) {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    json(response, `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"structuredContent":${deep}}}`);
  },
  deepEvent(message, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    response.end(`data: {"jsonrpc":"2.0","result":{"structuredContent":${deep}},"id":${message.id}}\n\n`);
  },
  slow(message, response) {
    response.writeHead(200, type);
    const bytes = JSON.stringify(complete(message.id, text('slow')));
    let at = 0;
    setInterval(() => response.write(bytes[at++] ?? ' '), 50);
  },
  never() {
    say('asked');
  },
  /** Headers and then nothing. */
  half(message, response) {
    response.writeHead(200, type);
    response.flushHeaders();
  },
  breaks(message, response) {
    response.writeHead(200, { ...type, 'content-length': '1000' });
    response.write('{"jsonrpc":"2.0",', () => response.destroy());
  },
  cuts(message, response) {
    stream(response)({ method: 'notifications/message', params: { level: 'info', data: 1 } });
    setTimeout(() => response.end(), 20);
  },
  exits() {
    process.exit(7);
  },
  both(message, response) {
    json(response, { ...complete(message.id, text('yes')), error: { code: -1, message: 'no' } });
  },
  neither(message, response) {
    json(response, { jsonrpc: '2.0', id: message.id });
  },
  twice(message, response) {
    const send = stream(response);
    send(complete(message.id, text('first')));
    send(complete(message.id, text('second')));
  },
  strange(message, response) {
    json(response, complete(987654, text('for nobody')));
  },
  asText(message, response) {
    json(response, complete(String(message.id), text('as a string')));
  },
  batch(message, response) {
    json(response, [complete(message.id, text('in a list'))]);
  },
  html(message, response) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<html><script>alert(1)</script>Welcome</html>');
  },
  /** HTML that calls itself JSON. */
  lies(message, response) {
    json(response, '<html>Welcome</html>');
  },
  empty(message, response) {
    json(response, '');
  },
  accepted(message, response) {
    response.writeHead(202).end();
  },
  gateway(message, response) {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>Bad gateway</html>');
  },
  signIn(message, response) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  },
  refused(message, response) {
    json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'no' } }, 400);
  },
  /** Its own address, for ever. */
  loop(message, response) {
    response.writeHead(307, { location: `/mcp/loop?${tick++}` }).end();
  },
  away(message, response) {
    response.writeHead(308, { location: 'http://127.0.0.2:9/mcp' }).end();
  },
  becomesGet(message, response) {
    response.writeHead(303, { location: '/mcp' }).end();
  },
  longAway(message, response) {
    response.writeHead(307, { location: `/mcp?${'x'.repeat(3_000)}` }).end();
  },
  moved(message, response, request) {
    if (!request.url.endsWith('?here'))
      response.writeHead(307, { location: '/mcp/moved?here', 'set-cookie': 'id=1' }).end();
    else json(response, complete(message.id, text(`${request.url} ${String(request.headers.cookie)}`)));
  },
  unknownType(message, response) {
    json(response, { jsonrpc: '2.0', id: message.id, result: { resultType: 'task', taskId: 't-1' } });
  },
  emptyRound(message, response) {
    json(response, { jsonrpc: '2.0', id: message.id, result: { resultType: 'input_required' } });
  },
  bigState(message, response) {
    const result = { resultType: 'input_required', requestState: 's'.repeat(6 * 1024 * 1024) };
    json(response, { jsonrpc: '2.0', id: message.id, result });
  },
  hugeState(message, response) {
    const result = { resultType: 'input_required', requestState: 's'.repeat(10 * 1024 * 1024) };
    json(response, { jsonrpc: '2.0', id: message.id, result });
  },
  manyQuestions(message, response) {
    const ask = { method: 'elicitation/create', params: { mode: 'form', message: '?', requestedSchema: {} } };
    const inputRequests = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`q${n}`, ask]));
    json(response, { jsonrpc: '2.0', id: message.id, result: { resultType: 'input_required', inputRequests } });
  },
  oddState(message, response) {
    if (message.params.requestState === 'a\ud800b') json(response, complete(message.id, text('same')));
    else
      json(
        response,
        `{"jsonrpc":"2.0","id":${message.id},"result":{"resultType":"input_required","request\\u0053tate":"a\\ud800b"}}`,
      );
  },
  /** Ten thousand notices a second, then the answer. */
  notices(message, response) {
    const send = stream(response);
    for (let n = 0; n < 10_000; n++) send({ method: 'notifications/message', params: { level: 'info', data: n } });
    send(complete(message.id, text('after the flood')));
    response.end();
  },
  /** Notices for ever, and no answer. */
  flood(message, response) {
    stream(response);
    forever(response, 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}\n\n'.repeat(100));
  },
  comments(message, response) {
    stream(response);
    forever(response, ':\n\n'.repeat(1_000));
  },
  progress(message, response) {
    const send = stream(response);
    const { progressToken } = message.params._meta;
    setInterval(
      () => send({ method: 'notifications/progress', params: { progressToken, progress: 5 - (tick++ % 3) } }),
      20,
    );
  },
  growing(message, response) {
    const send = stream(response);
    const { progressToken } = message.params._meta;
    response.on('close', () => say('closed'));
    setInterval(() => send({ method: 'notifications/progress', params: { progressToken, progress: tick++ } }), 20);
  },
  /** Asks the host for things it did not offer. */
  asks(message, response) {
    const send = stream(response);
    send({ id: 'r-1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send(complete(message.id, text('asked')));
    response.end();
  },
  /** Two steps of progress, then the answer after the other call's. */
  steps(message, response) {
    const send = stream(response);
    const { _meta, arguments: given } = message.params;
    for (const progress of [1, 2])
      send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress } });
    setTimeout(() => send(complete(message.id, text(String(given.n)))), given.ms);
  },
  /** Every call it gets is a line; then the connection breaks. */
  counts(message, response) {
    say({ ran: message.id });
    response.destroy();
  },
  /** An event with an id and a time to come back, as for a stream to be resumed. */
  resumable(message, response) {
    say({ ran: message.id });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\nretry: 1\ndata: \n\n', () => response.destroy());
  },
  header(message, response, request) {
    say(request.headers);
    json(response, complete(message.id, text('pong')));
  },
};

const headerTool = tool('bad', {
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
});
serveHttp({
  tools: [tool('ping'), headerTool],
  on(message, response, request) {
    if (message?.method !== 'tools/call' || message.params.name !== 'bad') {
      if (request.method === 'GET') say('resumed');
      return false;
    }
    const kind = process.argv[2] ?? /^\/mcp\/(\w+)/.exec(request.url)?.[1];
    calls[kind](message, response, request);
    return true;
  },
});
