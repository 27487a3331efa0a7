// A model made of a recording: each operation must be the recorded next one, and answers what it answered then. The first
// that is not is named by what differs in it (spec host §16).
import type { Meter } from '../shared/runs.ts';
import { Failure } from '../shared/failures.ts';
import type { Model, Segment } from './model/model.ts';
import { asked, type TapeStep } from './recording.ts';
import { differingLine, textDifference } from './textDifference.ts';

export interface Tape {
  info: Model['info'];
  steps: TapeStep[];
  /** What a cancelled operation ended the run with. */
  stopped: string;
  /** Names the text a segment is made of; `index` counts the segments of one trust within the operation. */
  nameOf(segment: Segment, index: number, op: TapeStep['op']): string;
  /** Stops the replay with half a sentence. */
  differs(words: string, field: string): never;
}
const none: Meter = { evaluated: 0, reused: 0, generated: 0 };

/** The model, and the steps nobody asked for yet. */
export function replayModel(tape: Tape): { model: Model; left: () => TapeStep[] } {
  let next = 0;

  function play(wanted: TapeStep): TapeStep {
    const step = tape.steps[next++];
    if (step === undefined)
      return tape.differs(`the model is asked to ${wanted.op}, and nothing more was recorded`, '');
    if (step.op !== wanted.op)
      return tape.differs(`the model is asked to ${wanted.op} where it was asked to ${step.op}`, '');
    compareSegments(tape, step, wanted);
    for (const field of ['options', 'grammar', 'most', 'stop', 'at'] as const) {
      const [recorded, now] = [shown(step[field]), shown(wanted[field])];
      if (field === 'at' && wanted.op === 'mark') continue;
      if (recorded !== now) return tape.differs(`${words[field]} are ${now}, recorded were ${recorded}`, field);
    }
    if (step.failed !== undefined) {
      const { code, message } = step.failed;
      throw new Failure(code, code === 'stopped' ? tape.stopped : message);
    }
    return step;
  }

  return {
    left: () => tape.steps.slice(next),
    model: {
      info: tape.info,
      pid: 0,
      count: () => Promise.resolve(0),
      setPrefix: () => Promise.resolve({ tokens: 0, from: 'memory', ms: 0 }),
      rewind: () => promised(() => void play({ op: 'rewind' })),
      read: (segments) => promised(() => play({ op: 'read', segments }).meter ?? none),
      choose: (segments, options) =>
        promised(() => {
          const { probabilities = [], meter = none } = play({ op: 'choose', segments, options });
          return { probabilities, meter };
        }),
      generate: (segments, generation) =>
        promised(() => {
          const { text = '', meter = none } = play({ op: 'generate', segments, ...asked(generation) });
          return { text, meter };
        }),
      mark: () => promised(() => play({ op: 'mark' }).at ?? 0),
      back: (at) => promised(() => void play({ op: 'back', at })),
      close: () => Promise.resolve(),
    },
  };
}

/** What is thrown becomes a rejection, as a model's would be. */
function promised<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(work);
}
function shown(value: TapeStep['options'] | string | number): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
const words = {
  options: 'the options of the model',
  grammar: 'the texts the model may write',
  most: 'the tokens the model may write',
  stop: 'the ends of what the model writes',
  at: 'the positions of the model',
};

function compareSegments(tape: Tape, recorded: TapeStep, now: TapeStep): void {
  const [before, after] = [recorded.segments ?? [], now.segments ?? []];
  const counts: Record<string, number> = {};
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const segment = before[index] ?? after[index];
    if (segment === undefined) continue;
    const place = (counts[segment.trust] = (counts[segment.trust] ?? -1) + 1);
    const [old, fresh] = [before[index]?.text.toWellFormed() ?? '', after[index]?.text.toWellFormed() ?? ''];
    const name = tape.nameOf(segment, place, recorded.op);
    const difference = textDifference(old, fresh);
    if (difference === null && before[index]?.trust === after[index]?.trust) continue;
    const line = old.split('\n')[differingLine(old, fresh)] ?? fresh.split('\n')[differingLine(old, fresh)] ?? '';
    const field = /^\| ([\w/]+): /.exec(line)?.[1];
    tape.differs(
      `${name}${field === undefined ? '' : `, field ${field},`} differs at ${difference ?? 'its trust'}`,
      field ?? '',
    );
  }
}
