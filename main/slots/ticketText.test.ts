import { describe, expect, it } from 'vitest';
import { written } from './ticketText.ts';

describe('own words and quoted history', () => {
  it.each([
    'On Mon, 3 June 2026, Ada Hart wrote:',
    '-----Original Message-----',
    '--- forwarded message ---',
    'Am 3. Juni 2026 schrieb Ada Hart:',
  ])('are parted at “%s”', (line) => {
    const { own, quoted } = written(`Mine.\n${line}\nTheirs.`);
    expect([own.includes('Mine.'), own.includes('Theirs.')]).toEqual([true, false]);
    expect([quoted.includes('Mine.'), quoted.includes('Theirs.')]).toEqual([false, true]);
  });
  it('are parted by line where lines are marked', () => {
    const { own, quoted } = written('A\n > B\nC');
    expect([own.replaceAll(/\s/g, ''), quoted.replaceAll(/[\s>]/g, '')]).toEqual(['AC', 'B']);
  });
  it('keep every offset', () => {
    const body = 'Hé 𝄞 <!-- 𝄞 x\ny --> end\n> q𝄞\nlast';
    const { own, quoted } = written(body);
    expect([own.length, quoted.length]).toEqual([body.length, body.length]);
    for (const word of ['Hé', '𝄞 ', 'end', 'last']) expect(own.indexOf(word)).toBe(body.indexOf(word));
    expect(quoted.indexOf('q𝄞')).toBe(body.indexOf('q𝄞'));
  });
  it('leave hidden mark-up out of both, an unfinished one to the end', () => {
    for (const body of ['Hi <!-- secret --> there', 'Hi <!-- secret\nmore secret']) {
      const { own, quoted } = written(body);
      expect(own + quoted).not.toContain('secret');
      expect(own).toContain('Hi');
    }
  });
});
