// Arguments a tool wants in HTTP headers (2026-07-28, "x-mcp-header"): which a call carries, and which park a tool.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import { headerProblem, parameterHeaders } from './httpHeaders.ts';

const object = (properties: Record<string, Json>): JsonObject => ({ type: 'object', properties });
const wants = (name: Json, type: Json = 'string'): JsonObject => ({ type, 'x-mcp-header': name });

describe('a tool is parked by', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['no name', object({ a: wants('') }), /of a name that is none: ""/],
    ['a name of another kind', object({ a: wants(1) }), /of a name that is none: 1/],
    ['letters no header has', object({ a: wants('A:b') }), /"A:b"/],
    ['a line end', object({ a: wants('A\r\nb') }), /of a name that is none/],
    ['a number', object({ a: wants('A', 'number') }), /only text, whole numbers, and yes or no/],
    ['a list', object({ a: wants('A', 'array') }), /it is "array"/],
    ['two types', object({ a: wants('A', ['string', 'null']) }), /only text/],
    ['no type', object({ a: { 'x-mcp-header': 'A' } }), /of no type/],
    ['one name twice, at any depth', object({ a: wants('A'), b: object({ c: wants('a') }) }), /the same HTTP header/],
    ['the whole of its arguments', { ...object({}), 'x-mcp-header': 'A' }, /no named argument/],
    ['an item of a list', object({ a: { type: 'array', items: wants('A') } }), /no named argument/],
    ['a branch', { type: 'object', anyOf: [object({ a: wants('A') })] }, /no named argument/],
    ['a definition', { type: 'object', $defs: { a: object({ b: wants('A') }) } }, /no named argument/],
  ])('%s', (_, schema, words) => {
    expect(headerProblem(schema)).toMatch(words);
  });
  it('nothing else: what only looks like it, and what is as it should be', () => {
    expect(headerProblem(object({ a: wants('A'), b: object({ c: wants('B', 'integer') }) }))).toBeNull();
    expect(headerProblem(object({ 'x-mcp-header': { type: 'string' } }))).toBeNull();
    expect(headerProblem(object({ a: { type: 'object', default: { 'x-mcp-header': '' } } }))).toBeNull();
    expect(headerProblem(undefined)).toBeNull();
  });
});

it('a call carries what was given, packed where a header could not hold it, and nothing that was not', () => {
  const schema = object({
    a: wants('A'),
    n: wants('N', 'integer'),
    yes: wants('Yes', 'boolean'),
    in: object({ deep: wants('Deep') }),
    plain: { type: 'string' },
    absent: wants('Absent'),
    nothing: wants('Nothing'),
  });
  const given = { a: 'zwölf', n: 7, yes: false, in: { deep: ' x' }, plain: 'p', nothing: null };
  expect(parameterHeaders(schema, given)).toEqual({
    'mcp-param-A': `=?base64?${Buffer.from('zwölf').toString('base64')}?=`,
    'mcp-param-N': '7',
    'mcp-param-Yes': 'false',
    'mcp-param-Deep': `=?base64?${Buffer.from(' x').toString('base64')}?=`,
  });
});
