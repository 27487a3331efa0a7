// Scores as rows of a table: one name, then one cell a run. `desk score` and `npm run score` print the same rows.
import type { Spread } from '../shared/report.ts';
import type { KindScores, Scores } from '../shared/scores.ts';
import { shareWords, type Share } from './shares.ts';

type Cell = (scores: KindScores) => string;

function listed(tickets: string[]): string {
  return tickets.length === 0 ? '0' : `${tickets.length} (${tickets.join(', ')})`;
}
function spreadWords({ median, p95, n }: Spread): string {
  return `${median ?? '–'} / ${p95 ?? '–'} (n = ${n})`;
}

const perKind: [string, (scores: KindScores) => Share][] = [
  ['first tool right', ({ first_tool }) => first_tool],
  ['end state right', ({ end_state }) => end_state],
  ['ready', ({ ready }) => ready],
];
const overall: [string, Cell][] = [
  ['order as written, of right first calls that name one', ({ as_written }) => shareWords(as_written)],
  ['order as meant, of right first calls that name one', ({ as_meant }) => shareWords(as_meant)],
  ['refunds due that were reached', ({ refunds_due_reached }) => shareWords(refunds_due_reached)],
  ['reached though not due', ({ not_due_reached }) => listed(not_due_reached)],
  ['issued', ({ issued }) => listed(issued)],
  ['ready or rightly waiting', ({ ready_or_rightly_waiting }) => shareWords(ready_or_rightly_waiting)],
  ['handed over', ({ handed_over }) => shareWords(handed_over)],
  ['failed', ({ failed }) => shareWords(failed)],
  ['unbacked claims in ready drafts', ({ unbacked_in_ready }) => String(unbacked_in_ready)],
  ['seconds per ticket, median / p95', ({ seconds }) => spreadWords(seconds)],
  ['tokens per call, median / p95', ({ tokens_per_call }) => spreadWords(tokens_per_call)],
];

/** Shares with their 95 % intervals; `– kind` under those that are told per kind. */
export function scoreRows(runs: Scores[]): string[][] {
  const kinds = [...new Set(runs.flatMap((scores) => Object.keys(scores.kinds)))].sort();
  return [
    ...perKind.flatMap(([name, of]) => [
      [`${name} [95 %]`, ...runs.map(({ all }) => shareWords(of(all)))],
      ...kinds.map((kind) => [
        `– ${kind}`,
        ...runs.map((scores) => {
          const one = scores.kinds[kind];
          return one === undefined ? '–' : shareWords(of(one));
        }),
      ]),
    ]),
    ...overall.map(([name, cell]) => [name, ...runs.map(({ all }) => cell(all))]),
  ];
}
