// The model's decisions: choosing among legal options by one decode each, and picking a value among literal ones.
// Labels at the choice are those of labels.ts, lettered where two begin alike (spec host §4).
import { Failure } from '../shared/failures.ts';
import type { Meter } from '../shared/runs.ts';
import type { Model, Segment } from './model/model.ts';
import { lettered } from './prompt.ts';

export interface Decision {
  index: number;
  probabilities: number[];
  /** Between the first and the second option; 1 where there is one option. */
  margin: number;
  meter: Meter;
  /** What was read before the choice, as kept for replay. */
  read: Segment[];
}

export const nothing: Meter = { evaluated: 0, reused: 0, generated: 0 };

/** Adds two meters; `reused` stays that of the first operation. */
export function add(a: Meter, b: Meter): Meter {
  return {
    evaluated: a.evaluated + b.evaluated,
    reused: a.reused === 0 ? b.reused : a.reused,
    generated: a.generated + b.generated,
  };
}

/** One decode over the options after reading the segments; `weights` calibrate them (see the playbook's asks). */
export async function decide(
  model: Model,
  segments: Segment[],
  options: string[],
  signal?: AbortSignal,
  weights?: number[],
): Promise<Decision> {
  if (options.length === 1) {
    const meter = segments.length === 0 ? nothing : await model.read(segments, signal);
    return { index: 0, probabilities: [1], margin: 1, meter, read: segments };
  }
  try {
    return ranked(
      await model.choose(
        segments,
        options.map((option) => ` ${option}`),
        signal,
      ),
      segments,
      weights,
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'model.labels') throw error;
    const { labels, legend } = lettered(options);
    const read = [...segments, legend];
    return ranked(await model.choose(read, labels, signal), read, weights);
  }
}

function ranked(chosen: { probabilities: number[]; meter: Meter }, read: Segment[], weights: number[] = []): Decision {
  const weighted = chosen.probabilities.map((probability, index) => probability * (weights[index] ?? 1));
  const total = weighted.reduce((sum, one) => sum + one, 0);
  const probabilities = total > 0 ? weighted.map((one) => one / total) : chosen.probabilities;
  const order = probabilities
    .map((probability, index) => ({ probability, index }))
    .sort((a, b) => b.probability - a.probability);
  const first = order[0] ?? { probability: 0, index: 0 };
  return {
    index: first.index,
    probabilities,
    margin: first.probability - (order[1]?.probability ?? 0),
    meter: chosen.meter,
    read,
  };
}

function literal(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}

/** The option the model writes under a grammar that allows these texts only; the state is as before afterwards. */
export async function pick(
  model: Model,
  segments: Segment[],
  options: string[],
  signal?: AbortSignal,
): Promise<{ index: number; meter: Meter }> {
  const mark = await model.mark();
  const grammar = `root ::= " " ( ${options.map(literal).join(' | ')} ) "\\n"`;
  const longest = Math.max(...options.map((option) => option.length));
  try {
    const written = await model.generate(segments, { grammar, maxTokens: longest + 4, stop: ['\n'] }, signal);
    const index = options.indexOf(written.text.trim());
    return { index: Math.max(0, index), meter: written.meter };
  } finally {
    await model.back(mark);
  }
}
