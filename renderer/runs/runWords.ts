// Runs and their figures in words.
import type { QueueRun, RunTicket } from '../../shared/runs.ts';
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

/** The name of a tool, with or without its server, in words. */
export function bare(tool: string | null): string {
  return tool === null ? 'none' : tool.slice(tool.indexOf('.') + 1).replaceAll('_', ' ');
}

/** Whether the first tool was the one that was meant; null where nobody said which. */
export function rightOf({ meant, chosen }: RunTicket): boolean | null {
  return meant === null ? null : bare(meant) === bare(chosen);
}

export interface ChangedTicket {
  then: RunTicket;
  now: RunTicket;
}
/** Tickets of both runs that began with another tool, came to another end, or to another reply. */
export function changedOf(now: RunTicket[], before: RunTicket[]): ChangedTicket[] {
  const known = new Map(before.map((one) => [one.ticket, one]));
  return now.flatMap((one) => {
    const then = known.get(one.ticket);
    const same = then?.chosen === one.chosen && then.state === one.state && then.reply === one.reply;
    return then === undefined || same ? [] : [{ then, now: one }];
  });
}
/** What was done for a ticket, as far as it is not the same in the other run. */
export function courseOf(one: RunTicket, other: RunTicket): string {
  const end = stateOf(one.state).words;
  if (one.state !== other.state) return `${bare(one.chosen)}, ${end}`;
  if (one.chosen !== other.chosen) return one.chosen === null ? `no tool, ${end}` : bare(one.chosen);
  return one.reply === null ? `${bare(one.chosen)}, no reply` : `${bare(one.chosen)}, another reply`;
}
/** Whether the change is for the better, by the tool that was meant; in words. */
export function turnedOut(then: RunTicket, now: RunTicket): { kind: MarkKind; words: string } {
  const [was, is] = [rightOf(then), rightOf(now)];
  if (was === is || was === null || is === null) return { kind: 'none', words: '' };
  return is ? { kind: 'ready', words: 'right now' } : { kind: 'danger', words: 'wrong now' };
}

/** A difference as a number and a word; null where it rounds to nothing. `more` says what more of it is. */
export function byWords(
  difference: number,
  more: 'better' | 'worse',
  digits: number,
): { words: string; is: 'better' | 'worse' } | null {
  const size = Math.abs(difference).toFixed(digits);
  if (Number(size) === 0) return null;
  const is = difference > 0 === (more === 'better') ? 'better' : 'worse';
  return { words: `${difference > 0 ? '+' : '−'}${size} ${is}`, is };
}

/** The run before one over as many tickets, newest first; null where there is none. */
export function before(id: string, all: QueueRun[]): string | null {
  const at = all.findIndex((one) => one.id === id);
  const earlier = all.slice(at + 1);
  return earlier.find(({ tickets }) => tickets === all[at]?.tickets)?.id ?? null;
}

/** "today", "yesterday", "Monday", "26 June". */
export function dayWords(at: string, now = new Date()): string {
  const day = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((day(now) - day(new Date(at))) / 86_400_000);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  const how = days < 7 ? ({ weekday: 'long' } as const) : ({ day: 'numeric', month: 'long' } as const);
  return new Date(at).toLocaleDateString('en-GB', how);
}

export function ticketsWords(count: number): string {
  return count === 1 ? '1 ticket' : `${count} tickets`;
}

export function timeWords(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time that is only guessed: "10 s", "2 min", "3 h". */
export function roughWords(ms: number): string {
  if (ms < 55_000) return `${Math.max(10, Math.round(ms / 10_000) * 10)} s`;
  if (ms < 55 * 60_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
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
    const [row, column] = [bare(meant), bare(chosen)];
    names.add(row).add(column);
    const of = (counts[row] ??= {});
    of[column] = (of[column] ?? 0) + 1;
  }
  return {
    names: [...names].sort((a, b) => Number(a === 'none') - Number(b === 'none') || a.localeCompare(b)),
    counts,
  };
}

/** A notice of the host as it is read in the window, which has a screen for what the terminal has a command for. */
export function inWindow(notice: string): string {
  return notice.replace(/ with "desk approve[^"]*"/g, ' in Tools');
}
