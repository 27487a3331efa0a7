// A server with a view for the results of `report`. `node views.mjs FOLDER`: calls it gets are lines of FOLDER/got.jsonl, what
// the client declares stands in FOLDER/declared.json. FOLDER/view.json, where it exists, is what a reading of the view gives.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { result, send, serve, tool } from './lineServer.mjs';

const [, , folder] = process.argv;
const uri = 'ui://hostile/view.html';
const inputSchema = { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'integer' } } };
const forOnly = (...visibility) => ({ inputSchema, _meta: { ui: { visibility } } });
const tools = [
  tool('report', { _meta: { ui: { resourceUri: uri } } }),
  tool('add', forOnly('app')),
  tool('internal', forOnly('model')),
  tool('both', { inputSchema }),
];

function view() {
  const file = path.join(folder, 'view.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>One</p>' }] };
}

serve({
  tools,
  capabilities: { tools: {}, resources: {} },
  on({ id, method, params }) {
    const declared = params?._meta?.['io.modelcontextprotocol/clientCapabilities'];
    if (declared) writeFileSync(path.join(folder, 'declared.json'), JSON.stringify(declared));
    if (method === 'resources/read') {
      if (params.uri === uri) result(id, { ...view(), ttlMs: 0, cacheScope: 'private' });
      else if (params.uri === 'hostile://note')
        result(id, { contents: [{ uri: params.uri, text: 'A note.' }], ttlMs: 0, cacheScope: 'private' });
      else send({ id, error: { code: -32602, message: 'no such resource' } });
      return true;
    }
    if (method !== 'tools/call') return false;
    const { name, arguments: given } = params;
    appendFileSync(path.join(folder, 'got.jsonl'), `${JSON.stringify({ name, given })}\n`);
    result(id, { content: [{ type: 'text', text: `${name} done` }], structuredContent: { done: name } });
    return true;
  },
});
