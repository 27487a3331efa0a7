// A server of 2025-11-25 whose tools ask in the middle of a call, each in its own way. Every call, and every answer it gets
// to what it asked, is a line in the file of its first argument: a test sees what came, and how often.
import { appendFileSync, existsSync } from 'node:fs';
import { send } from './lineServer.mjs';

const [, , log] = process.argv;
const note = (line) => appendFileSync(log, `${JSON.stringify(line)}\n`);
const schema = { type: 'object', properties: { word: { type: 'string' } } };
const release = { type: 'object', properties: { release: { type: 'boolean' } }, required: ['release'] };
const secret = { type: 'object', properties: { password: { type: 'string', format: 'password' } } };
const page = { mode: 'url', message: 'Sign in there.', url: 'https://pay.example/flow', elicitationId: 'flow-1' };
let next = 0;
let visited = false;
const open = new Map();
/** Asks the host; what it answers goes to `then`, as `{result}` or `{error}`. */
function ask(method, params, then) {
  const id = `s-${++next}`;
  open.set(id, then);
  send({ id, method, params });
  return id;
}
const form = (message, then, requestedSchema = release) =>
  ask('elicitation/create', { message, requestedSchema }, then);
const say = (id, text) => send({ id, result: { content: [{ type: 'text', text }] } });

const tools = {
  form: (id) => form('Release it?', ({ result }) => say(id, `got ${JSON.stringify(result)}`)),
  url: (id) => ask('elicitation/create', page, ({ result }) => say(id, `got ${JSON.stringify(result)}`)),
  done: (id, { word }) => {
    send({ method: 'notifications/elicitation/complete', params: { elicitationId: word } });
    say(id, 'told');
  },
  secret: (id) => form('Log in again.', ({ result }) => say(id, `got ${result.action}`), secret),
  two: (id) => {
    const got = [];
    const both = ({ result }) => got.push(result.action) === 2 && say(id, `got ${got.join(' and ')}`);
    form('One?', both);
    form('Two?', both);
  },
  endless: (id) => {
    let times = 0;
    const again = ({ result }) => {
      if (result.action === 'cancel') say(id, `cancelled after ${times}`);
      else {
        times++;
        form('Again?', again);
      }
    };
    form('Again?', again);
  },
  withdraws: (id, { word }) => {
    const asked = form('Too late?', () => undefined);
    // It gives up at the word of the test: the desk has put the question by then.
    const wait = setInterval(() => {
      if (!existsSync(`${log}.go`)) return;
      clearInterval(wait);
      if (word === 'said') send({ method: 'notifications/cancelled', params: { requestId: asked } });
      say(id, 'went on without you');
    }, 10);
  },
  quick: (id) => say(id, 'quick'),
  page: (id) => {
    if (visited) say(id, 'paid');
    else send({ id, error: { code: -32042, message: 'First the page.', data: { elicitations: [page] } } });
    visited = true;
  },
  lends: (id) => {
    const words = ({ error }) => say(id, `${error.code} ${error.message}`);
    for (const method of ['sampling/createMessage', 'roots/list']) ask(method, {}, () => undefined);
    ask('sampling/createMessage', { messages: [], maxTokens: 5 }, words);
  },
  logs: (id) => {
    for (let n = 0; n < 3; n++)
      send({ method: 'notifications/message', params: { level: 'info', logger: 'till', data: `line ${n}\nmore` } });
    ask('ping', {}, ({ result }) => say(id, `pinged ${JSON.stringify(result)}`));
  },
};

function take(request) {
  const { id, method, params } = request;
  if (method === undefined) {
    note({ answer: request.result ?? request.error.code });
    open.get(id)?.(request);
    open.delete(id);
  } else if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {}, logging: {} },
        serverInfo: { name: 'older', version: '1' },
      },
    });
  else if (method === 'tools/list')
    send({
      id,
      result: { tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: schema })) },
    });
  else if (method === 'resources/list') send({ id, result: { resources: [{ uri: 'till:day', name: 'day' }] } });
  else if (method === 'resources/read')
    form('Show it?', ({ result }) =>
      send({ id, result: { contents: [{ uri: params.uri, text: `shown: ${result.action}` }] } }),
    );
  else if (method === 'tools/call') {
    note({ called: params.name, keys: Object.keys(params).sort() });
    tools[params.name](id, params.arguments);
  } else if (method === 'notifications/cancelled') note({ cancelled: true });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } });
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (piece) => {
  const lines = (rest + piece).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) take(JSON.parse(line));
});
