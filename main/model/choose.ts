/** One decode that ranks given options by the probability of their first token. Nothing generated enters the sequence. */
import type { LlamaModel, Token } from 'node-llama-cpp';
import { TokenBias } from 'node-llama-cpp';
import { Failure } from '../../shared/failures.ts';
import type { Chosen, Segment } from './protocol.ts';
import type { SequenceState } from './sequenceState.ts';
import type { Tokens } from './tokens.ts';

interface Deps {
  tokens: Tokens;
  state: SequenceState;
  model: LlamaModel;
  /** Adds segments to what the sequence should hold; returns how many tokens it has evaluated. */
  take: (segments: readonly Segment[]) => number;
}

/**
 * The same large bias on every option lifts all of them over the rest of the vocabulary, so that the best `n` tokens are
 * exactly the options and their softmax is the renormalised probability, at a tenth of the cost of the whole vocabulary.
 */
function rankingOnly(model: LlamaModel, first: readonly Token[]) {
  const tokenBias = new TokenBias(model.tokenizer).set([...first], { logit: 200 });
  return { temperature: 1, topK: first.length, topP: 1, minP: 0, seed: 1, tokenBias };
}

export function createChoose({ tokens, state, model, take }: Deps) {
  return async function choose(
    { segments, options }: { segments: Segment[]; options: string[] },
    signal: AbortSignal,
  ): Promise<Chosen> {
    const first = tokens.firstTokens(options);
    const reused = take(segments);
    const slice = await state.lastSlice(signal);
    const last = slice.pop();
    if (last === undefined)
      throw new Failure(
        'model.empty',
        'The model was asked to choose before it read anything. Give it some text first.',
      );
    const output = await state.sequence.controlledEvaluate([
      ...slice,
      [last, { generateNext: { probabilities: true, options: rankingOnly(model, first) } }],
    ]);
    const found = output[slice.length]?.next.probabilities;
    const raw = first.map((token) => found?.get(token));
    if (raw.some((probability) => probability === undefined))
      throw new Error(`The ranking of ${options.join(', ')} came back incomplete.`);
    const values = raw.map((probability) => probability ?? 0);
    const sum = values.reduce((a, b) => a + b, 0);
    return { probabilities: values.map((value) => value / sum), meter: state.count(reused, 0, 0) };
  };
}
