// How long recordings and traces are kept: 90 days, or what the setting `retention.days` says (spec trust, invariant 6).
import { iso, type Clock } from './ports.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/open.ts';
import { dropRecordings } from './store/runs.ts';
import { dropWire } from './store/wire.ts';

const usual = 90;
const day = 86_400_000;

/** Drops what is older; the call log itself stays. */
export async function keepRetention(store: Store, settings: Settings, clock: Clock): Promise<void> {
  const set = await settings.get('retention.days');
  const days = typeof set === 'number' && set >= 0 ? set : usual;
  const before = iso({ now: () => clock.now() - days * day });
  await dropWire(store.db, before);
  await dropRecordings(store.db, before);
}
