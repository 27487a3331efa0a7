// Results in the log as people read them.
import { expect, test } from 'vitest';
import { limitsOf, toldOf } from './resultWords.ts';

const quote = {
  quote_id: 'Q-e7ab2591a4b8bfbd76eff59597135815',
  order_id: 'O-2415',
  policy_limit: '150.00',
  within_limit: true,
  expires_in_seconds: 604_800,
  amount: '49.96',
};
const order = {
  order_id: 'O-1942',
  customer_id: 'C-0044',
  placed_on: '2026-05-18',
  status: 'shipped',
  total: '79.49',
  delivered_on: null,
  lines: [{ sku: 'KG-1', name: 'Stockpot 8 l' }],
};

test('what matters comes first, with currency and dates in words; handles and limits are details', () => {
  const words = (record: Parameters<typeof toldOf>[0]) =>
    toldOf(record, '€')
      .told.filter(({ detail }) => !detail)
      .map(({ name, words }) => `${name} ${words}`);
  expect(words(quote)).toEqual(['amount €49.96', 'order O-2415']);
  expect(toldOf(quote, '€').more).toBe(4);
  expect(words(order)).toEqual([
    'total €79.49',
    'order O-1942',
    'status shipped',
    'placed on 18 May 2026',
    'lines Stockpot 8 l',
  ]);
});

test('a limit that is not kept is no detail', () => {
  const { told, more } = toldOf({ ...quote, within_limit: false }, '€');
  expect(told.filter(({ detail }) => !detail).map(({ name, words }) => `${name} ${words}`)).toEqual([
    'amount €49.96',
    'order O-2415',
    'policy limit €150.00',
    'within limit no',
  ]);
  expect(more).toBe(2);
  expect(limitsOf(quote, '€').map(({ name, words }) => `${name} ${words}`)).toEqual([
    'policy limit €150.00',
    'within limit yes',
  ]);
});

test('the record’s own digits and text stay as they are where they are no such thing', () => {
  const [first] = toldOf({ total: '1.234', day: '2026-02-31' }, '€').told;
  expect(first).toMatchObject({ words: '1.234', exact: null });
  expect(toldOf({ day: '2026-02-31' }, '').told[0]).toMatchObject({ words: '2026-02-31' });
  expect(toldOf({ expires_in_seconds: 900 }, '').told[0]).toMatchObject({ words: '15 minutes', exact: '900' });
  expect(toldOf({ orders: [{ order_id: 'O-1', status: 'shipped' }, { order_id: 'O-2' }] }, '').told[0]?.words).toBe(
    'O-1 shipped, O-2',
  );
});
