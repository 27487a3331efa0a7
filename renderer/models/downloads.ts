// Downloads of models as they go on: how far each is and since when this page watches, which its speed is taken from. What came
// of one that ended is in the list of models. Leaving the screen stops none.
import { create } from 'zustand';
import type { ModelNews } from '../../shared/models.ts';
import { desk } from '../session.ts';

interface Download extends ModelNews {
  /** Bytes when this page began to watch, and when that was. */
  from: number;
  since: number;
}
export const useDownloads = create<Readonly<Record<string, Download>>>(() => ({}));

desk.follow('models', {
  list: () => useDownloads.setState({}, true),
  change(change) {
    // One of them ended: those that go on are heard of again at once.
    if (!('entity' in change)) {
      useDownloads.setState({}, true);
      return;
    }
    const { entity } = change;
    useDownloads.setState((all) => {
      const { from = entity.bytes, since = performance.now() } = all[entity.name] ?? {};
      return { [entity.name]: { ...entity, from, since } };
    });
  },
});

/** Bytes a second since this page watches; null before anything can be said. */
export function speedOf({ bytes, from, since }: Download): number | null {
  const seconds = (performance.now() - since) / 1_000;
  return bytes > from && seconds > 0.2 ? (bytes - from) / seconds : null;
}

/** How much of it is here, in whole percent; never 100 before it is. */
export function percentOf({ bytes, total }: Pick<ModelNews, 'bytes' | 'total'>): number {
  return Math.min(99, Math.floor((bytes / Math.max(1, total)) * 100));
}
