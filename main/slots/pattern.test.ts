import { describe, expect, it } from 'vitest';
import { seenIdentifiers, simplePattern } from './pattern.ts';

describe('simple patterns', () => {
  it.each([
    ['^O-[0-9]{4}$', { literal: 'O-', digits: 4 }],
    ['^KG-\\d{4}$', { literal: 'KG-', digits: 4 }],
    ['^INV\\-[0-9]{6}$', { literal: 'INV-', digits: 6 }],
    ['T#\\d{3}', { literal: 'T#', digits: 3 }],
  ])('%s is one', (pattern, expected) => {
    expect(simplePattern(pattern)).toEqual(expected);
  });
  it.each(['^Q-[0-9a-f]{32}$', '^(a+)+$', '.*', '^O-[0-9]{4}|x$', '^[0-9]{4}$', ''])('%s is none', (pattern) => {
    expect(simplePattern(pattern)).toBeNull();
  });
});

describe('identifiers as customers write them', () => {
  const order = { literal: 'O-', digits: 4 };
  it.each([
    ['O-2415', 'O-2415', 'O-2415'],
    ['my o2415 is late', 'O-2415', 'o2415'],
    ['O 2461 gets here', 'O-2461', 'O 2461'],
    ['(O–', null, null],
    ['order 2496 please', 'O-2496', 'order 2496'],
    ['order no. 2496', 'O-2496', 'order no. 2496'],
    ['Orders: 2496', 'O-2496', 'Orders: 2496'],
    ['it is # 2496', 'O-2496', '# 2496'],
    ['O-24155', null, null],
    ['O-241', null, null],
    ['NO-2415', null, null],
    ['whether the mortar (2481) has left', 'O-2481', '2481'],
    ['it was 1500 € and 1,500 pieces', null, null],
    ['2496 euros', null, null],
    ['in the year 2026', null, null],
  ])('%s', (text, value, written) => {
    const [seen, ...rest] = seenIdentifiers(text, order, ['order']);
    expect(rest).toEqual([]);
    expect(seen?.value ?? null).toBe(value);
    expect(seen?.written ?? null).toBe(written);
    if (seen !== undefined) expect(text.slice(seen.start, seen.end)).toBe(seen.written);
  });

  it('a bare number is none where no word makes it one', () => {
    expect(seenIdentifiers('order 2496, # 2496', order, [])).toEqual([]);
  });
  it('stand once each, in order, at their first place', () => {
    const text = '𝄞 O-2222, then order 1111 and o1111, O-2222';
    expect(seenIdentifiers(text, order, ['order']).map(({ value, start }) => [value, start])).toEqual([
      ['O-2222', 3],
      ['O-1111', 16],
    ]);
  });
  it('takes the letters of a pattern as they are', () => {
    expect(seenIdentifiers('TX1', { literal: 'T.', digits: 1 }, ['a.b'])).toEqual([]);
  });
});
