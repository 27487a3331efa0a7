// Models as views see them: listed, fetched with progress, and this machine's speed with one.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ValueOf } from '../shared/contract.ts';
import { Failure, reason } from '../shared/failures.ts';
import { bench, type Bench, type CatalogueEntry, type ModelNews, type ModelRow } from '../shared/models.ts';
import { may, type Person } from '../shared/people.ts';
import type { Events } from './events.ts';
import { fetchModel } from './model/download.ts';
import { keptSum } from './model/fileSum.ts';
import { modelShape } from './model/ggufHead.ts';
import { residentMemory } from './model/residentMemory.ts';
import type { ModelChoice } from './modelChoice.ts';
import type { Settings } from './settings.ts';

/** Time between two pieces of news of a download. */
const progressPause = 250;

/** What of the model that is loaded the rows tell. */
export interface Loaded {
  file: string;
  pid: number;
  context: number;
}
/** Of the worker process beside its weights: the program itself and what it computes in. Measured on two models. */
const workerBytes = 330_000_000;
const benches = z.record(z.string(), bench);

/** Every model there is; `loaded` is the one that is, if any. */
export async function modelRows(models: ModelChoice, settings: Settings, loaded: Loaded | null): Promise<ModelRow[]> {
  const inUse = (await models.chosen().catch(() => null))?.model?.name;
  const { context } = await models.settings();
  const kept = benches.parse((await settings.get('models.bench')) ?? {});
  const rows = (await models.all()).map(async ({ name, file, present, size, entry }): Promise<ModelRow> => {
    const shape = present ? await modelShape(file) : null;
    const sum = present ? await keptSum(file) : null;
    const sums = (entry?.sources ?? []).flatMap(({ sha256 }) => sha256 ?? []);
    const { title = null, scored = null } = entry ?? {};
    return {
      ...{ name, file, present, size, title, scored },
      role: entry?.role ?? 'added',
      licence: entry?.licence ?? null,
      context: shape?.context ?? entry?.context ?? null,
      in_use: name === inUse,
      part: present ? 0 : await partSize(file),
      getting: underWay.get(file)?.news ?? null,
      problem: problems.get(file) ?? null,
      sum: sum === null ? null : { sha256: sum, expected: sums.length === 0 ? null : sums.includes(sum) },
      memory:
        shape?.tokenBytes == null
          ? null
          : size + workerBytes + shape.tokenBytes * Math.min(context, shape.context ?? context),
      loaded: loaded?.file === file ? { memory: await residentMemory(loaded.pid), context: loaded.context } : null,
      bench: kept[name] ?? null,
    };
  });
  return Promise.all(rows);
}

