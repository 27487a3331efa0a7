// The model's time for one ticket: only what it reads and writes counts, never a person who thinks about a consent or a
// server that answers slowly (spec host §12, trust invariant 2).
import { Failure } from '../shared/failures.ts';
import type { Model } from './model/model.ts';

/** The same model with `mostMs` milliseconds of work left; over that its operations fail with `model.time`. */
export function withModelTime(model: Model, mostMs: number): Model {
  let left = mostMs;
  async function counted<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const clock = AbortSignal.timeout(Math.max(0, Math.floor(left)));
    const started = performance.now();
    try {
      return await work(signal === undefined ? clock : AbortSignal.any([signal, clock]));
    } catch (error) {
      if (!clock.aborted || signal?.aborted === true) throw error;
      throw new Failure(
        'model.time',
        `The model needed more than ${Math.round(mostMs / 1000)} s for this ticket: a person works it.`,
      );
    } finally {
      left -= performance.now() - started;
    }
  }
  return {
    ...model,
    read: (segments, signal) => counted(signal, (both) => model.read(segments, both)),
    choose: (segments, options, signal) => counted(signal, (both) => model.choose(segments, options, both)),
    generate: (segments, generation, signal) => counted(signal, (both) => model.generate(segments, generation, both)),
  };
}
