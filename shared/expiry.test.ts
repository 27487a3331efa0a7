import { expect, test } from 'vitest';
import type { Call, Origins } from './calls.ts';
import { endOf, expiryOf } from './expiry.ts';

const at = '2026-07-02T09:00:00.000Z';
function source(n: number, tool: string, structured: Call['structured']): Call {
  // What is not looked at is left out.
  return { n, prefix: 'shop', tool: `shop.${tool}`, structured, created_at: at, settled_at: at } as Call;
}
const from = (call: number) => ({ from: 'result', call, trust: 'bound' }) as const;
const ends = (structured: Call['structured']) => {
  const end = endOf(source(1, 'any', structured));
  return end === null ? null : new Date(end).toISOString();
};

test('a result runs out after so many seconds, or at a time; most say nothing of it', () => {
  expect(ends({ expires_in_seconds: 900 })).toBe('2026-07-02T09:15:00.000Z');
  expect(ends({ expires_at: '2026-07-02T12:00:00+02:00' })).toBe('2026-07-02T10:00:00.000Z');
  for (const other of [
    {},
    { expires_at: 'soon' },
    { expires_in_seconds: '900' },
    { expires_in_seconds: 1e300 },
    null,
    [],
  ])
    expect(ends(other)).toBeNull();
});

test('of a call it is the result behind its arguments that runs out first, in the word both are named for', () => {
  const earlier = [
    source(1, 'get_order_status', { status: 'delivered' }),
    source(2, 'quote_refund', { expires_in_seconds: 900 }),
    source(3, 'reserve', { expires_in_seconds: 60 }),
  ];
  const of = (origins: Origins) => expiryOf({ origins }, earlier);
  expect(of({ '/order_id': from(2), '/quote_id': from(2) })).toMatchObject({ noun: 'quote', source: { n: 2 } });
  expect(of({ '/quote_id': from(2), '/place_id': from(3) })).toMatchObject({ noun: null, source: { n: 3 } });
  expect(of({ '/order_id': from(1) })).toBeNull();
  expect(of({ '/quote_id': { from: 'person', trust: 'trusted' } })).toBeNull();
});
