import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModel, type Model } from './model/model.ts';
import { tinyModel } from './model/tinyModel.ts';
import { withModelTime } from './modelTime.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-time-'));
let model: Model;
beforeAll(async () => {
  model = await createModel({ file: tinyModel(folder), name: 'tiny', threads: 1, prefixFolder: folder });
  await model.setPrefix([{ text: 'Tools and tickets.\n', trust: 'own' }]);
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true });
});

describe('the model’s time for a ticket (spec host §12)', () => {
  it('ends its work in a sentence when it is used up', async () => {
    await model.rewind();
    // Its time is over before it reads, however late this process hears of that.
    const late: Model = {
      ...model,
      async read(segments, signal) {
        if (signal !== undefined && !signal.aborted) await once(signal, 'abort');
        return model.read(segments, signal);
      },
    };
    const limited = withModelTime(late, 0);
    const long = [{ text: 'where is my order '.repeat(200), trust: 'outside' as const }];
    await expect(limited.read(long)).rejects.toThrow('a person works it');
  });

  it('is not spent by what happens between its operations', async () => {
    await model.rewind();
    // Far more than a reading and a choice take, even where the machine stalls.
    const most = 10_000;
    const limited = withModelTime(model, most);
    await limited.read([{ text: 'a', trust: 'own' }]);
    // Other work, longer than the whole time of the ticket, that the ticket does not pay for.
    const started = performance.now();
    while (performance.now() - started <= most)
      await model.count([{ text: 'where is my order '.repeat(400), trust: 'outside' }]);
    expect((await limited.choose([], [' a', ' b'])).probabilities).toHaveLength(2);
  });

  it('leaves a stop by the person what it is', async () => {
    await model.rewind();
    const stop = new AbortController();
    stop.abort(new Error('stopped by the person'));
    await expect(withModelTime(model, 60_000).read([{ text: 'a', trust: 'own' }], stop.signal)).rejects.toThrow(
      'stopped by the person',
    );
  });
});
