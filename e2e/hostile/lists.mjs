// Servers with bad lists of tools. Argument: how.
import { result, send, serve, tool } from './lineServer.mjs';

const object = (more) => ({ type: 'object', ...more });
/** @param {number} id @param {string} tools */
const raw = (id, tools) =>
  process.stdout.write(
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[${tools}]}}\n`,
  );
const json = (value) => JSON.stringify(value);
const many = (n) => Array.from({ length: n }, (_, at) => tool(`t${at}`));
let lists = 0;

/** @type {Record<string, (request: any) => void>} */
const kinds = {
  /** 312 tools; the others each have one thing wrong. */
  broken({ id }) {
    const bad = [
      json(tool('no_schema', { inputSchema: true })),
      json(tool('text_schema', { inputSchema: { type: 'string' } })),
      json(tool('any_of', { inputSchema: { anyOf: [object()] } })),
      '{"name":"twice","inputSchema":{"type":"object"},"description":"a","description":"b"}',
      '{"name":"surrogate","description":"\\ud800","inputSchema":{"type":"object"}}',
      `{"name":"deep","inputSchema":{"type":"object"},"_meta":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
      json(tool('查找订单')),
      json(tool('n'.repeat(129))),
      json(tool('remote', { inputSchema: object({ properties: { a: { $ref: 'https://example.com/a.json' } } }) })),
      json(tool('dangling', { inputSchema: object({ properties: { a: { $ref: '#/$defs/none' } } }) })),
      json(tool('pattern', { inputSchema: object({ properties: { a: { type: 'string', pattern: '([' } } }) })),
      '17',
      '{"description":"no name"}',
    ];
    raw(id, [...many(311).map(json), ...bad, json(tool('last'))].join(','));
  },
  /** Names that look like others, move the cursor, or mean something to JavaScript. */
  names({ id }) {
    const names = [
      'refund\u202eknup',
      'zero\u200bwidth',
      '\u001b[31mred',
      'p\u0430yment',
      'a b',
      '<b>',
      '__proto__',
      'constructor',
      'n'.repeat(500),
    ];
    result(id, { tools: [...names.map((name) => tool(name)), tool('last')], ttlMs: 0, cacheScope: 'private' });
  },
  /** Schemas too large, too deep, too many, or without end. */
  bombs({ id }) {
    const nested = (n) => (n === 0 ? { type: 'string' } : object({ properties: { a: nested(n - 1) } }));
    const members = (n, of) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`p${at}`, of]));
    const doubles = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    const bad = {
      large: object({ description: 'x'.repeat(300 * 1024) }),
      deeply: nested(20),
      crowded: object({ properties: members(2_001, {}) }),
      endless: object({ properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { $ref: '#/$defs/x' } } }),
      doubling: object({ allOf: [{ $ref: '#/$defs/d0' }], $defs: { ...doubles, d30: {} } }),
    };
    const tools = Object.entries(bad).map(([name, inputSchema]) => tool(name, { inputSchema }));
    result(id, { tools: [...tools, tool('last')], ttlMs: 0, cacheScope: 'private' });
  },
  /** Odd but good: these stay. */
  odd({ id }) {
    result(id, {
      tools: [
        tool('any_value', { inputSchema: object({ properties: { a: true } }) }),
        tool('reference', {
          inputSchema: object({
            properties: { a: { $ref: '#/$defs/a' } },
            required: ['a'],
            $defs: { a: { type: 'string' } },
          }),
        }),
        tool('draft7', { inputSchema: object({ $schema: 'http://json-schema.org/draft-07/schema#' }) }),
        tool('cycle', { inputSchema: object({ properties: { next: { $ref: '#' } } }) }),
        { ...tool('unknown_members'), annotations: { readOnlyHint: true }, 'x-future': [1, 2] },
      ],
      ttlMs: 0,
      cacheScope: 'private',
    });
  },
  duplicates({ id }) {
    result(id, {
      tools: [tool('same'), tool('same'), tool('two'), tool('two', { description: 'Other.' }), tool('one')],
      ttlMs: 0,
      cacheScope: 'private',
    });
  },
  /** The list changes while its pages are read: one tool moves to the next page. */
  pages({ id, params }) {
    if (params.cursor === undefined)
      result(id, { tools: [tool('a'), tool('b')], nextCursor: '2', ttlMs: 1_000, cacheScope: 'private' });
    else result(id, { tools: [tool('b'), tool('c')], ttlMs: 500, cacheScope: 'private' });
  },
  endless({ id }) {
    lists++;
    result(id, { tools: [tool(`t${lists}`)], nextCursor: `c${lists}`, ttlMs: 0, cacheScope: 'private' });
  },
  circle({ id }) {
    result(id, { tools: [tool('a')], nextCursor: 'again', ttlMs: 0, cacheScope: 'private' });
  },
  tooMany({ id }) {
    result(id, { tools: many(600), ttlMs: 0, cacheScope: 'private' });
  },
  /** Another description on every list, and another name. */
  renames({ id }) {
    lists++;
    result(id, {
      tools: [tool(`tool_${lists}`), tool('stays', { description: `Number ${lists}.` })],
      ttlMs: 0,
      cacheScope: 'private',
    });
    send({ method: 'notifications/tools/list_changed' });
  },
  /** A long time to live: the list is asked for once, until a notice says otherwise. */
  kept({ id }) {
    lists++;
    result(id, { tools: [tool(`tool_${lists}`)], ttlMs: 3_600_000, cacheScope: 'private' });
  },
  /** Without hints of how long it may be kept. */
  unhinted({ id }) {
    send({ id, result: { tools: [tool('a')] } });
  },
};
const kind = process.argv[2];
serve({
  on(request) {
    if (request.method === 'tools/list') kinds[kind](request);
    else if (request.method === 'tools/call') {
      for (let n = 0; n < 200; n++) send({ method: 'notifications/tools/list_changed' });
      return false;
    } else return false;
    return true;
  },
});
