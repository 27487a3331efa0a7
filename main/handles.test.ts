import { describe, expect, it } from 'vitest';
import { withoutHandles } from './handles.ts';

describe('handles (ui issue 5: stripped from what is sent)', () => {
  const handle = 'q_7f3a9c41d2';
  for (const [what, text, left] of [
    ['as it is', 'Quote q_7f3a9c41d2 is open.', 'Quote is open.'],
    ['in brackets and capitals', 'Your quote (Q_7F3A9C41D2) is open.', 'Your quote is open.'],
    ['with invisible letters', 'Quote q_7f3a\u200b9c41d2 is open.', 'Quote is open.'],
    ['in wide letters', 'Quote ｑ_７f3a9c41d2.', 'Quote.'],
    ['cut', 'Quote 7f3a9c41d2 or q_7f3a9c.', 'Quote or.'],
    ['twice, glued', 'q_7f3a9c41d2q_7f3a9c41d2', ''],
    ['at both ends', 'q_7f3a9c41d2 İ is q_7f3a9c41d2', ' İ is'],
  ] as const)
    it(`go, written ${what}`, () => {
      expect(withoutHandles(text, [handle])).toBe(left);
    });

  it('leave everything else as it was', () => {
    const text = 'The total of O-2415 is €49.96 (delivered).\n  Zoë İ \u200b 7f3a';
    expect(withoutHandles(text, [handle, '', 'ab'])).toBe(text);
  });
});
