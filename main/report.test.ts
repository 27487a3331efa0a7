import { describe, expect, it } from 'vitest';
import type { TicketRun, Turn } from '../shared/runs.ts';
import type { Label } from '../shared/tickets.ts';
import { reportOf } from './report.ts';

function turn(tool: string | null, outcome: 'result' | 'waiting' = 'result', margin = 1): Turn {
  return {
    options: [],
    choice: '',
    probability: 1,
    margin,
    probabilities: [],
    tokens: { evaluated: 10, reused: 0, generated: 1 },
    ms: 5,
    segments: [],
    ...(tool === null ? {} : { call: { n: 1, tool, arguments: {}, origins: {}, outcome, ms: 1 } }),
  };
}
function run(ticket: string, state: TicketRun['state'], turns: Turn[]): TicketRun {
  return { ticket, state, why: '', turns, ms: 1000 };
}
const look: Label = { kind: 'look', first_tool: 'look' };
const pay: Label = { kind: 'pay', first_tool: 'quote', refund: { amount: '1.00', due: true } };
const ask: Label = { kind: 'quote', first_tool: 'quote', refund: { amount: '1.00', due: false } };

describe('the report of a run', () => {
  it('counts first tools by kind, and leaves tickets without a label out', () => {
    const report = reportOf([
      { run: run('A', 'ready', [turn(null), turn('x.look')]), label: look },
      { run: run('B', 'handed over', [turn(null)]), label: look },
      { run: run('C', 'ready', [turn('x.look')]), label: null },
    ]);
    expect(report.first_tool).toEqual({ right: 1, total: 2, kinds: { look: { right: 1, total: 2 } } });
    expect(report.tickets).toBe(3);
  });

  it('names refunds that were reached though not due, and those that really ran', () => {
    const report = reportOf([
      { run: run('A', 'waiting', [turn('x.quote'), turn('x.pay', 'waiting')]), label: pay },
      { run: run('B', 'waiting', [turn('x.quote'), turn('x.pay', 'waiting')]), label: ask },
      { run: run('C', 'ready', [turn('x.quote'), turn('x.pay')]), label: pay },
    ]);
    expect(report.refunds).toEqual({ due: 2, reached: ['A', 'C'], reached_though_not_due: ['B'], issued: ['C'] });
    expect(report.ready_or_rightly_waiting).toBe(2);
  });

  it('says how many wrong choices lie among the narrower half of the margins', () => {
    const report = reportOf([
      { run: run('A', 'ready', [turn('x.other', 'result', 0.1)]), label: look },
      { run: run('B', 'ready', [turn('x.look', 'result', 0.9)]), label: look },
    ]);
    expect(report.wrong_in_narrow_half).toEqual({ right: 1, total: 1 });
    expect(report.seconds).toEqual({ median: 1, p95: 1, n: 2 });
  });
});