async function partSize(file: string): Promise<number> {
  const sizes = await Promise.all(
    [`${file}.part`, `${file}.joined`].map((part) =>
      stat(part).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return Math.max(...sizes);
}

type Catalogued = Pick<ModelChoice, 'find' | 'folder'>;
interface Download {
  stop: AbortController;
  done: Promise<ValueOf<'models.get'>>;
  news: ModelNews;
}
/** Why a file was not got the last time, while this host runs. */
const problems = new Map<string, string>();
/** By file: two downloads never write into the same one. */
const underWay = new Map<string, Download>();

/** Fetches a model of the catalogue, or waits for who does already. Whoever stops it pauses it for all; who leaves does not. */
export async function getModel(
  { models, events }: { models: Catalogued; events: Events },
  name: string,
  signal: AbortSignal,
): Promise<ValueOf<'models.get'>> {
  const { entry, file, name: found } = await models.find(name);
  if (entry === null) throw new Failure('model.unknown', `${found} was added as a file; there is nothing to get.`);
  const download = underWay.get(file) ?? begin({ models, events }, file, entry);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const leave = (): void => {
    const left = signal.reason instanceof Failure && signal.reason.code === 'host.gone';
    if (!left) download.stop.abort(signal.reason);
    reject(signal.reason as Error); // a Failure of the router, or of whoever started the desk
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return Promise.race([download.done, stopped]).finally(() => signal.removeEventListener('abort', leave));
}

/** Ends with the download of a file, and fails with it; null where none is under way. */
export function fetching(file: string): Promise<unknown> | null {
  return underWay.get(file)?.done ?? null;
}

/** Staff get the starter where nothing is there yet, so that a first start comes to drafts; which models there are is an admin's. */
export async function mayGet(models: ModelChoice, name: string, by: Person): Promise<void> {
  if (may(by.role, 'admin')) return;
  const { entry, name: found } = await models.find(name);
  const all = await models.all();
  if (entry?.role === 'starter' && !all.some((one) => one.present && one.name !== found)) return;
  throw new Failure('people.role', `Only an admin gets other models than the starter; ${by.id} is ${by.role}.`);
}

/** The starter, where a data folder has no model at all (first run). Failures as of `fetchModel`. */
export async function getStarter(models: ModelChoice, events: Events, signal: AbortSignal): Promise<void> {
  if ((await models.all()).some((one) => one.present)) return;
  await getModel({ models, events }, 'starter', signal);
}

/** Before the host of a folder ends: its downloads pause, and go on from there the next time. */
export async function pauseDownloads(folder: string): Promise<void> {
  const mine = [...underWay].filter(([file]) => path.dirname(file) === folder).map(([, download]) => download);
  for (const { stop } of mine) stop.abort(new Failure('host.closed', 'The desk ended; what was fetched is kept.'));
  await Promise.allSettled(mine.map(({ done }) => done));
}

/** Pauses for everybody; false where nothing is under way. */
export async function pauseModel(models: Catalogued, name: string): Promise<boolean> {
  const download = underWay.get((await models.find(name)).file);
  if (download === undefined) return false;
  download.stop.abort(new Failure('stopped', 'Paused. What was got is kept.'));
  await download.done.catch(() => undefined);
  return true;
}

/** Takes a model off this disk; nobody may be getting it, and nobody has it loaded. */
export async function deleteModel(models: ModelChoice, events: Events, name: string): Promise<void> {
  const { file, name: found } = await models.find(name);
  if (underWay.has(file))
    throw new Failure('model.busy', `${found} is on its way to this disk. Pause it first, then delete it.`);
  await models.remove(found);
  problems.delete(file);
  events.publish('models', '*', null);
}

function begin(
  { models, events }: { models: Catalogued; events: Events },
  file: string,
  entry: CatalogueEntry,
): Download {
  const stop = new AbortController();
  const news: ModelNews = { name: entry.name, bytes: 0, total: entry.size, source: '' };
  problems.delete(file);
  const done = fetchNow(models, events, { entry, news, signal: stop.signal }).finally(() => {
    underWay.delete(file);
    events.publish('models', '*', null);
  });
  // Whoever waits hears of it; where all left, nobody does: the list says it.
  done.catch((error: unknown) => {
    if (!stop.signal.aborted) problems.set(file, problemWords(error));
  });
  const download = { stop, done, news };
  underWay.set(file, download);
  return download;
}

const tried = z.object({ tried: z.array(z.object({ source: z.string(), why: z.string() })).min(1) });

/** For the list of models: each source with its reason, without what the command line would do about it. */
function problemWords(error: unknown): string {
  const data = tried.safeParse(error instanceof Failure ? error.data : null);
  if (!data.success) return reason(error);
  return data.data.tried
    .map(({ source, why }) => `${URL.canParse(source) ? new URL(source).host : source}: ${why}.`)
    .join(' ');
}

async function fetchNow(
  models: Catalogued,
  events: Events,
  { entry, news, signal }: { entry: CatalogueEntry; news: ModelNews; signal: AbortSignal },
): Promise<ValueOf<'models.get'>> {
  const { name } = entry;
  let last = -Infinity;
  let due: NodeJS.Timeout | undefined;
  function tell(): void {
    due = undefined;
    last = performance.now();
    events.publish('models', name, { ...news });
  }
  try {
    const fetched = await fetchModel(entry, {
      folder: models.folder,
      packages: true,
      signal,
      onProgress(bytes, total, source) {
        Object.assign(news, { bytes, total, source });
        // What comes within the pause is told after it: the last piece before a line goes quiet, too.
        due ??= setTimeout(tell, Math.max(0, last + progressPause - performance.now()));
      },
    });
    return { name, fromDisk: fetched.source === 'disk' };
  } finally {
    clearTimeout(due);
  }
}

/** Loads a model and measures how fast it reads and writes and what it takes; the figures are kept. */
export async function benchModel(
  { models, settings, events }: { models: ModelChoice; settings: Settings; events: Events },
  name: string | undefined,
  signal: AbortSignal,
): Promise<Bench> {
  const { model, why } = await models.chosen(name);
  if (model === null) throw new Failure('model.missing', why);
  const started = performance.now();
  const loaded = await models.load(model, { signal });
  try {
    const load = performance.now() - started;
    const text = 'The parcel left the warehouse in the morning and the customer asked where it was. '.repeat(20);
    await loaded.setPrefix([{ text: 'Speed of this machine.\n', trust: 'own' }], signal);
    const read = performance.now();
    const meter = await loaded.read([{ text, trust: 'own' }], signal);
    const readMs = performance.now() - read;
    const write = performance.now();
    const written = await loaded.generate([{ text: '\nIn short:', trust: 'own' }], { maxTokens: 32 }, signal);
    const writeMs = performance.now() - write;
    const { threads } = await models.settings();
    const measured: Bench = {
      model: model.name,
      load_ms: Math.round(load),
      read_tokens_per_second: Math.round(meter.evaluated / (readMs / 1000)),
      write_tokens_per_second: Math.round((written.meter.generated / (writeMs / 1000)) * 10) / 10,
      at: new Date().toISOString(),
      context: loaded.info.contextSize,
      threads,
      memory: await residentMemory(loaded.pid),
    };
    const kept = benches.parse((await settings.get('models.bench')) ?? {});
    await settings.set('models.bench', { ...kept, [model.name]: measured });
    events.publish('models', '*', null);
    return measured;
  } finally {
    await loaded.close();
  }
}
