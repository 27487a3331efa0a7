// A server whose tools ask a person by every kind of form there is, one kind a tool. What comes back is a line in the file of
// its first argument; `web` asks for a visit to the address in its arguments; `exits` ends in the middle of its call.
import { appendFileSync } from 'node:fs';
import { result, serve, tool } from './lineServer.mjs';

const [, , log] = process.argv;
const tags = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
  { const: 'b', title: 'Blue' },
];
const forms = {
  optional: {
    properties: {
      pieces: { type: 'integer', title: 'Pieces' },
      gift: { type: 'boolean', title: 'Gift wrap' },
      note: { type: 'string', title: 'Note' },
    },
  },
  defaults: {
    properties: {
      pieces: { type: 'integer', title: 'Pieces', default: 0 },
      gift: { type: 'boolean', title: 'Gift wrap', default: false },
      note: { type: 'string', title: 'Note', default: '' },
    },
  },
  ticks: {
    properties: {
      extras: { type: 'array', title: 'Extras', items: { anyOf: tags } },
      colours: { type: 'array', title: 'Colours', items: { anyOf: tags }, minItems: 1, maxItems: 2 },
      bad: { type: 'array', title: 'Doubtful default', items: { anyOf: tags }, default: 'r' },
    },
    required: ['colours'],
  },
  typed: {
    properties: {
      day: { type: 'string', title: 'Day', format: 'date' },
      moment: { type: 'string', title: 'Moment', format: 'date-time' },
      size: { type: 'number', title: 'Size', minimum: 0 },
      initials: { type: 'string', title: 'Initials', minLength: 2, maxLength: 2 },
      page: { type: 'string', title: 'Page', format: 'uri' },
      finish: { type: 'string', title: 'Finish', enum: ['m1', 'm2'], enumNames: ['Matt', 'Glossy'] },
    },
    required: ['day', 'moment', 'size', 'initials', 'page', 'finish'],
  },
  plain: { properties: {} },
};

serve({
  on(request) {
    if (request.method === 'tools/list') {
      const schema = { type: 'object', properties: { url: { type: 'string' }, amount: { type: 'string' } } };
      const tools = [...Object.keys(forms), 'web', 'exits'].map((name) => tool(name, { inputSchema: schema }));
      result(request.id, { tools, ttlMs: 0, cacheScope: 'private' });
      return true;
    }
    if (request.method !== 'tools/call') return false;
    const { name, arguments: given, inputResponses } = request.params;
    appendFileSync(log, `${JSON.stringify({ name, answer: inputResponses?.it })}\n`);
    if (name === 'exits') process.exit(7);
    if (inputResponses !== undefined) {
      result(request.id, { content: [{ type: 'text', text: 'thanks' }] });
      return true;
    }
    const form = {
      mode: 'form',
      message: `Please fill in: ${name}.`,
      requestedSchema: { type: 'object', ...forms[name] },
    };
    const visit = { mode: 'url', message: 'Pay there, please.', url: given?.url, elicitationId: 'e-1' };
    const params = name === 'web' ? visit : form;
    result(request.id, {
      resultType: 'input_required',
      requestState: 's-1',
      inputRequests: { it: { method: 'elicitation/create', params } },
    });
    return true;
  },
});
