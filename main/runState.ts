// A run's state on disk: segments are stored as texts by hash, so a run that waits overnight goes on where it stopped, and
// what its model was asked and answered stays readable for replay.
import { z } from 'zod';
import type { RunState } from './loop.ts';
import type { Segment } from './model/model.ts';
import type { TapeStep } from './recording.ts';
import type { TicketRun } from '../shared/runs.ts';
import { keptOf, readText, saveDraft, saveKept, saveText, saveTape, tapeOf, updateRun } from './store/runs.ts';
import { setTicketState } from './store/tickets.ts';
import type { Executor, Store } from './store/open.ts';
import type { Json } from '../shared/json.ts';

const segment = z.object({ trust: z.enum(['own', 'outside', 'model']), hash: z.string() });
type StoredSegment = z.infer<typeof segment>;
// The rest is written by this file only and read back by the same version.
const stored = z.object({
  segments: z.array(segment),
  rest: z.custom<
    Omit<RunState, 'segments' | 'tape' | 'withheld' | 'attached'> & {
      withheld?: string[];
      attached?: RunState['attached'];
    }
  >((value) => typeof value === 'object' && value !== null && 'ticket' in value && 'ledger' in value),
});
const storedTape = z.array(
  z.custom<TapeStep<StoredSegment>>((value) => typeof value === 'object' && value !== null && 'op' in value),
);

/** How a run ended or stopped, with its state, draft and ticket, in one transaction: a kill leaves all of it or nothing. */
export async function keepRun(store: Store, id: string, state: RunState, run: TicketRun, at: string): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await save(trx, id, state);
    const { why, turns, ms } = run;
    await updateRun(trx, id, { state: run.state, why, ask: run.ask ?? null, turns, ended_at: at, ms });
    const { version } = state.ticket;
    if (run.draft !== undefined)
      await saveDraft(trx, { ...run.draft, run: id, ticket: run.ticket, ticket_version: version, at });
    await setTicketState(trx, run.ticket, run.state);
  });
}

/** Keeps the state of a run, in one transaction. */
export async function saveRunState(store: Store, run: string, state: RunState): Promise<void> {
  await store.db.transaction().execute((trx) => save(trx, run, state));
}

async function save(executor: Executor, run: string, { segments, tape, ...rest }: RunState): Promise<void> {
  // Mostly the same texts again and again: each is written once.
  const known = new Map<string, string>();
  async function hashed(all: Segment[]): Promise<StoredSegment[]> {
    const found: StoredSegment[] = [];
    for (const { trust, text } of all) {
      const hash = known.get(text) ?? (await saveText(executor, text));
      known.set(text, hash);
      found.push({ trust, hash });
    }
    return found;
  }
  const steps: TapeStep<StoredSegment>[] = [];
  for (const { segments: read, ...step } of tape)
    steps.push({ ...step, ...(read !== undefined && { segments: await hashed(read) }) });
  // Plain data by construction.
  await saveKept(executor, run, { segments: await hashed(segments), rest } as unknown as Json);
  await saveTape(executor, run, steps as unknown as Json);
}

/** The state of a run, or null where it is not kept. */
export async function loadRunState(store: Store, run: string): Promise<RunState | null> {
  const parsed = stored.safeParse(await keptOf(store.db, run));
  const steps = storedTape.safeParse((await tapeOf(store.db, run)) ?? []);
  if (!parsed.success || !steps.success) return null;
  const known = new Map<string, string>();
  async function read(all: StoredSegment[]): Promise<Segment[] | null> {
    const found: Segment[] = [];
    for (const { trust, hash } of all) {
      const text = known.get(hash) ?? (await readText(store.db, hash));
      if (text === undefined) return null;
      known.set(hash, text);
      found.push({ trust, text });
    }
    return found;
  }
  const tape: TapeStep[] = [];
  for (const { segments: hashes, ...step } of steps.data) {
    const segments = hashes === undefined ? undefined : await read(hashes);
    if (segments === null) return null;
    tape.push({ ...step, ...(segments !== undefined && { segments }) });
  }
  const segments = await read(parsed.data.segments);
  return segments === null ? null : { withheld: [], attached: [], ...parsed.data.rest, segments, tape };
}
