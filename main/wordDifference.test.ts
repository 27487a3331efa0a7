import { describe, expect, it } from 'vitest';
import { addedSpans, movedSpan, wordDifference } from './wordDifference.ts';

describe('the difference of two texts', () => {
  const pairs: [string, string][] = [
    ['', ''],
    ['', 'all new'],
    ['all gone', ''],
    ['The total is €49.96.', 'The whole total is €59.96, sorry.'],
    ['a b c d e', 'e d c b a'],
    ['ending same', 'another ending same'],
    ['same start', 'same start again'],
    ['no\ud800 half', 'no half'],
  ];
  for (const [before, after] of pairs)
    it(`gives both back: ${JSON.stringify(before)} → ${JSON.stringify(after)}`, () => {
      const { parts } = wordDifference(before, after);
      const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('');
      expect(without('added')).toBe(before.replace('\ud800', '\ud800'));
      expect(without('removed')).toBe(after);
    });

  it('is said by its share of words (desk-practice: sent unedited, light, heavy, rewritten)', () => {
    const words = Array.from({ length: 40 }, (_, n) => `word${n}`);
    const text = words.join(' ');
    expect(wordDifference(text, text)).toMatchObject({ kind: 'unedited', share: 0 });
    expect(wordDifference(text, text.replace('word3 ', 'other '))).toMatchObject({ kind: 'light', share: 1 / 40 });
    expect(wordDifference(text, words.slice(0, 30).join(' '))).toMatchObject({ kind: 'heavy', share: 0.25 });
    expect(wordDifference(text, 'Something else.')).toMatchObject({ kind: 'rewritten' });
  });

  it('knows what a person typed and where untouched stretches went', () => {
    const before = 'The total is €49.96 today.';
    const after = 'Hello! The total is €49.96 yesterday.';
    const { parts } = wordDifference(before, after);
    expect(addedSpans(parts).map(({ start, end }) => after.slice(start, end))).toEqual(['Hello! ', 'yesterday']);
    const amount = { start: before.indexOf('€'), end: before.indexOf('€') + 6 };
    const moved = movedSpan(parts, amount);
    expect(after.slice(moved?.start, moved?.end)).toBe('€49.96');
    expect(movedSpan(parts, { start: before.indexOf('today'), end: before.length })).toBeNull();
  });

  it('of long texts that share nothing is not looked for', () => {
    const many = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word}${n}`).join(' ');
    expect(wordDifference(many('a'), many('b')).kind).toBe('rewritten');
  });
});
