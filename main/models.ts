// Models as views see them: listed, fetched with progress, and this machine's speed with one.
import path from 'node:path';
import type { Bench, ValueOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { CatalogueEntry, ModelRow } from '../shared/models.ts';
import type { Events } from './events.ts';
import { fetchModel } from './model/download.ts';
import type { ModelChoice, ModelFile } from './modelChoice.ts';

/** Time between two pieces of news of a download. */
const progressPause = 250;

export function modelRow({ name, file, present, size, entry }: ModelFile, inUse: string | undefined): ModelRow {
  const { role, licence } = entry ?? { role: 'added' as const, licence: null };
  const { title = null, scored = null, context = null } = entry ?? {};
  return { name, file, present, size, role, licence, in_use: name === inUse, title, scored, context };
}

export async function modelRows(models: ModelChoice): Promise<ModelRow[]> {
  const { model } = await models.chosen().catch(() => ({ model: null }));
  return (await models.all()).map((one) => modelRow(one, model?.name));
}

type Catalogued = Pick<ModelChoice, 'find' | 'folder'>;
interface Download {
  stop: AbortController;
  done: Promise<ValueOf<'models.get'>>;
}
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
  const download = underWay.get(file) ?? begin(file, (stop) => fetchNow(models, events, entry, stop));
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

function begin(file: string, work: (stop: AbortSignal) => Download['done']): Download {
  const stop = new AbortController();
  const done = work(stop.signal).finally(() => underWay.delete(file));
  // Whoever waits hears of it; where all left, nobody does.
  done.catch(() => undefined);
  const download = { stop, done };
  underWay.set(file, download);
  return download;
}

async function fetchNow(
  models: Catalogued,
  events: Events,
  entry: CatalogueEntry,
  signal: AbortSignal,
): Promise<ValueOf<'models.get'>> {
  const { name } = entry;
  let last = -Infinity;
  const fetched = await fetchModel(entry, {
    folder: models.folder,
    packages: true,
    signal,
    onProgress(bytes, total, source) {
      if (performance.now() - last < progressPause) return;
      last = performance.now();
      events.publish('models', name, { name, bytes, total, source });
    },
  });
  events.publish('models', '*', null);
  return { name, fromDisk: fetched.source === 'disk' };
}

/** Loads a model and measures how fast it reads and writes. */
export async function benchModel(models: ModelChoice, name: string | undefined, signal: AbortSignal): Promise<Bench> {
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
    return {
      model: model.name,
      load_ms: Math.round(load),
      read_tokens_per_second: Math.round(meter.evaluated / (readMs / 1000)),
      write_tokens_per_second: Math.round((written.meter.generated / (writeMs / 1000)) * 10) / 10,
    };
  } finally {
    await loaded.close();
  }
}
