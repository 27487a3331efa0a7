// Downloads of models, kept over all screens: how far each is, how it ended. Leaving the screen stops none.
import { create } from 'zustand';
import { Failure, reason } from '../../shared/failures.ts';
import { announce } from '../parts/announce.ts';
import { desk } from '../session.ts';

interface Download {
  bytes: number;
  total: number;
  source: string;
  /** Bytes when this page began to watch, and when that was: what the speed is taken from. */
  from: number;
  since: number;
  failed: string | null;
  /** Stops one that this page started. */
  stop: AbortController | null;
}
export const useDownloads = create<Readonly<Record<string, Download>>>(() => ({}));

desk.follow('models', {
  list: () => undefined,
  change(change) {
    if (!('entity' in change)) return;
    const { name, bytes, total, source } = change.entity;
    useDownloads.setState((all) => {
      const old = all[name];
      const { from = bytes, since = performance.now(), stop = null } = old?.failed === null ? old : {};
      return { [name]: { bytes, total, source, from, since, stop, failed: null } };
    });
  },
});

/** Gets a model; what was got before goes on where it stopped. */
export async function getModel(name: string, size: number): Promise<void> {
  const stop = new AbortController();
  const since = performance.now();
  useDownloads.setState({ [name]: { bytes: 0, total: size, source: '', from: 0, since, failed: null, stop } });
  try {
    await desk.ask('models.get', { name }, { deadline: null, signal: stop.signal });
    announce(`${name} is here and its checksum is right.`);
    forget(name);
  } catch (error) {
    const words =
      error instanceof Failure && error.code === 'stopped' ? 'Paused. What was got is kept.' : reason(error);
    useDownloads.setState((all) => {
      const old = all[name];
      return old === undefined ? {} : { [name]: { ...old, failed: words, stop: null } };
    });
  }
}

function forget(name: string): void {
  useDownloads.setState((all) => Object.fromEntries(Object.entries(all).filter(([one]) => one !== name)), true);
}
