// A server whose tools ask, each in its own way. Every request it gets is a line in the file of its first argument, so a
// test sees what came back and how often. It keeps nothing itself: a restarted one goes on by the state it is given.
import { appendFileSync } from 'node:fs';
import { result, send, serve, tool } from './lineServer.mjs';

const [, , log] = process.argv;
// Half of a surrogate pair: a store that keeps text as UTF-8 would change it.
const odd = 's-\ud83d"\u0000\u200b-1';
const release = {
  type: 'object',
  properties: { release: { type: 'boolean', title: 'Release' } },
  required: ['release'],
};
const form = (message, requestedSchema = release) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});
const secret = { type: 'object', properties: { password: { type: 'string', title: 'Your password' } } };

serve({
  on(request) {
    if (request.method === 'tools/list') {
      const names = ['confirm', 'pair', 'refuses', 'endless', 'empty', 'secret'];
      const schema = { type: 'object', properties: { word: { type: 'string' } } };
      const tools = names.map((name) => tool(name, { inputSchema: schema }));
      result(request.id, { tools, ttlMs: 0, cacheScope: 'private' });
      return true;
    }
    if (request.method !== 'tools/call') return false;
    const { name, arguments: given, inputResponses, requestState, _meta } = request.params;
    const person = _meta?.['example.com/person'];
    appendFileSync(log, `${JSON.stringify({ id: request.id, name, given, inputResponses, requestState, person })}\n`);
    const ask = (inputRequests, state) =>
      result(request.id, {
        resultType: 'input_required',
        inputRequests,
        ...(state !== undefined && { requestState: state }),
      });
    const done = (words) => result(request.id, { content: [{ type: 'text', text: words }] });
    const answered = inputResponses !== undefined;
    if (name === 'confirm')
      if (!answered) ask({ sure: form('Release the refund?') }, odd);
      else if (requestState !== odd) done('the state came back changed');
      else done(`answered ${JSON.stringify(inputResponses.sure)}`);
    else if (name === 'pair')
      if (answered) ask(undefined, 'between');
      else if (requestState === 'between') done('both answered, then waited');
      else ask({ one: form('One?'), two: form('Two?') });
    else if (name === 'refuses')
      if (answered) send({ id: request.id, error: { code: -32602, message: 'The state is not valid.' } });
      else ask({ sure: form('Sure?') }, 'x');
    else if (name === 'endless') ask({ again: form('Again?') });
    else if (name === 'empty') ask(undefined);
    else ask({ who: form('Log in again', secret) });
    return true;
  },
});
