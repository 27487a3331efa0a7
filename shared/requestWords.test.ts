import { describe, expect, it } from 'vitest';
import { requestWords } from './requestWords.ts';

const began = new Date(2026, 10, 30, 9, 10);
const counts = { since: began.toISOString(), total: 412, revisions: { '2026-07-28': 412 }, errors: {} };
const soon = began.getTime() + 3_600_000;

describe('what a server was asked, in words (host §24)', () => {
  it('says how many, since when, and what went wrong, the most often first', () => {
    expect(requestWords({ ...counts, errors: { 'timed out': 1, '-32602': 2 } }, soon)).toBe(
      '412 requests since 09:10, 3 ended in an error (-32602 twice, timed out once)',
    );
    expect(requestWords(counts, soon)).toBe('412 requests since 09:10, none ended in an error');
    expect(requestWords({ ...counts, total: 1 }, soon)).toBe('1 request since 09:10, none ended in an error');
    expect(requestWords({ ...counts, total: 0, revisions: {} }, soon)).toBe('no request since 09:10');
  });
  it('names the revisions where there were several, and the day where it is not today’s', () => {
    const both = { ...counts, total: 1_412, revisions: { '2026-07-28': 1_400, '2025-11-25': 12 } };
    expect(requestWords({ ...both, errors: { 'went away': 1_000 } }, soon + 86_400_000)).toBe(
      '1,412 requests since 30 November, 09:10 (1400 in 2026-07-28, 12 in 2025-11-25), 1,000 ended in an error (went away 1,000 times)',
    );
  });
});
