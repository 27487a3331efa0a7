// A server over HTTP that completes badly and lists odd templates. What it does goes by the argument that is completed.
import { complete, json, serveHttp } from './httpFrame.mjs';

const values = (n) => Array.from({ length: n }, (_, at) => `value ${at}`);
const answers = {
  many: { completion: { values: values(100), total: 150, hasMore: true } },
  over: { completion: { values: values(101) } },
  odd: { completion: { values: ['x'.repeat(5_000), 'good\u202e'], total: -1 } },
  none: { completion: 7 },
  asks: { resultType: 'input_required', inputRequests: {}, requestState: 's' },
};
const templates = [
  { name: 'good', uriTemplate: 'x://{a}/{b}' },
  { name: 'climbs', uriTemplate: 'x://{+path}' },
  { name: 'lost', uriTemplate: 'x://{__proto__}' },
  { name: 'open', uriTemplate: 'x://{a' },
  { uriTemplate: 'x://{a}' },
  { name: 'none' },
];

serveHttp({
  capabilities: { resources: {}, prompts: {}, completions: {} },
  on(message, response) {
    if (message?.method === 'resources/templates/list')
      json(response, complete(message.id, { resourceTemplates: templates, ttlMs: 0, cacheScope: 'private' }));
    else if (message?.method === 'completion/complete')
      json(response, complete(message.id, answers[message.params.argument.name]));
    else return false;
    return true;
  },
});
