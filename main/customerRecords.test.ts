import { describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Json } from '../shared/json.ts';
import { recordsIn } from './customerRecords.ts';

// Only what is read of a call.
const call = (n: number, structured: Json) => ({ n, ticket: 'T-1', structured }) as unknown as Call;
const order = { order_id: 'O-1', status: 'delivered', delivered_on: '2026-06-29', total: '180.00' };
const refund = { refund_id: 'R-1', order_id: 'O-1', amount: '23.98', status: 'paid' };

describe('orders and refunds of a customer, as results name them', () => {
  it('have their status, day and total, and the call that says so', () => {
    expect(recordsIn([call(1, order), call(2, { refunds: [refund] })], 'EUR')).toEqual([
      {
        kind: 'order',
        id: 'O-1',
        of: null,
        status: 'delivered',
        on: '2026-06-29',
        amount: '180.00',
        currency: 'EUR',
        call: 1,
        ticket: 'T-1',
      },
      {
        kind: 'refund',
        id: 'R-1',
        of: 'O-1',
        status: 'paid',
        on: null,
        amount: '23.98',
        currency: 'EUR',
        call: 2,
        ticket: 'T-1',
      },
    ]);
  });
  it('stand once, as the later call has them, with what only the earlier one said', () => {
    const later = {
      orders: [
        { order_id: 'O-1', status: 'returned' },
        { order_id: 'O-2', total: 5, currency: 'CHF' },
      ],
    };
    expect(recordsIn([call(1, order), call(2, later)], 'EUR')).toMatchObject([
      { id: 'O-1', status: 'returned', on: null, amount: '180.00', call: 2 },
      { id: 'O-2', status: null, amount: '5', currency: 'CHF' },
    ]);
  });
  it('are not a quote, stock, or words', () => {
    const quote = { quote_id: 'Q-1', order_id: 'O-1', amount: '180.00' };
    expect(
      recordsIn([call(1, quote), call(2, { sku: 'KG-1', total: 4 }), call(3, 'O-1'), call(4, null)], 'EUR'),
    ).toEqual([]);
  });
});
