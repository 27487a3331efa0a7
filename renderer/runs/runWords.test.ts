// Figures of a run as the screen makes them (spec ui, "Runs").
import { describe, expect, it } from 'vitest';
import type { QueueRun, RunTicket } from '../../shared/runs.ts';
import {
  before,
  byWords,
  changedOf,
  confusionOf,
  courseOf,
  dayWords,
  inWindow,
  median,
  roughWords,
  timeWords,
  turnedOut,
} from './runWords.ts';

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
  reply: null,
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
  expect([3_000, 41_000, 58_000, 7_000_000].map(roughWords)).toEqual(['10 s', '40 s', '1 min', '2 h']);
});

describe('two runs beside each other', () => {
  const then = { ...one('quote_refund', 'shop.find_orders'), reply: 'a' };
  const now = { ...one('quote_refund', 'shop.quote_refund'), reply: 'b' };
  it('name what changed for a ticket, and whether it is right now, in words', () => {
    expect(changedOf([now], [now])).toEqual([]);
    expect(changedOf([now, { ...now, ticket: 'only here' }], [then])).toEqual([{ then, now }]);
    expect([courseOf(then, now), courseOf(now, then), turnedOut(then, now).words]).toEqual([
      'find orders',
      'quote refund',
      'right now',
    ]);
    expect(turnedOut(now, then)).toEqual({ kind: 'danger', words: 'wrong now' });
    expect(turnedOut(now, now).words).toBe('');
    expect(courseOf({ ...now, reply: null }, now)).toBe('quote refund, no reply');
    expect(courseOf({ ...now, state: 'handed over' }, now)).toBe('quote refund, handed over');
  });
  it('say a difference as number and word, and nothing where it rounds to nothing', () => {
    expect(byWords(3, 'better', 0)).toEqual({ words: '+3 better', is: 'better' });
    expect(byWords(-2, 'better', 0)).toEqual({ words: '−2 worse', is: 'worse' });
    expect(byWords(-0.31, 'worse', 1)).toEqual({ words: '−0.3 better', is: 'better' });
    expect(byWords(0.04, 'worse', 1)).toBeNull();
  });
  it('begin with the run before over as many tickets', () => {
    const run = (id: string, tickets: number) => ({ id, tickets }) as QueueRun; // only these are looked at
    const all = [run('d', 2), run('c', 48), run('b', 1), run('a', 48)];
    expect([before('c', all), before('d', all), before('a', all)]).toEqual(['a', null, null]);
  });
  it('are named by their day', () => {
    const today = new Date('2026-06-30T12:00:00');
    expect(
      ['2026-06-30T01:00:00', '2026-06-29T23:00:00', '2026-06-26T09:00:00', '2026-05-02T09:00:00'].map((at) =>
        dayWords(at, today),
      ),
    ).toEqual(['today', 'yesterday', 'Friday', '2 May']);
  });
});

describe('a notice of the host', () => {
  it('names no command of a terminal', () => {
    expect(inWindow('mem.read_graph: new; an admin decides with "desk approve"')).toBe(
      'mem.read_graph: new; an admin decides in Tools',
    );
    const said = 'mem: its instructions changed since they were approved and are not read; an admin decides with';
    expect(inWindow(`${said} "desk approve mem/instructions"`)).toBe(`${said.replace(/ with$/, '')} in Tools`);
  });
});
