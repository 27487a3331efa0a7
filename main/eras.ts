// Which protocol era each server configuration spoke last: read at start, written through, so a connection asks at once.
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import { iso, type Clock } from './ports.ts';
import { listEras, saveEra } from './store/eras.ts';
import type { Store } from './store/open.ts';

export interface Eras {
  get(key: string): Json | undefined;
  set(key: string, value: Json): void;
  /** Settles when everything set so far is stored. */
  settled(): Promise<void>;
}

/** The eras of one store. */
export async function createEras(store: Store, clock: Clock): Promise<Eras> {
  const known = new Map<string, JsonObject>(await listEras(store.db));
  let writing = Promise.resolve();
  return {
    get: (key) => known.get(key),
    set(key, value) {
      if (!isObject(value)) return;
      known.set(key, value);
      // A lost era costs one probe at the next start, nothing more.
      writing = writing.then(() => saveEra(store.db, key, value, iso(clock))).catch(() => undefined);
    },
    settled: () => writing,
  };
}
