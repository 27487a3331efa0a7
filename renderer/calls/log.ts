// The calls of a ticket in the order a person reads them.
import type { Call } from '../../shared/calls.ts';

/** Readings for a person stand with the documents, not in the log. */
export function isToolCall(call: Call): boolean {
  return call.method === 'tools/call';
}

/** The run the newest call belongs to. */
export function latestRun(calls: readonly Call[]): string | null {
  const ofRuns = calls.filter(({ run }) => run !== '');
  return ofRuns.toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]?.run ?? null;
}

/**
 * Calls of a run by number, and the others newest first. A call whose arguments were edited has a follower of the same
 * number: the one it was before stands with the earlier ones.
 */
export function stretchesOf(calls: readonly Call[], run: string | null): { now: Call[]; earlier: Call[] } {
  const now = new Map<number, Call>();
  const ordered = calls.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  // What views asked for since it began is of no run, and has numbers above every run's.
  const began = ordered.find((call) => call.run === run)?.created_at ?? '';
  const isOf = (call: Call) =>
    call.run === run || (call.run === '' && call.method === 'tools/call' && call.created_at >= began);
  // Of two with one number the later one counts, and one that waits counts always.
  for (const call of ordered) if (isOf(call) && now.get(call.n)?.state !== 'asking') now.set(call.n, call);
  const shown = new Set([...now.values()].map(({ id }) => id));
  return {
    now: [...now.values()].sort((a, b) => a.n - b.n),
    earlier: ordered.filter(({ id }) => !shown.has(id)).reverse(),
  };
}
