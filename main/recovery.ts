// After a start (spec host §13): calls and runs that the end of the desk left in the middle are brought to where a person
// or the next session can go on. Nothing here sends anything.
import type { Call, CallState } from '../shared/calls.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Calls } from './calls.ts';
import { iso, type Clock } from './ports.ts';
import { loadRunState } from './runState.ts';
import type { Store } from './store/open.ts';
import { findRun, listRuns, updateRun } from './store/runs.ts';
import { setTicketState } from './store/tickets.ts';

const ended = { state: 'failed', why: 'The desk ended in the middle of this run: work the ticket again.' } as const;
/** `sending` is only left of a call that runs as a task: it goes on at its server. */
const waits = new Set<CallState>(['asking', 'consented', 'sending', 'asked', 'answered']);

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
    const next = whereTo(run.state, last?.state) ?? (await wentOn(store, run.id, last));
    if (next === null) continue;
    await updateRun(store.db, run.id, { state: next.state, why: next.why, ended_at: iso(clock) });
    await setTicketState(store.db, run.ticket, next.state === 'failed' ? 'open' : next.state);
  }
}

/**
 * A call ended that waited for the answer to what an older server pushed, with nobody there to go on with its run: of an
 * unknown outcome a person looks it up first. True where the run moved; others go on with the next work.
 */
export async function endedUnheard({ store, clock }: { store: Store; clock: Clock }, call: Call): Promise<boolean> {
  const run = call.state === 'unknown' ? await findRun(store.db, call.run) : undefined;
  if (run?.state !== 'waiting') return false;
  const why = 'What a call did is not known, which ended while nobody waited for it: a person looks it up.';
  await updateRun(store.db, run.id, { state: 'handed over', why, ended_at: iso(clock) });
  await setTicketState(store.db, run.ticket, 'handed over');
  return true;
}

/** A waiting run that had gone on with its settled call when the desk ended: nobody would wake it again. */
async function wentOn(
  store: Store,
  run: string,
  call: Call | undefined,
): Promise<Pick<TicketRun, 'state' | 'why'> | null> {
  if (call === undefined || waits.has(call.state)) return null;
  const state = await loadRunState(store, run);
  const absorbed = state?.ledger.some(({ n, outcome }) => n === call.n && outcome !== 'unknown') ?? false;
  return absorbed ? ended : null;
}

function whereTo(run: string, call: CallState | undefined): Pick<TicketRun, 'state' | 'why'> | null {
  if (call === 'unknown')
    return { state: 'handed over', why: 'The desk ended while a call was on its way: a person looks up what it did.' };
  if (run === 'waiting') return null;
  if (call !== undefined && waits.has(call)) return { state: 'waiting', why: 'The desk ended; the call waits.' };
  return ended;
}
