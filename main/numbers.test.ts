import { describe, expect, it } from 'vitest';
import { numberWord, seenNumbers } from './numbers.ts';

describe('numbers a text says', () => {
  it.each<[string, number[]]>([
    ['two of them, please', [2]],
    ['I want 3 pans and 12 mugs', [3, 12]],
    ['5x mugs', [5]],
    ['twenty-one cups, two hundred and five plates', [21, 205]],
    ['a dozen eggs, a couple of pots', [12, 2]],
    ['one saute pan', [1]],
    ['which one is it, the one I bought, no one knows', []],
    ['O-2415, KG-1019 and #2496', []],
    ['€23.98, 12 €, 20%, 3.5', []],
    ['2026-06-12, 12.06.2026, 12/06, 14:30', []],
    ['zwei Töpfe und zwölf Tassen', [2, 12]],
    ['trois casseroles', [3]],
    ['dos sartenes', [2]],
    ['', []],
  ])('%s', (text, values) => {
    const seen = seenNumbers(text);
    expect(seen.map(({ value }) => value)).toEqual(values);
    for (const { start, end } of seen) expect(text.slice(start, end)).toMatch(/^[\p{L}\d][\p{L}\d -]*$/u);
  });

  it('knows no value for words that are no number', () => {
    expect(numberWord('hello')).toBeNull();
    expect(numberWord('three thousand')).toBe(3000);
  });
});
