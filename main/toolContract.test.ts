import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../shared/json.ts';
import { contractCommand } from './cli/contract.ts';
import { contractDifference } from './toolContract.ts';

const root = path.resolve(import.meta.dirname, '..');
const published = path.join(root, 'demo/shop/tools.json');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-contract-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  code: number;
  stdout: string;
}
/** The command itself, without a process of its own around it. */
async function contract(before: string, after: string, json = false): Promise<Said> {
  let stdout = '';
  const print = (text: string) => {
    stdout += `${stdout === '' ? '' : '\n'}${text}`;
  };
  const code = await contractCommand(
    {
      global: { data: path.join(folder, 'data'), as: undefined, json },
      signal: new AbortController().signal,
      print,
      say: print,
      json: (value) => print(JSON.stringify(value)),
    },
    before,
    after,
  );
  return { code, stdout };
}
function file(name: string, json: Json): string {
  const made = path.join(folder, name);
  writeFileSync(made, JSON.stringify(json));
  return made;
}
/** The shop as it is started in one of its releases. */
function release(name: string): string {
  const args = [path.join(root, 'demo/servers/shop.ts'), '--release', name];
  const env = { SHOP_API_URL: 'http://127.0.0.1:9', SHOP_API_KEY: 'none', SHOP_DATA: path.join(folder, name) };
  return file(`${name}.json`, { prefix: 'shop', kind: 'stdio', command: process.execPath, args, env });
}

describe('desk contract: a tool retires in three releases (host §24, servers 11)', () => {
  it('a word of warning and a tool beside it break nobody', async () => {
    const { code, stdout } = await contract(published, release('deprecated'));
    expect(stdout).toContain(
      'find_orders\n  description reads otherwise: {+Deprecated: use find_orders_v2 instead. +}',
    );
    expect(stdout).toContain('find_orders_v2\n  It is new.');
    expect(stdout).toContain('Compatible: 2 changes, none breaks callers or readers.');
    expect(code).toBe(0);
  });
  it('nor does the next, as far as a list can tell; the last one breaks callers', async () => {
    const retired = release('retired');
    expect(await contract(release('deprecated'), retired)).toMatchObject({ code: 0 });
    const { code, stdout } = await contract(retired, release('gone'), true);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      breaking: { callers: 1, readers: 0 },
      changes: [{ tool: 'find_orders', field: 'presence', at: '', text: 'It is gone.', breaking: 'callers' }],
    });
  });
  it('leaves with 0 where nothing changed, and says what it cannot compare', async () => {
    const desk = [path.join(root, 'main/desk.ts'), 'contract', published];
    const { status, stdout } = spawnSync(process.execPath, [...desk, published], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'No difference; 5 tools.\n' });
    await expect(contract(path.join(folder, 'nowhere.json'), published)).rejects.toMatchObject({ code: 'cli.use' });
    await expect(contract(file('twice.json', { tools: [{ name: 'a' }, { name: 'a' }] }), published)).rejects.toThrow(
      'holds the tool a twice',
    );
  });
});

