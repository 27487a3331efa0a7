// What changed, told to every view that listens. Nothing in the host acts on these: they only show.
import type { Change, Entities, Feature } from '../shared/contract.ts';

export type Events = ReturnType<typeof createEvents>;

export function createEvents() {
  const listeners = new Set<(change: Change) => void>();
  let revision = 0;
  return {
    /** `entity` null: it is gone. */
    publish<F extends Feature>(feature: F, id: string, entity: Entities[F] | null): void {
      revision++;
      const change = { feature, id, revision, ...(entity === null ? { gone: true } : { entity }) };
      // Feature and entity belong together by the signature, which a union cannot express.
      for (const listener of listeners) listener(change as Change);
    },
    listen(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
