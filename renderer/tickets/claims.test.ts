// A draft cut at its claims, over an edit too; quotes of earlier mail folded.
import { expect, test } from 'vitest';
import type { Claim } from '../../shared/runs.ts';
import { carried, segmentsOf, signOf } from './claims.ts';
import { partsOf } from './quoted.ts';

const text = 'Order O-1942 ships on 1 July.';
function claim(words: string, more: Partial<Claim> = {}): Claim {
  const start = text.indexOf(words);
  const basics = { kind: 'date', verdict: 'backed', source: 'call', call: 1, why: '' } as const;
  return { ...basics, text: words, start, end: start + words.length, ...more };
}

test('segments are the whole text, in order, whatever the claims overlap', () => {
  const claims = [
    claim('1 July'),
    claim('O-1942'),
    claim('O-1942 ships', { start: 8 }),
    claim('x', { start: 900, end: 901 }),
  ];
  const segments = segmentsOf(text, claims);
  expect(segments.map((one) => one.text).join('')).toBe(text);
  expect(segments.filter((one) => one.claim !== null).map((one) => one.text)).toEqual(['O-1942', '1 July']);
});

test('an edit keeps the claims it leaves alone, at their new places', () => {
  const after = 'Your order O-1942 ships on 2 July.';
  const kept = carried(text, after, [claim('O-1942'), claim('1 July'), claim('ships')]);
  expect(kept.map((one) => after.slice(one.start, one.end))).toEqual(['O-1942', 'ships']);
});

test('a claim carries the number of its call, P for policy, ? where nothing backs it', () => {
  expect(signOf(claim('O-1942'))).toBe('1');
  const policy = claim('O-1942', { source: 'resource' });
  delete policy.call;
  expect(signOf(policy)).toBe('P');
  expect(signOf(claim('O-1942', { verdict: 'no source' }))).toBe('?');
});

test('quoted mail is apart from what is new', () => {
  const body = 'Thanks!\n\nOn 3 June 2026, Desk wrote:\n> Hello\n>\n> your order\n';
  expect(partsOf(body)).toEqual([
    { kind: 'own', text: 'Thanks!' },
    { kind: 'quoted', text: 'On 3 June 2026, Desk wrote:\n> Hello\n>\n> your order' },
  ]);
  expect(partsOf('> first\nmy answer')).toEqual([
    { kind: 'quoted', text: '> first' },
    { kind: 'own', text: 'my answer' },
  ]);
});