describe('what breaks whom (host §7)', () => {
  type Judged = 'callers' | 'readers' | null;
  function judged(before: JsonObject, after: JsonObject): [string, Judged][] {
    const of = (raw: JsonObject) => new Map([['t', { name: 't', ...raw }]]);
    return contractDifference(of(before), of(after)).map(({ text, breaking }) => [text, breaking]);
  }
  function both(before: Json, after: Json): [Judged, Judged] {
    const one = (key: string) => {
      const all = judged({ [key]: before }, { [key]: after }).map(([, breaking]) => breaking);
      return all.find((breaking) => breaking !== null) ?? (all.length === 0 ? undefined : null);
    };
    const [input, output] = [one('inputSchema'), one('outputSchema')];
    if (input === undefined || output === undefined) throw new Error('nothing changed');
    return [input, output];
  }
  const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties,
    ...more,
  });
  const text = { type: 'string' };
  const cases: [string, Json, Json, Judged, Judged][] = [
    ['a property more', object({}), object({ a: text }), null, null],
    ['a property more that is required', object({}), object({ a: text }, { required: ['a'] }), 'callers', null],
    [
      'a property more where nothing else was to come',
      object({}, { additionalProperties: false }),
      object({ a: text }, { additionalProperties: false }),
      null,
      'readers',
    ],
    ['a property less', object({ a: text }), object({}), 'callers', 'readers'],
    ['required now', object({ a: text }), object({ a: text }, { required: ['a'] }), 'callers', null],
    ['required no more', object({ a: text }, { required: ['a'] }), object({ a: text }), null, 'readers'],
    ['a narrower type', object({ a: { type: ['string', 'null'] } }), object({ a: text }), 'callers', null],
    ['a wider type', object({ a: text }), object({ a: { type: ['string', 'null'] } }), null, 'readers'],
    ['whole numbers only', object({ a: { type: 'number' } }), object({ a: { type: 'integer' } }), 'callers', null],
    ['any number', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), null, 'readers'],
    ['another type', object({ a: text }), object({ a: { type: 'boolean' } }), 'callers', 'readers'],
    ['a type where there was none', object({ a: {} }), object({ a: text }), 'callers', null],
    ['a choice less', object({ a: { enum: [1, 2] } }), object({ a: { enum: [1] } }), 'callers', null],
    ['a choice more', object({ a: { enum: [1] } }), object({ a: { enum: [1, 2] } }), null, 'readers'],
    ['free no more', object({ a: text }), object({ a: { ...text, enum: ['x'] } }), 'callers', null],
    ['one value only', object({ a: text }), object({ a: { ...text, const: 'x' } }), 'callers', null],
    ['any value again', object({ a: { ...text, const: 'x' } }), object({ a: text }), null, 'readers'],
    ['another value', object({ a: { const: 'x' } }), object({ a: { const: 'y' } }), 'callers', 'readers'],
    ['shorter', object({ a: { maxLength: 9 } }), object({ a: { maxLength: 8 } }), 'callers', null],
    ['longer', object({ a: { maxLength: 8 } }), object({ a: { maxLength: 9 } }), null, 'readers'],
    ['a new limit', object({ a: {} }), object({ a: { minimum: 1 } }), 'callers', null],
    ['a limit less', object({ a: { minItems: 1 } }), object({ a: {} }), null, 'readers'],
    ['closed', object({}), object({}, { additionalProperties: false }), 'callers', null],
    ['open', object({}, { additionalProperties: false }), object({}), null, 'readers'],
    ['deep inside', object({ a: object({ b: text }) }), object({ a: object({}) }), 'callers', 'readers'],
    ['in a list', object({ a: { items: text } }), object({ a: { items: { type: 'null' } } }), 'callers', 'readers'],
    ['words', object({ a: { description: 'x' } }), object({ a: { description: 'y' } }), null, null],
    ['what has no rule here', object({}), object({}, { oneOf: [{ required: ['a'] }] }), 'callers', null],
  ];
  it.each(cases)('%s', (_, before, after, callers, readers) => {
    expect(both(before, after)).toEqual([callers, readers]);
  });
  it('a result that is no longer described, a hint, a tool that only runs as a task', () => {
    expect(judged({ outputSchema: object({ a: text }) }, {})).toEqual([
      ['The whole value is no longer described: anything goes.', 'readers'],
    ]);
    expect(judged({}, { outputSchema: object({ a: text }) })).toMatchObject([[expect.any(String), null]]);
    expect(judged({ annotations: { readOnlyHint: true } }, { annotations: { readOnlyHint: false } })).toEqual([
      ['annotations.readOnlyHint went from true to false.', null],
    ]);
    expect(judged({ execution: { taskSupport: 'optional' } }, { execution: { taskSupport: 'required' } })).toEqual([
      ['execution.taskSupport went from optional to required.', 'callers'],
    ]);
  });
  it('draws what nobody sees', () => {
    expect(judged({ description: 'a b' }, { description: 'a\u200b b' })).toEqual([
      ['description reads otherwise: [-a-]{+a⟨U+200B⟩+} b', null],
    ]);
  });
});
