/**
 * The one sequence with the tokens it should hold. The last token a generation yields is not evaluated by llama.cpp until
 * it is fed back, so the tokens meant (`ids`) may run ahead of the evaluated ones; the next reading catches up.
 */
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { Failure } from '../../shared/failures.ts';
import type { Meter } from '../../shared/runs.ts';

/** Tokens read between two looks at the cancel signal: about 0.7 s of a 1.5B model on two cores. */
const sliceSize = 64;

export type SequenceState = ReturnType<typeof createSequenceState>;

export function contextFull(needed: number, contextSize: number): Failure {
  const message = `This needs ${needed} tokens, but the model sees ${contextSize} at once. Shorten the text or attach less.`;
  return new Failure('model.full', message, { needed, contextSize });
}

export function createSequenceState(sequence: LlamaContextSequence, contextSize: number) {
  let ids: Token[] = [];
  let counted = 0;

  function total(): number {
    return sequence.tokenMeter.usedInputTokens + sequence.tokenMeter.usedOutputTokens;
  }
  async function erase(from: number): Promise<void> {
    if (sequence.nextTokenIndex > from)
      await sequence.eraseContextTokenRanges([{ start: from, end: sequence.nextTokenIndex }]);
  }
  async function advance(end: number, signal: AbortSignal): Promise<void> {
    while (sequence.nextTokenIndex < end) {
      signal.throwIfAborted();
      const from = sequence.nextTokenIndex;
      await sequence.evaluateWithoutGeneratingNewTokens(ids.slice(from, Math.min(from + sliceSize, end)));
    }
    signal.throwIfAborted();
  }
  return {
    sequence,
    length: () => ids.length,
    evaluated: () => sequence.nextTokenIndex,
    /** How many of these tokens the state begins with. */
    common(wanted: readonly Token[]): number {
      const first = wanted.findIndex((id, at) => ids[at] !== id);
      return Math.min(ids.length, first === -1 ? wanted.length : first);
    },
    /** Refuses a sequence of this many tokens that the context cannot hold. */
    fits(length: number): void {
      if (length > contextSize) throw contextFull(length, contextSize);
    },
    left: () => contextSize - ids.length,
    async back(mark: number): Promise<void> {
      ids.length = Math.min(ids.length, mark);
      await erase(ids.length);
    },
    push(more: readonly Token[]): void {
      for (const id of more) ids.push(id);
    },
    /** Generated tokens: `written` ran through the model (the last one perhaps not yet), `kept` is what shall stay of them. */
    async accept(written: readonly Token[], kept: readonly Token[]): Promise<void> {
      const first = kept.findIndex((id, at) => written[at] !== id);
      await erase(ids.length + (first === -1 ? kept.length : first));
      for (const id of kept) ids.push(id);
    },
    /** After a state file was loaded, or failed to. */
    adopt(): void {
      ids = [...sequence.contextTokens];
    },
    /** Evaluates everything meant so far. */
    catchUp: (signal: AbortSignal) => advance(ids.length, signal),
    /**
     * Evaluates all but the last slice and returns that: evaluated together with a question about its last token it saves
     * a decode. Where all is read already, the last token alone: asked again, it yields its probabilities.
     */
    async lastSlice(signal: AbortSignal): Promise<Token[]> {
      const open = ids.length - sequence.nextTokenIndex;
      const start = Math.max(0, ids.length - (open === 0 ? 1 : open % sliceSize || sliceSize));
      await advance(start, signal);
      await erase(start);
      signal.throwIfAborted();
      return ids.slice(start);
    },
    /** What really ran since the last count, a silent re-evaluation by llama.cpp included. */
    count(reused: number, generated: number, fedBack: number): Meter {
      const now = total();
      const meter = { evaluated: now - counted - fedBack, reused, generated };
      counted = now;
      return meter;
    },
    forget(): void {
      counted = total();
    },
  };
}
