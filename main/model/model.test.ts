import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createModel, type Model, type ModelOptions, type Segment } from './model.ts';
import { tinyModel } from './tinyModel.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-model-'));
const file = tinyModel(folder);
const prefixFolder = path.join(folder, 'prefixes');
const prefix: Segment[] = [{ text: '<|im_start|>system\nYou are a careful support desk.<|im_end|>\n', trust: 'own' }];
const ticket: Segment[] = [{ text: 'Where is order 2415?', trust: 'outside' }];
const labels = ['orders.find', 'refunds.quote', 'answer'];
const open = new Set<Model>();

async function start(more: Partial<ModelOptions> = {}): Promise<Model> {
  const model = await createModel({
    file,
    name: 'tiny',
    contextSize: 2048,
    threads: 1,
    gpu: false,
    prefixFolder,
    ...more,
  });
  open.add(model);
  return model;
}
/** One worker for the tests that do not need one of their own. */
let common: Promise<Model> | undefined;
async function shared(): Promise<Model> {
  common ??= start();
  const model = await common;
  open.delete(model);
  return model;
}
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An ended process that nobody waits for still has a number.
    return process.platform !== 'linux' || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
function kept(): string[] {
  return readdirSync(prefixFolder).filter((name) => name.endsWith('.state'));
}
afterEach(async () => {
  await Promise.all([...open].map((model) => model.close()));
  open.clear();
});
afterAll(async () => {
  await (await common)?.close();
  rmSync(folder, { recursive: true });
});

