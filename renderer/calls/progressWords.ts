// How far a call is and where it runs, in words.
import type { CallProgress, CallTask } from '../../shared/calls.ts';

/** "12 of 64", "12" where no end is known; null where its server only speaks. */
export function countWords({ done, total }: CallProgress): string | null {
  if (done === null) return null;
  return total === null ? String(done) : `${done} of ${total}`;
}

/** Percent, for a bar; null where none can be drawn. */
export function percentOf({ done, total }: CallProgress): number | null {
  if (done === null || total === null || total <= 0) return null;
  return Math.min(100, Math.max(0, (100 * done) / total));
}

/** `since` and `by` are the words for when it began and who stopped it. */
export function taskWords(prefix: string, { every_ms, stop_by }: CallTask, since: string, by: string): string {
  const every = every_ms < 60_000 ? `${every_ms / 1_000} s` : `${Math.round(every_ms / 60_000)} min`;
  if (stop_by !== null)
    return `${by} asked ${prefix} to stop it. It runs there until ${prefix} says otherwise; asked again every ${every}.`;
  return `Runs at ${prefix} since ${since}, asked again every ${every}; survives a restart of the desk.`;
}
