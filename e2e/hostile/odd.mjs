// Servers whose lists and results are odd as reported of real ones. Arguments: how, and for some one thing more.
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers';
import { result, send, serve, tool } from './lineServer.mjs';

const [, , kind, more = ''] = process.argv;
const object = (members) => ({ type: 'object', ...members });
const list = (id, tools, rest = {}) => result(id, { tools, ttlMs: 0, cacheScope: 'private', ...rest });
const of = (schemas) => Object.entries(schemas).map(([name, inputSchema]) => tool(name, { inputSchema }));
let lists = 0;

/** Bytes one after the other, each on its own, or in pieces of `size`. @param {Buffer} bytes */
function trickle(bytes, size, at = 0) {
  if (at < bytes.length)
    process.stdout.write(bytes.subarray(at, at + size), () => setImmediate(trickle, bytes, size, at + size));
}

/** @type {Record<string, (request: any) => boolean | void>} */
const kinds = {
  schemas({ id }) {
    list(id, [
      ...of({
        any_of: { anyOf: [object({ properties: { a: {} } })] },
        all_of: { allOf: [object({})] },
        if: { if: object({}), then: object({}) },
        string: { type: 'string' },
        true_parameter: object({ properties: { a: true }, required: ['a'] }),
        typed_any_of: object({ properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
        referred: object({
          properties: { id: { $ref: '#/$defs/id' } },
          required: ['id'],
          $defs: { id: { type: 'string', pattern: '^O-[0-9]{4}$' } },
        }),
        itself: object({ properties: { next: { $ref: '#' }, id: { type: 'string', pattern: '^O-[0-9]{4}$' } } }),
        dangling: object({ properties: { a: { $ref: '#/$defs/none' } } }),
        draft7: object({
          $schema: 'http://json-schema.org/draft-07/schema#',
          properties: { a: { type: 'array', items: [{ type: 'string' }] } },
        }),
      }),
      tool('查找订单'),
      tool('取消订单'),
    ]);
  },
  many({ id }) {
    const tools = Array.from({ length: 312 }, (_, at) => tool(`t${at}`));
    tools[150] = tool('t150', { inputSchema: { type: 'string' } });
    list(id, tools);
  },
  /** 58 tools with more than 100 KB of schemas. */
  heavy({ id }) {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`p${at}`, { type: 'string', description: 'What it is for. '.repeat(5) }]),
    );
    const tools = Array.from({ length: 58 }, (_, at) => tool(`t${at}`, { inputSchema: object({ properties }) }));
    list(id, tools);
  },
  patterns({ id }) {
    const inside = (name, schema) => object({ properties: { [name]: schema }, required: [name] });
    const words = { type: 'string', maxLength: 5_000 };
    list(
      id,
      of({
        no_properties: object({ properties: {} }),
        nested: inside('a', inside('b', inside('c', words))),
        open_pattern: inside('id', { type: 'string', pattern: 'O-[0-9]{4}' }),
        lookahead: inside('id', { type: 'string', pattern: '^(?!O-0000)O-[0-9]{4}$' }),
      }),
    );
  },
  /** One tool of the name it is given; its result is what it was called with. */
  named({ id, method, params }) {
    if (method === 'tools/list') list(id, [tool(more)]);
    else result(id, { content: [{ type: 'text', text: `${process.argv[4]} ran ${params.name}` }] });
    return true;
  },
  /** The same list each time: whole, byte by byte, then in pieces that cut characters. */
  split({ id }) {
    const tools = [tool('one', { description: 'Größe € 𝄞 漢字 👩‍👧', title: '𝒯itle' }), tool('two')];
    const answer = { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer })}\n`);
    trickle(bytes, [bytes.length, 1, 2, 3, 5, 7][lists++] ?? 1);
  },
  /** A tool changes and says so between two pages of one list. */
  changing({ id, params }) {
    lists++;
    if (lists > 2) list(id, [tool('a', { description: 'New.' }), tool('b')], { ttlMs: 60_000 });
    else if (params.cursor === undefined) list(id, [tool('a')], { nextCursor: '2', ttlMs: 60_000 });
    else {
      send({ method: 'notifications/tools/list_changed' });
      list(id, [tool('a', { description: 'New.' }), tool('b')], { ttlMs: 60_000 });
    }
  },
};

/** @type {Record<string, () => object>} */
const results = {
  empty: () => ({ content: [], structuredContent: { total: '12.50', paid: null } }),
  differ: () => ({ content: [{ type: 'text', text: 'The total is 99.00.' }], structuredContent: { total: '12.50' } }),
  long: () => ({ content: [{ type: 'text', text: 'x 1.50 EUR. '.repeat(437_000) }] }),
  image: () => ({
    content: [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(3 * 1024 * 1024, 7).toString('base64') }],
  }),
  links: () => ({
    content: [
      { type: 'text', text: 'See both.' },
      { type: 'resource_link', uri: 'file:///etc/passwd', name: 'policy' },
      { type: 'resource', resource: { uri: 'shop://note', text: 'Paid in cash.' } },
    ],
  }),
};

function start() {
  serve({
    tools: Object.keys(results).map((name) => tool(name)),
    on({ id, method, params, ...rest }) {
      if (method === 'resources/read') throw new Error('nobody asked for this resource');
      const answered = method === 'tools/list' || (kind === 'named' && method === 'tools/call');
      if (answered && kind in kinds) {
        kinds[kind]({ id, method, params, ...rest });
        return true;
      }
      if (kind === 'noisy' && method === 'tools/call')
        process.stdout.write('\n\r\n   \n== calling ==\n\u001b[2K\r50 %\n\n');
      const make = method === 'tools/call' ? results[params.name] : undefined;
      if (make === undefined) return false;
      result(id, make());
      return true;
    },
  });
}

/** Says nothing until there is a file. */
function wait() {
  if (existsSync(more)) start();
  else setTimeout(wait, 20);
}
if (kind === 'waits') wait();
else start();
