// What a model was asked and answered in one ticket run, step by step, so that the run can be read again without it
// (spec host §16). Probabilities are rounded before anyone decides by them: a file holds exactly what decided.
import { Failure, reason } from '../shared/failures.ts';
import type { Meter } from '../shared/runs.ts';
import type { Model, Segment } from './model/model.ts';

/** One operation of a model with what it read, what was asked of it, and what came back. */
export interface TapeStep<Read = Segment> {
  op: 'rewind' | 'read' | 'choose' | 'generate' | 'mark' | 'back';
  segments?: Read[];
  options?: string[];
  grammar?: string;
  most?: number;
  stop?: string[];
  probabilities?: number[];
  text?: string;
  /** A position in tokens. */
  at?: number;
  meter?: Meter;
  /** It ended in a failure; `stopped` where it was cancelled or its time was over. */
  failed?: { code: string; message: string };
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The same model; every operation of a ticket run is added to the tape. Costs no decode. */
export function recordModel(model: Model, tape: TapeStep[]): Model {
  async function kept<T>(step: TapeStep, work: Promise<T>, answer: (result: T) => Partial<TapeStep>): Promise<T> {
    try {
      const result = await work;
      tape.push({ ...step, ...answer(result) });
      return result;
    } catch (error) {
      const code = error instanceof Failure ? error.code : 'stopped';
      tape.push({ ...step, failed: { code, message: reason(error) } });
      throw error;
    }
  }
  async function choose(segments: Segment[], options: string[], signal?: AbortSignal) {
    const { probabilities, meter } = await model.choose(segments, options, signal);
    return { probabilities: probabilities.map(rounded), meter };
  }
  return {
    ...model,
    rewind: () => kept({ op: 'rewind' }, model.rewind(), () => ({})),
    read: (segments, signal) => kept({ op: 'read', segments }, model.read(segments, signal), (meter) => ({ meter })),
    choose: (segments, options, signal) =>
      kept({ op: 'choose', segments, options }, choose(segments, options, signal), (chosen) => chosen),
    generate: (segments, generation, signal) =>
      kept(
        { op: 'generate', segments, ...asked(generation) },
        model.generate(segments, generation, signal),
        (written) => written,
      ),
    mark: () => kept({ op: 'mark' }, model.mark(), (at) => ({ at })),
    back: (at) => kept({ op: 'back', at }, model.back(at), () => ({})),
  };
}

/** What a generation asks, as the tape names it. */
export function asked(generation: { grammar?: string; maxTokens: number; stop?: string[] }): Partial<TapeStep> {
  const { grammar, maxTokens, stop } = generation;
  return { most: maxTokens, ...(grammar !== undefined && { grammar }), ...(stop && { stop }) };
}
