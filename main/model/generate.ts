/** Writing under a grammar or freely, bounded in tokens and by stop strings. What was written stays in the sequence. */
import type { Llama, LlamaModel, Token } from 'node-llama-cpp';
import { LlamaGrammarEvaluationState } from 'node-llama-cpp';
import { Failure, reason } from '../../shared/failures.ts';
import type { Generation, Segment, Written } from './protocol.ts';
import type { SequenceState } from './sequenceState.ts';
import type { Tokens } from './tokens.ts';

interface Deps {
  tokens: Tokens;
  state: SequenceState;
  llama: Llama;
  model: LlamaModel;
  temperature: number;
  /** Newest lines of llama.cpp's log. */
  log: readonly string[];
  take: (segments: readonly Segment[]) => number;
}

async function compiled({ llama, model, log }: Deps, grammar: string): Promise<LlamaGrammarEvaluationState> {
  try {
    return new LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar }) });
  } catch (error) {
    const message = `The grammar for this answer cannot be used: ${[reason(error), ...log.slice(-1)].join(' ')}. Leave the slot to a person.`;
    throw new Failure('model.grammar', message, { grammar });
  }
}

/** Where the first stop string begins in the text, or -1. */
function stopAt(text: string, stop: readonly string[]): number {
  const found = stop.map((string) => text.indexOf(string)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Tokens whose text is exactly `text.slice(0, end)`: whole tokens as they were written, a cut one made anew. */
function cutTokens(tokens: Tokens, written: readonly Token[], end: number): Token[] {
  const whole = tokens.text(written);
  const fits = (text: string): boolean => text.length <= end && whole.startsWith(text);
  let keep = written.length;
  while (keep > 0 && !fits(tokens.text(written.slice(0, keep)))) keep--;
  const kept = written.slice(0, keep);
  const rest = whole.slice(tokens.text(kept).length, end);
  return [...kept, ...tokens.ids([{ text: rest, trust: 'model' }])];
}

export function createGenerate(deps: Deps) {
  const { tokens, state, temperature, take } = deps;

  async function write(
    slice: Token[],
    generation: Generation,
    signal: AbortSignal,
  ): Promise<{ written: Token[]; end: number }> {
    const { grammar, stop = [], maxTokens } = generation;
    const limit = Math.min(maxTokens, state.left());
    const constraint = grammar === undefined ? {} : { grammarEvaluationState: await compiled(deps, grammar) };
    const written: Token[] = [];
    if (limit <= 0) return { written, end: 0 };
    // Leaving the loop ends the iterator while nothing is queued: the only safe way to stop.
    for await (const token of state.sequence.evaluate(slice, { temperature, seed: 1, ...constraint })) {
      signal.throwIfAborted();
      if (tokens.isControl(token)) break;
      written.push(token);
      const end = stopAt(tokens.text(written), stop);
      if (end !== -1) return { written, end };
      if (written.length >= limit) break;
    }
    // A limit can fall inside a character of several tokens.
    while (tokens.text(written).endsWith('\ufffd')) written.pop();
    return { written, end: tokens.text(written).length };
  }

  return async function generate(input: { segments: Segment[] } & Generation, signal: AbortSignal): Promise<Written> {
    const reused = take(input.segments);
    const start = state.length();
    const slice = await state.lastSlice(signal);
    if (slice.length === 0)
      throw new Failure(
        'model.empty',
        'The model was asked to write before it read anything. Give it some text first.',
      );
    const { written, end } = await write(slice, input, signal);
    const evaluated = Math.max(0, state.evaluated() - start);
    const meter = state.count(reused, written.length, evaluated);
    const text = tokens.text(written).slice(0, end);
    const kept = tokens.text(written).length === end ? written : cutTokens(tokens, written, end);
    await state.accept(written, kept);
    return { text, meter };
  };
}
