/** The text every ticket shares: kept in memory, else loaded from disk, else evaluated once and saved. */
import type { Token } from 'node-llama-cpp';
import { Failure } from '../../shared/failures.ts';
import type { Prefix, Segment } from './protocol.ts';
import type { PrefixStore } from './prefixStore.ts';
import type { SequenceState } from './sequenceState.ts';
import type { Tokens } from './tokens.ts';

interface Deps {
  tokens: Tokens;
  state: SequenceState;
  store: PrefixStore;
}

export function createPrefix({ tokens, state, store }: Deps) {
  let end: number | null = null;

  async function reach(ids: Token[], signal: AbortSignal): Promise<Omit<Prefix, 'ms' | 'tokens'>> {
    if (state.common(ids) === ids.length && state.evaluated() >= ids.length) {
      await state.back(ids.length);
      return { from: 'memory' };
    }
    const kept = await store.load(ids, state.sequence);
    if (kept.loaded || kept.problem !== undefined) state.adopt();
    if (kept.loaded) return { from: 'disk' };
    await state.back(state.common(ids));
    state.push(ids.slice(state.length()));
    await state.catchUp(signal);
    const unsaved = await store.save(ids, state.sequence);
    const problem = [kept.problem, unsaved].filter((sentence) => sentence !== undefined).join(' ');
    return { from: kept.problem === undefined ? 'evaluated' : 'rebuilt', ...(problem === '' ? {} : { problem }) };
  }
  return {
    async set(segments: readonly Segment[], signal: AbortSignal): Promise<Prefix> {
      const started = performance.now();
      const ids = tokens.startIds(segments);
      // Checked before anything is given up, against an empty sequence: the prefix replaces what is there.
      state.fits(ids.length);
      end = null;
      try {
        const reached = await reach(ids, signal);
        // No effect on full attention; sliding-window and hybrid models can only come back to a checkpoint.
        await state.sequence.takeCheckpoint();
        end = ids.length;
        return { tokens: ids.length, ms: performance.now() - started, ...reached };
      } catch (error) {
        // What was already evaluated stays: it is the beginning of the next attempt.
        state.adopt();
        throw error;
      } finally {
        state.forget();
      }
    },
    async rewind(): Promise<void> {
      if (end === null || state.length() < end) {
        throw new Failure('model.prefix', 'There is no prefix to go back to. Set the prefix again first.');
      }
      await state.back(end);
    },
  };
}
