// The views of the queue in words.
import type { TicketCounts, TicketView } from '../../shared/queue.ts';

export const viewWords: Record<TicketView, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  waiting: 'Waiting for a person',
  lead: 'Waiting for a lead',
  unbacked: 'Unbacked',
  snoozed: 'Snoozed',
  done: 'Done',
  all: 'All tickets',
};
/** In the order they are offered; keys of the record are exactly the views. */
export const views = Object.keys(viewWords) as TicketView[];

export function countOf(counts: TicketCounts | null, view: TicketView, me: string | null): number | null {
  if (counts === null) return null;
  return view === 'mine' ? (me === null ? 0 : (counts.mine[me] ?? 0)) : counts[view];
}
