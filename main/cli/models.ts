// `desk models`: the catalogue, what is on disk, getting, adding and choosing a model, and this machine's speed.
import { Failure } from '../../shared/failures.ts';
import { fetchModel } from '../model/download.ts';
import type { ModelChoice, ModelFile } from '../modelChoice.ts';
import { exit, withHost, type Context } from './context.ts';
import { styled } from './present.ts';

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

export async function modelsCommand(
  context: Context,
  verb: string | undefined,
  name: string | undefined,
): Promise<number> {
  return withHost(context, { servers: false }, async (_, models) => {
    if (verb === undefined) return listModels(context, models);
    if (name === undefined && verb !== 'bench')
      throw new Failure('cli.use', `"desk models ${verb}" needs a ${verb === 'add' ? 'file' : 'name'}.`);
    switch (verb) {
      case 'get':
        await getModel(context, models, name ?? 'starter');
        return exit.done;
      case 'add': {
        const added = await models.add(name ?? '');
        await models.use(added.name);
        context.print(`${added.name} is known and in use (${added.file}).`);
        return exit.done;
      }
      case 'use':
        context.print(`${(await models.use(name ?? '')).name} is in use from now on.`);
        return exit.done;
      case 'bench':
        return bench(context, models, name);
      default:
        context.say(`"desk models ${verb}" is not known. Known: get NAME, add FILE, use NAME, bench.`);
        return exit.wrongUse;
    }
  });
}

async function listModels(context: Context, models: ModelChoice): Promise<number> {
  const all = await models.all();
  const { model } = await models.chosen().catch(() => ({ model: null }));
  if (context.global.json)
    context.json(
      all.map(({ name, file, present, size, entry }) => ({
        name,
        file,
        present,
        size,
        role: entry?.role ?? 'added',
        licence: entry?.licence ?? null,
        in_use: model?.name === name,
      })),
    );
  else
    for (const one of all) {
      const state = model?.name === one.name ? styled('green', 'in use') : one.present ? 'on disk' : 'not here';
      context.print(
        `${one.name.padEnd(36)} ${state.padEnd(10)} ${megabytes(one.size).padStart(7)}  ${one.entry === null ? one.file : `${one.entry.role}, ${one.entry.licence}`}`,
      );
    }
  return exit.done;
}

/** Fetches a model of the catalogue with progress on stderr. */
export async function getModel(
  context: Pick<Context, 'say' | 'signal'>,
  models: ModelChoice,
  name: string,
): Promise<ModelFile> {
  const model = await models.find(name);
  if (model.entry === null)
    throw new Failure('model.unknown', `${model.name} was added as a file; there is nothing to get.`);
  const started = Date.now();
  let last = 0;
  const fetched = await fetchModel(model.entry, {
    folder: models.folder,
    packages: true,
    signal: context.signal,
    onProgress(bytes, total, source) {
      const now = Date.now();
      const terminal = process.stderr.isTTY;
      if (now - last < (terminal ? 250 : 5_000)) return;
      last = now;
      const from = source === 'packages' ? 'packages of the registry' : new URL(source).host;
      const line = `Getting ${model.name}: ${Math.min(99, Math.floor((bytes / total) * 100))} % of ${megabytes(total)} from ${from}, ${Math.round((now - started) / 1000)} s`;
      process.stderr.write(terminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  context.say(
    fetched.source === 'disk'
      ? `${model.name} is on this disk.`
      : `${model.name} is here and its checksum is right (${Math.round((Date.now() - started) / 1000)} s).`,
  );
  return models.find(model.name);
}

async function bench(context: Context, models: ModelChoice, name: string | undefined): Promise<number> {
  const { model, why } = await models.chosen(name);
  if (model === null) throw new Failure('model.missing', why);
  const started = performance.now();
  const loaded = await models.load(model, { signal: context.signal });
  try {
    const load = performance.now() - started;
    const text = 'The parcel left the warehouse in the morning and the customer asked where it was. '.repeat(20);
    await loaded.setPrefix([{ text: 'Speed of this machine.\n', trust: 'own' }], context.signal);
    const read = performance.now();
    const meter = await loaded.read([{ text, trust: 'own' }], context.signal);
    const readMs = performance.now() - read;
    const write = performance.now();
    const written = await loaded.generate([{ text: '\nIn short:', trust: 'own' }], { maxTokens: 32 }, context.signal);
    const writeMs = performance.now() - write;
    const figures = {
      model: model.name,
      load_ms: Math.round(load),
      read_tokens_per_second: Math.round(meter.evaluated / (readMs / 1000)),
      write_tokens_per_second: Math.round((written.meter.generated / (writeMs / 1000)) * 10) / 10,
    };
    if (context.global.json) context.json(figures);
    else
      context.print(
        `${figures.model}: loads in ${figures.load_ms} ms, reads ${figures.read_tokens_per_second} tokens a second, writes ${figures.write_tokens_per_second}.`,
      );
    return exit.done;
  } finally {
    await loaded.close();
  }
}
