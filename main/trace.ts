// Messages on the wire: kept per call as they come, redacted below, and looked up by run, ticket and call (spec host §24).
import type { Call, WireMessage } from '../shared/calls.ts';
import type { ParamsOf, Traced } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { Calls } from './calls.ts';
import { iso, type Clock } from './ports.ts';
import type { Store } from './store/open.ts';
import { findRun, listRuns } from './store/runs.ts';
import { insertWire, wireOf } from './store/wire.ts';

export interface Trace {
  message: (direction: WireMessage['direction'], text: string) => void;
  /** Resolves when all that came so far is stored. */
  stored: () => Promise<void>;
}
/** More messages of one call than a person reads: a server that floods must not fill the disk. */
const most = 200;
const longest = 64 * 1024;

/** Keeps what a call sends and gets, in order, each as it comes: a desk that is killed leaves what was sent. */
export function createTracing(store: Store, clock: Clock): (call: Call) => Trace {
  return ({ id, round }) => {
    let queue: Promise<void> = Promise.resolve();
    let count = 0;
    return {
      message(direction, text) {
        if (++count > most) return;
        const cut = text.length > longest ? `${text.slice(0, longest)}… (cut)` : text;
        const message = { round, direction, text: cut.toWellFormed(), at: iso(clock) };
        queue = queue.then(() => insertWire(store.db, id, message)).catch(() => undefined);
      },
      stored: () => queue,
    };
  };
}

/** `run` is the ID of a queue run, of a ticket run, of a ticket, or of a call. Failure `runs.unknown`. */
export async function traceOf(
  { store, calls: log }: { store: Store; calls: Calls },
  params: ParamsOf<'calls.trace'>,
): Promise<Traced[]> {
  const { db } = store;
  const runs = await listRuns(db, { batch: params.run });
  const one = runs.length > 0 ? undefined : await findRun(db, params.run);
  const all = [...runs, ...(one === undefined ? [] : [one])];
  const alone = all.length > 0 ? undefined : await log.get(params.run).catch(() => undefined);
  const ofTicket = all.length > 0 || alone !== undefined ? [] : await log.list({ ticket: params.run });
  if (all.length === 0 && alone === undefined && ofTicket.length === 0)
    throw new Failure(
      'runs.unknown',
      `There is no run, ticket with calls, or call ${params.run} in this data folder. A run file names its ID at the top; traces are kept where the run was made, for 90 days.`,
    );
  const calls = alone === undefined ? ofTicket : [alone];
  for (const run of all) calls.push(...(await log.list({ run: run.id })));
  const wanted = calls.filter(
    (call) => (params.ticket ?? call.ticket) === call.ticket && (params.call ?? call.n) === call.n,
  );
  return Promise.all(wanted.map(async (call) => ({ call, messages: await wireOf(db, call.id) })));
}
