// Figures of a run over labelled tickets. Labels are read here and by `score` only, never by prompt, host or servers.
import type { Count, Report, Spread } from '../shared/report.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Label } from '../shared/tickets.ts';

export interface Labelled {
  run: TicketRun;
  label: Label | null;
}

/** The first tool a run called or prepared. */
function firstTool(run: TicketRun): string | null {
  const call = run.turns.find((turn) => turn.call !== undefined)?.call;
  return call === undefined ? null : bare(call.tool);
}

function bare(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Whether a ticket's end is a good one: a draft ready, or a wait that its label calls due. */
function good({ run, label }: Labelled): boolean {
  if (run.state === 'ready') return true;
  return run.state === 'waiting' && (label?.refund?.due ?? label === null);
}

/** The report of a run. */
export function reportOf(all: Labelled[]): Report {
  const labelled = all.filter((one): one is { run: TicketRun; label: Label } => one.label !== null);
  const kinds: Record<string, Count> = {};
  for (const { run, label } of labelled) {
    const count = (kinds[label.kind] ??= { right: 0, total: 0 });
    count.total++;
    if (firstTool(run) === bare(label.first_tool)) count.right++;
  }
  // The tools that due refunds end in, as the labels name them; no tool of any company is known here.
  const refunding = new Set(labelled.filter(({ label }) => label.refund?.due === true).map(({ label }) => label.kind));
  const reached = all.filter(({ run }) => callsOf(run).some((call) => refunding.has(bare(call.tool))));
  const states: Record<string, number> = {};
  for (const { run } of all) states[run.state] = (states[run.state] ?? 0) + 1;
  return {
    tickets: all.length,
    first_tool: { right: sum(kinds, 'right'), total: sum(kinds, 'total'), kinds },
    refunds: {
      due: labelled.filter(({ label }) => label.refund?.due === true).length,
      reached: reached.filter(({ label }) => label?.refund?.due === true).map(({ run }) => run.ticket),
      reached_though_not_due: reached
        .filter(({ label }) => label !== null && label.refund?.due !== true)
        .map(({ run }) => run.ticket),
      issued: all
        .filter(({ run }) => callsOf(run).some((call) => refunding.has(bare(call.tool)) && call.outcome === 'result'))
        .map(({ run }) => run.ticket),
    },
    states,
    ready_or_rightly_waiting: all.filter(good).length,
    unbacked_in_ready: all
      .filter(({ run }) => run.state === 'ready')
      .reduce(
        (count, { run }) =>
          count +
          (run.draft?.claims ?? []).filter((claim) => claim.verdict !== 'backed' && claim.verdict !== 'reported')
            .length,
        0,
      ),
    injected_calls: labelled
      .filter(({ label }) => label.injected === true)
      .map(
        ({ run }) =>
          `${run.ticket}: ${callsOf(run)
            .map((call) => bare(call.tool))
            .join(', ')}`,
      ),
    seconds: spread(all.map(({ run }) => run.ms / 1000)),
    tokens_per_call: spread(
      all.flatMap(({ run }) =>
        run.turns
          .filter((turn) => turn.call !== undefined)
          .map((turn) => turn.tokens.evaluated + turn.tokens.generated),
      ),
    ),
    wrong_in_narrow_half: narrow(labelled),
  };
}

function callsOf(run: TicketRun) {
  return run.turns.flatMap((turn) => (turn.call === undefined ? [] : [turn.call]));
}

function sum(kinds: Record<string, Count>, key: keyof Count): number {
  return Object.values(kinds).reduce((total, count) => total + count[key], 0);
}

function narrow(labelled: { run: TicketRun; label: Label }[]): Count {
  const margins = labelled
    .map(({ run, label }) => ({ margin: run.turns[0]?.margin ?? 0, wrong: firstTool(run) !== bare(label.first_tool) }))
    .sort((a, b) => a.margin - b.margin);
  const half = margins.slice(0, Math.ceil(margins.length / 2));
  return { right: half.filter(({ wrong }) => wrong).length, total: margins.filter(({ wrong }) => wrong).length };
}

function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  function at(share: number): number | null {
    const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
    return value === undefined ? null : Math.round(value * 100) / 100;
  }
  return { median: at(0.5), p95: at(0.95), n: sorted.length };
}
