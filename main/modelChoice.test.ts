import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../shared/failures.ts';
import { createEvents } from './events.ts';
import { modelShape } from './model/ggufHead.ts';
import { tinyModel } from './model/tinyModel.ts';
import { createModelChoice, type ModelChoice } from './modelChoice.ts';
import { benchModel, deleteModel, mayGet, modelRows } from './models.ts';
import { createSettings } from './settings.ts';
import { openStore, type Store } from './store/open.ts';

const clock = { now: () => 0 };
const never = new AbortController().signal;
let folder: string;
let store: Store;
let models: ModelChoice;
let settings: ReturnType<typeof createSettings>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-choice-'));
  store = await openStore(path.join(folder, 'desk.db'));
  settings = createSettings(store, clock);
  models = createModelChoice(folder, settings);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});
async function useTiny(): Promise<void> {
  await models.use((await models.add(tinyModel(folder))).name);
}
async function row(name: string) {
  const found = (await modelRows(models, settings, null)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not listed`);
  return found;
}

describe('what a file says before it is loaded', () => {
  it('is read from its head', async () => {
    expect(await modelShape(tinyModel(folder))).toEqual({ context: 8_192, tokenBytes: expect.any(Number) as number });
  });
  it.each([
    ['cut', Buffer.from('GGUF\u0003\0\0\0')],
    ['no model', Buffer.from('hello')],
    ['a lie about lengths', Buffer.concat([Buffer.from('GGUF\u0003\0\0\0'), Buffer.alloc(64, 0xff)])],
  ])('is nothing where it is %s', async (_, bytes) => {
    const file = path.join(folder, 'bad.gguf');
    writeFileSync(file, bytes);
    expect(await modelShape(file)).toEqual({ context: null, tokenBytes: null });
  });
});

describe('how models are loaded', () => {
  it('is chosen within what the model in use and the machine have', async () => {
    await useTiny();
    expect(await models.limits()).toMatchObject({
      settings: { context: 8_192, threads: 0 },
      context: 8_192,
      threads: availableParallelism(),
    });
    await expect(models.set({ context: 16_384, threads: 0 })).rejects.toThrow(
      'The model in use was made to see 8192 tokens at once: 16384 are more than it has. Nothing was changed.',
    );
    await expect(models.set({ context: 4_096, threads: 511 })).rejects.toMatchObject({ code: 'model.settings' });
    expect(await models.settings()).toEqual({ context: 8_192, threads: 0 });
    await models.set({ context: 4_096, threads: 1 });
    const model = await models.load(await models.find('tiny'), { signal: never });
    expect(model.info.contextSize).toBe(4_096);
    await model.close();
  });

  it('is measured, and the measurement kept with its date and memory', async () => {
    await useTiny();
    await models.set({ context: 4_096, threads: 1 });
    expect((await row('tiny')).bench).toBeNull();
    const measured = await benchModel({ models, settings, events: createEvents() }, undefined, never);
    expect(measured).toMatchObject({ model: 'tiny', context: 4_096, threads: 1 });
    expect((await row('tiny')).bench).toEqual(measured);
    if (process.platform === 'linux') expect(measured.memory).toBeGreaterThan(10_000_000);
  });
});

describe('a model that is deleted', () => {
  it('leaves the disk where the catalogue has it, with what was got of it', async () => {
    const { file, name } = await models.find('light');
    for (const end of ['', '.sum.json', '.part', '.part.json']) writeFileSync(`${file}${end}`, 'x');
    mkdirSync(`${file}.packages`);
    expect(await row(name)).toMatchObject({ present: true });
    await deleteModel(models, createEvents(), name);
    expect(['', '.sum.json', '.part', '.part.json', '.packages'].filter((end) => existsSync(`${file}${end}`))).toEqual(
      [],
    );
  });
  it('is only forgotten where a person added it', async () => {
    await useTiny();
    await deleteModel(models, createEvents(), 'tiny');
    expect((await models.all()).map(({ name }) => name)).not.toContain('tiny');
    expect(existsSync(path.join(folder, 'tiny.gguf'))).toBe(true);
    expect((await models.chosen()).model).toBeNull();
  });
});

describe('who may get which (host §25)', () => {
  const staff = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
  it('staff the starter while nothing is there, an admin any', async () => {
    await mayGet(models, 'starter', staff);
    await expect(mayGet(models, 'light', staff)).rejects.toBeInstanceOf(Failure);
    await mayGet(models, 'light', { ...staff, role: 'admin' });
    await useTiny();
    await expect(mayGet(models, 'starter', staff)).rejects.toMatchObject({ code: 'people.role' });
  });
});
