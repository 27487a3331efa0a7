// A run's state on disk: segments are stored as texts by hash, so a run that waits overnight goes on where it stopped.
import { z } from 'zod';
import type { RunState } from './loop.ts';
import { keptOf, readText, saveKept, saveText } from './store/runs.ts';
import type { Store } from './store/open.ts';
import type { Json } from '../shared/json.ts';

const stored = z.object({
  segments: z.array(z.object({ trust: z.enum(['own', 'outside', 'model']), hash: z.string() })),
  // The rest is written by this file only and read back by the same version.
  rest: z.custom<Omit<RunState, 'segments'>>(
    (value) => typeof value === 'object' && value !== null && 'ticket' in value && 'ledger' in value,
  ),
});

/** Keeps the state of a run. */
export async function saveRunState(store: Store, run: string, state: RunState): Promise<void> {
  const { segments, ...rest } = state;
  const hashed = [];
  for (const segment of segments) hashed.push({ trust: segment.trust, hash: await saveText(store.db, segment.text) });
  // Plain data by construction.
  await saveKept(store.db, run, { segments: hashed, rest } as unknown as Json);
}

/** The state of a run, or null where it is not kept. */
export async function loadRunState(store: Store, run: string): Promise<RunState | null> {
  const parsed = stored.safeParse(await keptOf(store.db, run));
  if (!parsed.success) return null;
  const segments: RunState['segments'] = [];
  for (const { trust, hash } of parsed.data.segments) {
    const text = await readText(store.db, hash);
    if (text === undefined) return null;
    segments.push({ trust, text });
  }
  return { ...parsed.data.rest, segments };
}
