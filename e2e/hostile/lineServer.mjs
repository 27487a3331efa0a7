// The bare frame of a stdio server for the hostile ones: reads lines, answers what a modern server answers, no more.
// `on` gets every request the frame does not answer itself. The caller may replace any answer by returning true.
/** @param {object} message */
export function send(message) {
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
}

export const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

export function result(id, value) {
  send({ id, result: { resultType: 'complete', ...value } });
}

/**
 * @param {{tools?: object[], capabilities?: object, on?: (request: any) => boolean | void}} options
 */
export function serve({ tools = [tool('ping')], capabilities = { tools: { listChanged: true } }, on = () => false }) {
  // By line feeds only: the library's own reader also ends lines at U+2028, which stands in JSON as it is.
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  function take(line) {
    const request = JSON.parse(line);
    if (on(request) === true) return;
    if (request.method === 'server/discover')
      result(request.id, {
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hostile', version: '1' } },
      });
    else if (request.method === 'tools/list') result(request.id, { tools, ttlMs: 0, cacheScope: 'private' });
    else if (request.method === 'tools/call') result(request.id, { content: [{ type: 'text', text: 'pong' }] });
    else if (request.method === 'subscriptions/listen')
      send({
        method: 'notifications/subscriptions/acknowledged',
        params: {
          notifications: request.params.notifications,
          _meta: { 'io.modelcontextprotocol/subscriptionId': request.id },
        },
      });
    else if (request.id !== undefined) send({ id: request.id, error: { code: -32601, message: 'no such method' } });
  }
}