describe('the prefix', () => {
  it('is evaluated once, then comes from memory, then from disk, with the same outcome', async () => {
    const first = await start();
    expect(await first.setPrefix(prefix)).toMatchObject({ from: 'evaluated' });
    const fresh = await first.choose(ticket, labels);
    expect(await first.setPrefix(prefix)).toMatchObject({ from: 'memory' });
    expect((await first.choose(ticket, labels)).probabilities).toEqual(fresh.probabilities);
    const second = await start();
    const loaded = await second.setPrefix(prefix);
    expect(loaded).toMatchObject({ from: 'disk', tokens: await second.mark() });
    const chosen = await second.choose(ticket, labels);
    expect(chosen.probabilities).toEqual(fresh.probabilities);
    expect(chosen.meter).toEqual({ evaluated: await second.count(ticket), reused: loaded.tokens, generated: 0 });
  });

  it.each([
    [
      'a flipped byte',
      (state: string) =>
        writeFileSync(
          state,
          readFileSync(state).map((byte, at) => (at === 5000 ? byte ^ 1 : byte)),
        ),
    ],
    ['a cut end', (state: string) => truncateSync(state, 3000)],
    ['an empty file', (state: string) => truncateSync(state, 0)],
    ['a missing file', (state: string) => rmSync(state)],
    ['a spoilt note', (state: string) => writeFileSync(state.replace(/state$/, 'json'), '{"key":')],
  ])('notices %s, builds it anew, says so, and works', async (_what, damage) => {
    rmSync(prefixFolder, { recursive: true, force: true });
    const model = await shared();
    await model.setPrefix(ticket);
    await model.setPrefix(prefix);
    const fresh = await model.choose(ticket, labels);
    await model.setPrefix(ticket);
    for (const state of kept()) damage(path.join(prefixFolder, state));
    const rebuilt = await model.setPrefix(prefix);
    expect(rebuilt).toMatchObject({ from: 'rebuilt' });
    expect(rebuilt.problem).toMatch(/damaged/);
    expect((await model.choose(ticket, labels)).probabilities).toEqual(fresh.probabilities);
    await model.setPrefix([...ticket, ...ticket]);
    expect(await model.setPrefix(prefix)).toMatchObject({ from: 'disk' });
    expect((await model.choose(ticket, labels)).probabilities).toEqual(fresh.probabilities);
  });

  it('keeps two, readable by the owner only', async () => {
    rmSync(prefixFolder, { recursive: true, force: true });
    const model = await shared();
    for (const word of ['one', 'two', 'three']) await model.setPrefix([...prefix, { text: word, trust: 'own' }]);
    expect(kept()).toHaveLength(2);
    expect(readdirSync(prefixFolder)).toHaveLength(4);
    if (process.platform === 'win32') return;
    expect(statSync(prefixFolder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(prefixFolder))
      expect(statSync(path.join(prefixFolder, name)).mode & 0o777).toBe(0o600);
  });

  it('is not taken from a file of another model', async () => {
    const other = path.join(folder, 'other.gguf');
    writeFileSync(other, Buffer.concat([readFileSync(file), Buffer.alloc(32)]));
    const first = await start();
    await first.setPrefix(prefix);
    const second = await start({ file: other });
    expect(await second.setPrefix(prefix)).toMatchObject({ from: 'evaluated' });
  });

  it('cancelled in the middle is refused and undone, and the next attempt is whole', async () => {
    const model = await start({ contextSize: 8192 });
    const long: Segment[] = [...prefix, { text: 'order 2415 was sent by parcel. '.repeat(350), trust: 'own' }];
    const cancel = new AbortController();
    const setting = model.setPrefix(long, cancel.signal);
    cancel.abort(new Error('the person went away'));
    await expect(setting).rejects.toThrow('the person went away');
    await expect(model.rewind()).rejects.toMatchObject({ code: 'model.prefix' });
    expect((await model.setPrefix(long)).tokens).toBe(await model.mark());
  });
});

describe('the worker process', () => {
  it('killed, rejects what waits and what comes after, and the next model works', async () => {
    const model = await start();
    await model.setPrefix(prefix);
    const reading = model.read([{ text: 'order 2415 was sent by parcel. '.repeat(60), trust: 'outside' }]);
    process.kill(model.pid, 'SIGKILL');
    await expect(reading).rejects.toMatchObject({ code: 'model.ended' });
    await expect(model.count(ticket)).rejects.toMatchObject({ code: 'model.ended' });
    const next = await start();
    await next.setPrefix(prefix);
    expect((await next.choose(ticket, labels)).probabilities).toHaveLength(3);
  });

  it('is gone after close, with what was running rejected', async () => {
    const model = await start();
    const reading = model.read([{ text: 'order 2415 was sent by parcel. '.repeat(60), trust: 'outside' }]);
    const refused = expect(reading).rejects.toMatchObject({ code: 'model.ended', message: 'The model was closed.' });
    await model.close();
    await refused;
    expect(alive(model.pid)).toBe(false);
  });

  it('trust, invariant 7: ends by itself when the host is killed', async () => {
    const script = path.join(folder, 'host.ts');
    const options = JSON.stringify({ file, name: 'tiny', contextSize: 512, threads: 1, gpu: false, prefixFolder });
    writeFileSync(
      script,
      `import { createModel } from ${JSON.stringify(path.join(import.meta.dirname, 'model.ts'))};\n` +
        `const model = await createModel(${options});\nprocess.stdout.write(String(model.pid));\nsetInterval(() => 0, 1000);\n`,
    );
    const host = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) =>
      host.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
    );
    expect(alive(pid)).toBe(true);
    host.kill('SIGKILL');
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 30_000 });
  });

  it('does the operations of one model one after the other', async () => {
    const model = await shared();
    await model.setPrefix(prefix);
    const alone = await model.choose(ticket, labels);
    await model.rewind();
    const [, both] = await Promise.all([model.read(ticket), model.choose([], labels), model.rewind()]);
    expect(both.probabilities).toEqual(alone.probabilities);
  });
});

describe('opening', () => {
  it('names a missing file and the two ways to get one', async () => {
    const missing = start({ file: path.join(folder, 'none.gguf'), name: 'starter' });
    await expect(missing).rejects.toMatchObject({ code: 'model.missing' });
    await expect(missing).rejects.toThrow(/none\.gguf.*desk models get starter.*desk models add FILE/);
  });

  it('refuses another checksum, a file that is no GGUF, and one cut short', async () => {
    await expect(start({ sha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'model.damaged' });
    const text = path.join(folder, 'text.gguf');
    writeFileSync(text, 'This is no model.');
    await expect(start({ file: text })).rejects.toMatchObject({ code: 'model.damaged' });
    const cut = path.join(folder, 'cut.gguf');
    writeFileSync(cut, readFileSync(file).subarray(0, 200_000));
    await expect(start({ file: cut })).rejects.toMatchObject({ code: 'model.damaged' });
  });

  it('can be cancelled', async () => {
    await expect(
      createModel({ file, name: 'tiny', threads: 1, gpu: false, prefixFolder }, AbortSignal.abort()),
    ).rejects.toThrow(/abort/i);
  });
});
