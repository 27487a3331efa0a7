import { describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import { difference, wordDifference } from './pinsDifference.ts';
import { schemaDifference } from './schemaDifference.ts';
import { visible } from './visible.ts';

describe('a difference of two definitions (host §7)', () => {
  it('goes field by field, into annotations too', () => {
    const before = { name: 'a', description: 'Reads.', annotations: { readOnlyHint: false }, old: 1 };
    const after = { name: 'a', description: 'Reads and sends.', annotations: { readOnlyHint: true }, new: 2 };
    expect(difference(before, after).map(({ field, before: was, after: is }) => [field, was, is])).toEqual([
      ['description', 'Reads.', 'Reads and sends.'],
      ['annotations.readOnlyHint', 'false', 'true'],
      ['old', '1', null],
      ['new', null, '2'],
    ]);
    expect(difference(before, before)).toEqual([]);
  });

  it('marks words', () => {
    expect(wordDifference('Finds one order now', 'Finds any order right now')).toEqual([
      { kind: 'same', text: 'Finds ' },
      { kind: 'removed', text: 'one' },
      { kind: 'added', text: 'any' },
      { kind: 'same', text: ' order' },
      { kind: 'added', text: ' right' },
      { kind: 'same', text: ' now' },
    ]);
  });

  it('stays quick on texts without a common word', () => {
    const many = (word: string) => Array.from({ length: 40_000 }, (_, n) => `${word}${n}`).join(' ');
    const pieces = wordDifference(many('a'), many('b'));
    expect(pieces.map((one) => one.kind)).toEqual(['removed', 'added']);
  });

  it('draws what cannot be seen', () => {
    const text = 'a\u200bb\u202ec\u00a0d\u0007e\u{e0041}f\u3164g\ud83dh\u2028i';
    expect(visible(text)).toBe('a⟨U+200B⟩b⟨U+202E⟩c⟨U+00A0⟩d⟨U+0007⟩e⟨U+E0041⟩f⟨U+3164⟩g⟨U+D83D⟩h⟨U+2028⟩i');
    expect(visible('Größe 😀 日本\n\t– ok')).toBe('Größe 😀 日本\n\t– ok');
    const [field] = difference({ description: 'ab' }, { description: 'a\u200bb' });
    expect(field?.words).toEqual([
      { kind: 'removed', text: 'ab' },
      { kind: 'added', text: 'a⟨U+200B⟩b' },
    ]);
  });
});

describe('changes of a schema, for callers and for readers', () => {
  function object(properties: Record<string, Json>, more: Record<string, Json> = {}): Json {
    return { type: 'object', properties, ...more };
  }
  const text = { type: 'string' };
  const cases: [string, Json, Json, string, 'callers' | null, 'readers' | null][] = [
    ['a new optional text', object({}), object({ note: text }), '`note` is new and takes any text', null, null],
    [
      'a new required one',
      object({}),
      object({ id: { enum: ['a'] } }, { required: ['id'] }),
      'is new',
      'callers',
      null,
    ],
    ['one that is gone', object({ id: text }), object({}), '`id` is gone', 'callers', 'readers'],
    ['now required', object({ id: text }), object({ id: text }, { required: ['id'] }), 'now required', 'callers', null],
    [
      'no longer required',
      object({ id: text }, { required: ['id'] }),
      object({ id: text }),
      'no longer',
      null,
      'readers',
    ],
    ['another type', object({ n: text }), object({ n: { type: 'integer' } }), 'is now "integer"', 'callers', 'readers'],
    ['a type more', object({ n: text }), object({ n: { type: ['string', 'null'] } }), '"null"', null, 'readers'],
    ['a choice less', object({ n: { enum: ['a', 'b'] } }), object({ n: { enum: ['a'] } }), 'one of', 'callers', null],
    ['a choice more', object({ n: { enum: ['a'] } }), object({ n: { enum: ['a', 'b'] } }), 'one of', null, 'readers'],
    ['a lower maximum', object({ n: { maximum: 9 } }), object({ n: { maximum: 5 } }), 'from 9 to 5', 'callers', null],
    ['a lower minimum', object({ n: { minimum: 9 } }), object({ n: { minimum: 5 } }), 'from 9 to 5', null, 'readers'],
    [
      'another pattern',
      object({ n: { pattern: 'a' } }),
      object({ n: { pattern: 'b' } }),
      'pattern',
      'callers',
      'readers',
    ],
    ['closed', object({}), object({}, { additionalProperties: false }), 'refuses', 'callers', null],
    ['words only', object({ n: { title: 'a' } }), object({ n: { title: 'b' } }), 'title', null, null],
    [
      'inside lists',
      object({ l: { items: text } }),
      object({ l: { items: { type: 'null' } } }),
      '`l/*`',
      'callers',
      'readers',
    ],
  ];
  for (const [what, before, after, words, callers, readers] of cases)
    it(what, () => {
      const [input, ...rest] = schemaDifference(before, after, 'input');
      expect(rest).toEqual([]);
      expect(input).toMatchObject({ text: expect.stringContaining(words) as string, breaking: callers });
      expect(schemaDifference(before, after, 'output')[0]?.breaking).toBe(readers);
    });
});
