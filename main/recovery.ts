// After a start (spec host §13): calls and runs that the end of the desk left in the middle are brought to where a person
// or the next session can go on. Nothing here sends anything.
import type { CallState } from '../shared/calls.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Calls } from './calls.ts';
import { iso, type Clock } from './ports.ts';
import type { Store } from './store/open.ts';
import { listRuns, updateRun } from './store/runs.ts';
import { setTicketState } from './store/tickets.ts';

const waits = new Set<CallState>(['asking', 'consented', 'asked', 'answered']);

/** Settles what was on the wire, then moves every run that was under way, or waited for such a call, on. */
export async function recover(deps: { store: Store; calls: Calls; clock: Clock }): Promise<void> {
  const { store, calls, clock } = deps;
  await calls.recover();
  const stopped = [
    ...(await listRuns(store.db, { state: 'running' })),
    ...(await listRuns(store.db, { state: 'waiting' })),
  ];
  for (const run of stopped) {
    const last = (await calls.list({ run: run.id })).at(-1);
    const next = whereTo(run.state, last?.state);
    if (next === null) continue;
    await updateRun(store.db, run.id, { state: next.state, why: next.why, ended_at: iso(clock) });
    await setTicketState(store.db, run.ticket, next.state === 'failed' ? 'open' : next.state);
  }
}

function whereTo(run: string, call: CallState | undefined): Pick<TicketRun, 'state' | 'why'> | null {
  if (call === 'unknown')
    return { state: 'handed over', why: 'The desk ended while a call was on its way: a person looks up what it did.' };
  if (run === 'waiting') return null;
  if (call !== undefined && waits.has(call)) return { state: 'waiting', why: 'The desk ended; the call waits.' };
  return { state: 'failed', why: 'The desk ended in the middle of this run: work the ticket again.' };
}
