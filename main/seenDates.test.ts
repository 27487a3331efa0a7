import { describe, expect, it } from 'vitest';
import { seenDates } from './seenDates.ts';

const received = '2026-06-30T09:00:00Z';

describe('dates a ticket says (spec model, "choose, then fill")', () => {
  it.each<[string, string[], boolean]>([
    ['my orders since 12 Jun', ['2026-06-12'], true],
    ['it came last 12 June', ['2026-06-12'], true],
    ['on June 24th, 2025', ['2025-06-24'], false],
    ['am 24.06.2026', ['2026-06-24'], false],
    ['on 2026-06-24', ['2026-06-24'], false],
    ['since January', ['2026-01-01'], true],
    ['since the start of June', ['2026-06-01'], true],
    ['in the last two weeks', ['2026-06-16'], true],
    ['3 weeks ago', ['2026-06-09'], true],
    ['over the past month', ['2026-05-30'], true],
    ['since the beginning of this year', ['2026-01-01'], true],
    ['I ordered on 5 December', ['2025-12-05'], true],
    ['on 3 Jul it came', ['2025-07-03'], true],
    ['yesterday', ['2026-06-29'], true],
    ['on 25/06/2026', ['2026-06-25'], false],
  ])('%s', (text, values, resolved) => {
    const seen = seenDates(text, received);
    expect(seen.map(({ value }) => value)).toEqual(values);
    for (const one of seen) {
      expect(one.resolved).toBe(resolved);
      expect(text.slice(one.start, one.end)).toBe(one.written);
    }
  });

  it.each(['06/07/2026', '2026-02-31', '31 June', 'it may 3 times', 'order 2496', ''])(
    'leaves out what is no day or two: %s',
    (text) => expect(seenDates(text, received)).toEqual([]),
  );

  it('settles a missing year by the ticket, across the new year', () => {
    expect(seenDates('since 20 Dec', '2027-01-03T00:00:00Z')[0]?.value).toBe('2026-12-20');
    expect(seenDates('on 29 Feb', '2028-03-01T00:00:00Z')[0]?.value).toBe('2028-02-29');
  });

  it('gives UTF-16 places in the text as it is stored', () => {
    const text = '👋🏽 since 12\u00A0Jun';
    const [seen] = seenDates(text, received);
    expect(seen?.written).toBe('12\u00A0Jun');
    expect(text.slice(seen?.start, seen?.end)).toBe('12\u00A0Jun');
  });
});
