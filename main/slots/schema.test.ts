import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { slotsOf, type SlotSpec } from './schema.ts';

function slots(properties: JsonObject, more: JsonObject = {}, marks: Record<string, 'prose' | 'reference'> = {}) {
  return slotsOf({ type: 'object', properties, ...more }, marks);
}
function only(property: JsonObject, more: JsonObject = {}): SlotSpec | undefined {
  const found = slots({ a: property }, more);
  expect(found).toHaveLength(1);
  return found[0];
}

describe('how an argument is filled', () => {
  it.each<[JsonObject, Partial<SlotSpec>]>([
    [{ const: null }, { way: 'const', value: null }],
    [
      { const: 'EUR', type: 'string' },
      { way: 'const', value: 'EUR' },
    ],
    [{ enum: ['x', 'y'] }, { way: 'choice', values: ['x', 'y'], titles: ['x', 'y'] }],
    [{ type: 'boolean' }, { way: 'choice', values: [true, false], titles: ['yes', 'no'] }],
    [
      { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      { way: 'choice', values: ['a', 'b'], titles: ['A', 'b'] },
    ],
    [
      { type: 'string', pattern: '^O-[0-9]{4}$' },
      { way: 'reference', pattern: '^O-[0-9]{4}$', maxLength: 400 },
    ],
    [
      { type: 'string', maxLength: 30 },
      { way: 'reference', pattern: null, maxLength: 30 },
    ],
    [{ type: 'string', format: 'date' }, { way: 'date' }],
    [
      { type: 'string', format: 'uri' },
      { way: 'reference', pattern: null },
    ],
    [{ type: ['string', 'null'], format: 'date' }, { way: 'date' }],
    [
      { type: 'integer', minimum: 1 },
      { way: 'number', integer: true, minimum: 1, maximum: null, fallback: null },
    ],
    [
      { type: 'number', maximum: 9, default: 2 },
      { way: 'number', integer: false, maximum: 9, fallback: 2 },
    ],
    [{ anyOf: [{ type: 'null' }, { type: 'integer' }] }, { way: 'number', integer: true }],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { way: 'person' }],
    [{ type: ['string', 'integer'] }, { way: 'person' }],
    [{}, { way: 'person' }],
    [{ $ref: 'https://example.com/x' }, { way: 'person' }],
    [{ $ref: '#/properties/a' }, { way: 'person' }],
    [
      { type: 'array', items: { type: 'string', pattern: '^O-[0-9]{4}$' }, maxItems: 99 },
      { way: 'list', most: 8 },
    ],
    [{ type: 'array', items: { type: 'object', properties: {} } }, { way: 'person' }],
  ])('%j', (property, expected) => {
    expect(only(property)).toMatchObject({ pointer: '/a', name: 'a', required: false, ...expected });
  });

  it('follows references inside the schema', () => {
    const $defs = { one: { $ref: '#/$defs/two' }, two: { type: 'string', format: 'date' } };
    expect(only({ $ref: '#/$defs/one' }, { $defs })).toMatchObject({ way: 'date' });
  });

  it('prose only where an admin marked it, and last', () => {
    const found = slots({ note: { type: 'string' }, id: { type: 'string' } }, {}, { '/note': 'prose' });
    expect(found.map(({ name, way }) => [name, way])).toEqual([
      ['id', 'reference'],
      ['note', 'prose'],
    ]);
  });

  it('nested objects become slots of their own, required only where every step is', () => {
    const address = { type: 'object', properties: { city: { type: 'string' }, zip: {} }, required: ['city'] };
    const needed = slots({ address }, { required: ['address'] });
    expect(needed.map(({ pointer, required }) => [pointer, required])).toEqual([
      ['/address/city', true],
      ['/address/zip', false],
    ]);
    expect(slots({ address }).some(({ required }) => required)).toBe(false);
  });

  it('too deep is for a person', () => {
    const deep = (levels: number): JsonObject =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
    expect(only(deep(9))).toMatchObject({ way: 'person' });
  });

  it('names with slashes and tildes keep their place', () => {
    expect(slots({ 'a/b~c': { type: 'string' } })[0]).toMatchObject({ pointer: '/a~1b~0c', name: 'a/b~c' });
  });
});
