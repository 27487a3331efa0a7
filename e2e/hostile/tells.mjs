// A server that says of itself what its file holds, as JSON, each time it is asked. `node tells.mjs FILE [older]`: as a modern
// server at every `server/discover`, or as one of 2025-11-25 at its handshake.
import { readFileSync } from 'node:fs';
import { result, send, serve } from './lineServer.mjs';

const [, , file, older] = process.argv;
const said = () => JSON.parse(readFileSync(file, 'utf8'));

serve({
  on({ id, method }) {
    if (method === 'server/discover' && older !== undefined)
      send({ id, error: { code: -32601, message: 'Method not found' } });
    else if (method === 'server/discover')
      result(id, {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        instructions: said(),
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tells', version: '1' } },
      });
    else if (method === 'initialize')
      send({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'tells', version: '1' },
          instructions: said(),
        },
      });
    else return false;
    return true;
  },
});
