// A server of 2025-11-25 whose tools run as tasks where the caller asks for that, as that revision has it: the result is
// fetched by a request of its own, on which it also pushes what it asks. Every request is a line in the file of its argument.
import { appendFileSync } from 'node:fs';
import { send, serve } from './lineServer.mjs';

const [, , log] = process.argv;
const reply = (id, value) => send({ id, result: value });
const schema = { type: 'object', properties: { word: { type: 'string' } } };
const listed = [
  ['report', 'required'],
  ['asks', 'optional'],
  ['stops', 'required'],
  ['breaks', 'required'],
  ['plain', 'forbidden'],
].map(([name, taskSupport]) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: schema,
  execution: { taskSupport },
}));
/** @type {Map<string, {name: string, status: string, gets: number}>} */
const tasks = new Map();
/** The request that waits for the result of the task that asks. */
let waiting = null;
const view = (taskId) => ({
  taskId,
  status: tasks.get(taskId).status,
  statusMessage: `counted ${tasks.get(taskId).gets} of 3`,
  createdAt: '2026-06-30T09:00:00Z',
  lastUpdatedAt: '2026-06-30T09:00:00Z',
  ttl: 60_000,
  pollInterval: 20,
});
const text = (words) => ({ content: [{ type: 'text', text: words }] });

serve({
  on(request) {
    const { id, method, params = {} } = request;
    if (method === 'server/discover') {
      send({ id, error: { code: -32601, message: 'Method not found' } });
      return true;
    }
    if (method === 'initialize') {
      const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } };
      reply(id, { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'older', version: '1' } });
      return true;
    }
    if (method === 'tools/list') {
      reply(id, { tools: listed });
      return true;
    }
    if (method === undefined && id === 'question-1') {
      const { name } = tasks.get(waiting.taskId);
      tasks.get(waiting.taskId).status = 'completed';
      reply(waiting.id, text(`${name} heard ${request.result.action}`));
      return true;
    }
    if (id === undefined || method === undefined) return true;
    const { name, taskId, task } = params;
    appendFileSync(log, `${JSON.stringify({ method, name, taskId, ttl: task?.ttl })}\n`);
    if (method === 'tools/call') {
      if (task === undefined) reply(id, text(`${name}, at once`));
      else {
        const handle = `secret-${name}-${tasks.size}`;
        tasks.set(handle, { name, status: 'working', gets: 0 });
        reply(id, { task: view(handle) });
      }
      return true;
    }
    const known = tasks.get(taskId);
    if (known === undefined) {
      send({ id, error: { code: -32602, message: 'Failed to retrieve task: Task not found' } });
      return true;
    }
    const relatedTask = { _meta: { 'io.modelcontextprotocol/related-task': { taskId } } };
    if (method === 'tasks/get') {
      if (++known.gets === 3 && known.status === 'working' && known.name !== 'stops')
        known.status = { asks: 'input_required', breaks: 'failed' }[known.name] ?? 'completed';
      reply(id, view(taskId));
    } else if (method === 'tasks/cancel') {
      known.status = 'cancelled';
      reply(id, view(taskId));
    } else if (known.name === 'breaks') send({ id, error: { code: -32603, message: 'The lift broke.' } });
    else if (known.status === 'input_required') {
      waiting = { id, taskId };
      const requestedSchema = { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'] };
      send({
        id: 'question-1',
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Which shelf first?', requestedSchema, ...relatedTask },
      });
    } else reply(id, { ...text(`the report of ${known.name}`), ...relatedTask });
    return true;
  },
});
