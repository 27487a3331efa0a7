// Runs and their figures in words.
import type { RunTicket } from '../../shared/runs.ts';
import type { MarkKind } from '../parts/Mark.tsx';

const marks: Record<RunTicket['state'], { kind: MarkKind; words: string }> = {
  ready: { kind: 'ready', words: 'draft ready' },
  waiting: { kind: 'asks', words: 'waits for a person' },
  'handed over': { kind: 'look', words: 'handed over' },
  failed: { kind: 'danger', words: 'failed' },
  running: { kind: 'work', words: 'being worked' },
  stale: { kind: 'none', words: 'worked again later' },
};
export function stateOf(state: RunTicket['state']): { kind: MarkKind; words: string } {
  return marks[state];
}

/** The name of a tool without its server. */
export function bare(tool: string | null): string {
  return tool === null ? 'none' : tool.slice(tool.indexOf('.') + 1).replaceAll('_', ' ');
}

export function modelWords(model: string): string {
  return model === 'none' ? 'Without a model' : model;
}

export function timeWords(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function median(all: number[]): number | null {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}

export interface Confusion {
  /** Tools that were meant or chosen, `none` last. */
  names: string[];
  /** Tickets by what was meant, then what was chosen. */
  counts: Record<string, Record<string, number>>;
}

/** What was meant against what was chosen first; tickets without a label are not in it. */
export function confusionOf(tickets: RunTicket[]): Confusion {
  const counts: Confusion['counts'] = {};
  const names = new Set<string>();
  for (const { meant, chosen } of tickets) {
    if (meant === null) continue;
    const [row, column] = [bare(`.${meant.slice(meant.indexOf('.') + 1)}`), bare(chosen)];
    names.add(row).add(column);
    const of = (counts[row] ??= {});
    of[column] = (of[column] ?? 0) + 1;
  }
  return {
    names: [...names].sort((a, b) => Number(a === 'none') - Number(b === 'none') || a.localeCompare(b)),
    counts,
  };
}
