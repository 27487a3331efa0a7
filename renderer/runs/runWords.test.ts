// Figures of a run as the screen makes them (spec ui, "Runs").
import { describe, expect, it } from 'vitest';
import type { RunTicket } from '../../shared/runs.ts';
import { confusionOf, median, timeWords } from './runWords.ts';

const one = (meant: string | null, chosen: string | null): RunTicket => ({
  run: 'r',
  ticket: 'T',
  subject: '',
  state: 'ready',
  why: null,
  kind: null,
  meant,
  chosen,
  ms: 1,
  tokens: [],
});

describe('the confusion grid', () => {
  it('counts what was meant against what was chosen, prefix or not, and leaves tickets without a label out', () => {
    const { names, counts } = confusionOf([
      one('get_order_status', 'shop.get_order_status'),
      one('shop.get_order_status', 'shop.check_stock'),
      one('quote_refund', null),
      one(null, 'shop.find_orders'),
    ]);
    expect(names).toEqual(['check stock', 'get order status', 'quote refund', 'none']);
    expect(counts).toEqual({
      'get order status': { 'get order status': 1, 'check stock': 1 },
      'quote refund': { none: 1 },
    });
  });
});

it('figures say nothing where there is nothing', () => {
  expect(median([])).toBeNull();
  expect(median([3, 1, 2])).toBe(2);
  expect(timeWords(252_000)).toBe('4 min 12 s');
});
