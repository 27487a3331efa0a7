// A server whose tools answer with tasks, each in its own way. Every request it gets is a line in the file of its first
// argument, and a task is whatever these lines say, so that a restarted server goes on where it stopped. With `undeclared`
// as second argument it does not say that it knows tasks, and answers with them all the same.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { result, send, serve, tool } from './lineServer.mjs';

const [, , log, how] = process.argv;
const extension = 'io.modelcontextprotocol/tasks';
const form = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which shelf first?',
    requestedSchema: { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'] },
  },
};
const names = [
  'report',
  'slowly',
  'forever',
  'back',
  'asks',
  'refuses',
  'gone',
  'errs',
  'fails',
  'stops',
  'deaf',
  'other',
  'odd',
];
const strange = ['strange', 'nameless', 'endless'];
const lines = () =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
const text = (words) => ({ content: [{ type: 'text', text: words }] });

/** How a task stands when it is asked after for the n-th time. */
function stands(name, taskId, n, of) {
  const told = of.find((one) => one.method === 'tasks/update');
  const stopped = of.some((one) => one.method === 'tasks/cancel');
  const working = (statusMessage, pollIntervalMs = 20) => ({ status: 'working', statusMessage, pollIntervalMs });
  const done = (more = text(`the report of ${name}`)) => ({ status: 'completed', result: more });
  switch (name) {
    case 'report':
      return n < 3 ? working(`counted ${n} of 3`) : done();
    case 'slowly':
      return n < 12 ? working(`counted ${n} of 12`) : done(text(`${taskId} is done`));
    case 'forever':
      return working('still at it', 0);
    case 'back':
      // Further back each time, at an interval that is none; and once it ended it works again.
      return n === 4 ? done() : working(`counted ${64 - n} of 64`, -5);
    case 'asks':
      if (n < 2) return working('getting ready');
      return told === undefined
        ? { status: 'input_required', inputRequests: { shelf: form }, pollIntervalMs: 20 }
        : // It says for a while that it still asks.
          n < of.indexOf(told) + 3
          ? { status: 'input_required', inputRequests: { shelf: form } }
          : done(text(`began with ${JSON.stringify(told.inputResponses)}`));
    case 'refuses':
      return { status: 'input_required', inputRequests: { shelf: form }, pollIntervalMs: 20 };
    case 'errs':
      return done({ ...text('The shelf is locked.'), isError: true });
    case 'fails':
      return { status: 'failed', error: { code: -32601, message: 'The lift broke.' } };
    case 'stops':
      return stopped ? { status: 'cancelled', statusMessage: 'stopped after 12' } : working('counted 12 of 64');
    case 'deaf':
      return stopped && n > 6 ? done() : working('cannot hear you');
    case 'other':
      return { ...working('who?'), taskId: 'another-task' };
    default:
      return { status: 'resting' };
  }
}

serve({
  capabilities: { tools: {}, ...(how === 'undeclared' ? {} : { extensions: { [extension]: {} } }) },
  on(request) {
    const { id, method, params = {} } = request;
    if (method === 'tools/list') {
      const schema = { type: 'object', properties: { word: { type: 'string' } } };
      const tools = [...names, ...strange].map((name) => tool(name, { inputSchema: schema }));
      result(id, { tools, ttlMs: 0, cacheScope: 'private' });
      return true;
    }
    const { name, taskId, inputResponses, requestId } = params;
    if (!/^tasks\/|^tools\/call$|cancelled$/.test(method)) return false;
    const declares =
      params._meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions?.[extension] !== undefined;
    const before = lines();
    const { 'example.com/ticket': ticket, 'example.com/person': person } = params._meta ?? {};
    const line = { method, name, taskId, inputResponses, requestId, declares, ticket, person };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
    if (method === 'tools/call') {
      if (name === 'strange') result(id, { resultType: 'later', content: [] });
      else if (name === 'nameless') result(id, { resultType: 'task', status: 'working' });
      else if (name === 'endless') {
        const { progressToken } = params._meta ?? {};
        for (const progress of [1, 2, 3])
          send({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 64, message: 'counting' },
          });
      } else {
        const handle = `secret-${name}-${before.filter((one) => one.name === name).length}`;
        result(id, {
          resultType: 'task',
          content: [],
          taskId: handle,
          status: 'working',
          statusMessage: `took it as ${handle}`,
          pollIntervalMs: 20,
          ttlMs: 1,
        });
      }
      return true;
    }
    if (id === undefined) return true;
    const task = /^secret-([a-z]+)-\d+$/.exec(taskId ?? '')?.[1] ?? '';
    const of = before.filter((one) => one.taskId === taskId);
    const gone = task === '' || task === 'gone';
    if (gone) send({ id, error: { code: -32602, message: `There is no task ${taskId}.` } });
    else if (method === 'tasks/get') {
      const n = of.filter((one) => one.method === 'tasks/get').length + 1;
      result(id, { taskId, createdAt: 'then', lastUpdatedAt: 'before then', ttlMs: 1, ...stands(task, taskId, n, of) });
    } else if (task === 'refuses' && method === 'tasks/update')
      send({ id, error: { code: -32602, message: `${taskId} has no such shelf.` } });
    else result(id, {});
    return true;
  },
});
