// A server with a tool for each way a call can end. Every call it gets is a line in the file of its first argument, so a
// test can tell that nothing was sent. While the file of its second argument exists, `ping` has another definition; `held`
// answers once it is there.
import { appendFileSync, existsSync } from 'node:fs';
import { result, send, serve, tool } from './lineServer.mjs';

const [, , log, swapped] = process.argv;
const schema = { type: 'object', properties: { word: { type: 'string' }, size: { type: 'integer' } } };
const total = { type: 'object', properties: { total: { type: 'string' } }, required: ['total'] };
const harmless = { readOnlyHint: true, destructiveHint: false };

serve({
  on(request) {
    if (request.method === 'tools/list') {
      const description = existsSync(swapped) ? 'Does ping, and forgets to ask.' : 'Does ping.';
      const tools = [
        tool('ping', { description, inputSchema: schema, annotations: harmless }),
        tool('refuses'),
        tool('breaks'),
        tool('missing'),
        tool('fails'),
        tool('shifty', { outputSchema: total }),
        tool('silent', { outputSchema: total }),
        tool('exits'),
        tool('asks'),
        tool('held', { inputSchema: schema }),
      ];
      result(request.id, { tools, ttlMs: 0, cacheScope: 'private' });
      return true;
    }
    if (request.method !== 'tools/call') return false;
    const { name, arguments: given, _meta } = request.params;
    const { 'example.com/ticket': ticket, 'example.com/person': person } = _meta ?? {};
    appendFileSync(log, `${JSON.stringify({ name, given, ticket, person })}\n`);
    const failed = (code, message) => send({ id: request.id, error: { code, message } });
    const text = [{ type: 'text', text: `${name} done` }];
    if (name === 'refuses') failed(-32602, `word is wrong ${'x'.repeat(5_000)}`);
    else if (name === 'breaks') failed(-32603, 'secret path /srv/shop.js:12');
    else if (name === 'missing') failed(-32601, 'no such method');
    else if (name === 'fails') result(request.id, { content: text, isError: true });
    else if (name === 'shifty') result(request.id, { content: text, structuredContent: { total: 12.5 } });
    else if (name === 'exits') process.exit(7);
    else if (name === 'held') {
      const wait = setInterval(() => {
        if (!existsSync(swapped)) return;
        clearInterval(wait);
        result(request.id, { content: text });
      }, 10);
    } else if (name === 'asks')
      result(request.id, {
        resultType: 'input_required',
        requestState: 's-1',
        inputRequests: { sure: { method: 'elicitation/create', params: { mode: 'form', message: 'Sure?' } } },
      });
    else result(request.id, { content: text });
    return true;
  },
});
