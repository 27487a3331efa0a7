// A small server over Streamable HTTP that answers only who sends its key along: for tests of servers with headers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function openTeamServer(key: string) {
  let refused = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.headers['x-team-key'] !== key) {
        refused++;
        return void response.writeHead(401).end();
      }
      // The desk is the only one that sends anything here.
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const answer = answers[method];
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      const error = { code: -32601, message: 'not known' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(answer === undefined ? { error } : { result: answer }) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const answers: Record<string, object> = {
  'server/discover': {
    ...whole,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'team', version: '1' } },
  },
  'tools/list': {
    ...whole,
    tools: [
      { name: 'who_is_in', description: 'Says who is in today.', inputSchema: { type: 'object', properties: {} } },
    ],
  },
};
