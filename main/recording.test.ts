import { describe, expect, it } from 'vitest';
import { Failure } from '../shared/failures.ts';
import type { Model, Segment } from './model/model.ts';
import { recordModel, type TapeStep } from './recording.ts';
import { replayModel } from './replayModel.ts';

const info = { name: 'odd', sha256: '', build: '', contextSize: 10 };
const meter = { evaluated: 3, reused: 1, generated: 0 };
const ask: Segment[] = [
  { trust: 'own', text: 'Ticket:\n' },
  { trust: 'outside', text: '| amount: 23.98\n| status: placed' },
];

/** A model whose answers are chance. */
function random(): Model {
  const probability = 1 / 3;
  return {
    info,
    pid: 1,
    count: () => Promise.resolve(1),
    setPrefix: () => Promise.resolve({ tokens: 1, from: 'memory', ms: 0 }),
    rewind: () => Promise.resolve(),
    read: () => Promise.resolve(meter),
    choose: (_, options) =>
      options.includes('alike')
        ? Promise.reject(new Failure('model.labels', 'They begin alike.'))
        : Promise.resolve({ probabilities: [probability, 1 - probability], meter }),
    generate: () => Promise.resolve({ text: 'O-1', meter }),
    mark: () => Promise.resolve(7),
    back: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
async function use(model: Model) {
  await model.rewind();
  await model.read(ask);
  const refused = await model.choose(ask, ['alike', 'alike too']).catch((error: unknown) => error);
  const chosen = await model.choose(ask, ['a', 'b']);
  const mark = await model.mark();
  const written = await model.generate(ask, { grammar: 'root ::= "O-1"', maxTokens: 5, stop: ['\n'] });
  await model.back(mark);
  return [refused instanceof Failure ? refused.code : refused, chosen, written];
}
function player(steps: TapeStep[]) {
  return replayModel({
    info,
    steps,
    stopped: 'Stopped.',
    nameOf: ({ trust }, index) => `${trust} ${index}`,
    differs(words, field) {
      throw new Failure('replay.differs', words, { field });
    },
  });
}

describe('what a model was asked and answered (spec host §16)', () => {
  it('is kept whole, and a run by the tape alone gets the same answers and refusals', async () => {
    const tape: TapeStep[] = [];
    const recorded = await use(recordModel(random(), tape));
    expect(tape.map(({ op }) => op)).toEqual(['rewind', 'read', 'choose', 'choose', 'mark', 'generate', 'back']);
    // As a file would hold it.
    const { model, left } = player(JSON.parse(JSON.stringify(tape)) as TapeStep[]);
    expect(await use(model)).toEqual(recorded);
    expect(left()).toEqual([]);
  });

  it('decides by the rounded probabilities that are kept', async () => {
    const tape: TapeStep[] = [];
    const { probabilities } = await recordModel(random(), tape).choose(ask, ['a', 'b']);
    expect(probabilities).toEqual([0.333333, 0.666667]);
    expect(tape[0]?.probabilities).toEqual(probabilities);
  });

  it('stops at the first text, option, grammar or operation that is another, and names it', async () => {
    const tape: TapeStep[] = [];
    await use(recordModel(random(), tape));
    const other: Segment[] = [
      ask[0] ?? { trust: 'own', text: '' },
      { trust: 'outside', text: '| amount: 24.98\n| status: placed' },
    ];
    const { model } = player(tape);
    await model.rewind();
    await expect(model.read(other)).rejects.toMatchObject({
      message: 'outside 0, field amount, differs at line 1, word 3: “23.98” recorded, “24.98” now',
      data: { field: 'amount' },
    });
    await expect(player(tape).model.read(ask)).rejects.toThrow('asked to read where it was asked to rewind');
    await expect(player(tape.slice(3)).model.choose(ask, ['a', 'c'])).rejects.toThrow(
      'options of the model are ["a","c"]',
    );
    const written = player(tape.slice(5)).model.generate(ask, {
      grammar: 'root ::= "O-2"',
      maxTokens: 5,
      stop: ['\n'],
    });
    await expect(written).rejects.toMatchObject({ data: { field: 'grammar' } });
    await expect(player([]).model.rewind()).rejects.toThrow('nothing more was recorded');
    const trusted = ask.map(({ text }): Segment => ({ text, trust: 'own' }));
    await expect(player(tape.slice(1)).model.read(trusted)).rejects.toThrow('differs at its trust');
  });
});
