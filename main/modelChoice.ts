// Which model a run uses: the named one, else the one in use, else the starter where it is on disk. No model is no
// failure: the desk then works by hand and says so.
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import { modelSettings, type CatalogueEntry, type ModelLimits, type ModelSettings } from '../shared/models.ts';
import { loadCatalogue } from './model/catalogue.ts';
import { modelShape } from './model/ggufHead.ts';
import { createModel, type Model } from './model/model.ts';
import type { Settings } from './settings.ts';

const addedModel = z.object({ name: z.string(), file: z.string() });
type AddedModel = z.infer<typeof addedModel>;

export interface ModelFile {
  name: string;
  file: string;
  /** The catalogue's entry, where it has one. */
  entry: CatalogueEntry | null;
  present: boolean;
  size: number;
}

export type ModelChoice = ReturnType<typeof createModelChoice>;

/** Models of one data folder. */
export function createModelChoice(
  data: string,
  settings: Settings,
  catalogue: CatalogueEntry[] = loadCatalogue({ packages: true }),
) {
  const folder = path.join(data, 'models');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  async function added(): Promise<AddedModel[]> {
    return z.array(addedModel).parse((await settings.get('models.added')) ?? []);
  }
  async function all(): Promise<ModelFile[]> {
    const known = catalogue.map((entry): ModelFile => {
      const file = path.join(folder, entry.file);
      return { name: entry.name, file, entry, present: existsSync(file), size: entry.size };
    });
    const own = (await added()).map(({ name, file }): ModelFile => ({
      name,
      file,
      entry: null,
      present: existsSync(file),
      size: existsSync(file) ? statSync(file).size : 0,
    }));
    return [...known, ...own];
  }
  async function chosenSettings(): Promise<ModelSettings> {
    return modelSettings.parse((await settings.get('models.settings')) ?? {});
  }
  async function limits(): Promise<ModelLimits> {
    const model = (await chosen().catch(() => null))?.model ?? null;
    const { context = null, tokenBytes = null } = model === null ? {} : await modelShape(model.file);
    return {
      settings: await chosenSettings(),
      context,
      token_bytes: tokenBytes,
      threads: availableParallelism(),
      memory: totalmem(),
    };
  }
  async function find(name: string): Promise<ModelFile> {
    const models = await all();
    const found = models.find((one) => one.name === name || one.entry?.role === name);
    if (found === undefined)
      throw new Failure(
        'model.unknown',
        `There is no model "${name}". Known: ${models.map((one) => one.name).join(', ')}. Add a file with "desk models add FILE".`,
      );
    return found;
  }
  /** The model a run uses, or null with the reason in words and which one is `missing`. */
  async function chosen(name?: string): Promise<{ model: ModelFile | null; missing?: ModelFile; why: string }> {
    const inUse = await settings.get('models.use');
    const wanted = name ?? (typeof inUse === 'string' ? inUse : 'starter');
    const model = await find(wanted);
    if (model.present) return { model, why: '' };
    if (name !== undefined)
      throw new Failure(
        'model.missing',
        `The model ${model.name} is not there (${model.file}). Get it with "desk models get ${model.name}", or add a file with "desk models add FILE".`,
      );
    return {
      model: null,
      missing: model,
      why: `The model ${model.name} is not on this disk: tickets are left to people. Get it with "desk models get ${model.name}".`,
    };
  }
  return {
    folder,
    catalogue,
    all,
    find,
    added,
    chosen,
    settings: chosenSettings,
    limits,
    /** Failure `model.settings` for more than the model in use or this machine has. */
    async set(wanted: ModelSettings): Promise<ModelLimits> {
      const { context, threads } = await limits();
      if (context !== null && wanted.context > context)
        throw new Failure(
          'model.settings',
          `The model in use was made to see ${context} tokens at once: ${wanted.context} are more than it has. Nothing was changed.`,
        );
      if (wanted.threads > threads)
        throw new Failure(
          'model.settings',
          `This machine runs ${threads} threads at once: ${wanted.threads} would only wait for each other. Nothing was changed.`,
        );
      await settings.set('models.settings', wanted);
      return limits();
    },
    /** A file of the catalogue leaves the disk, with what was got of it; one that was added is forgotten, its file stays. */
    async remove(name: string): Promise<void> {
      const model = await find(name);
      if ((await settings.get('models.use')) === model.name) await settings.set('models.use', null);
      if (model.entry === null) {
        const rest = (await added()).filter((one) => one.name !== model.name);
        await settings.set('models.added', rest);
        return;
      }
      for (const end of ['', '.sum.json', '.part', '.part.json', '.joined', '.packages'])
        await rm(`${model.file}${end}`, { force: true, recursive: true });
    },
    async add(file: string): Promise<ModelFile> {
      const absolute = path.resolve(file);
      if (!existsSync(absolute))
        throw new Failure('model.missing', `There is no file ${absolute}. Give the path of a GGUF file.`);
      const name = path
        .basename(absolute)
        .replace(/\.gguf$/i, '')
        .toLowerCase();
      const rest = (await added()).filter((one) => one.name !== name);
      await settings.set('models.added', [...rest, { name, file: absolute }]);
      return find(name);
    },
    async use(name: string): Promise<ModelFile> {
      const model = await find(name);
      if (!model.present)
        throw new Failure(
          'model.missing',
          `${model.name} is not on this disk. Get it first: desk models get ${model.name}`,
        );
      await settings.set('models.use', model.name);
      return model;
    },
    /** Loads a model; a damaged file is kept aside and said. */
    async load(model: ModelFile, options: { threads?: number; signal?: AbortSignal }): Promise<Model> {
      const sums = (model.entry?.sources ?? []).flatMap((source) =>
        source.sha256 === undefined ? [] : [source.sha256],
      );
      const { context, threads: chosenThreads } = await chosenSettings();
      const { context: most } = await modelShape(model.file);
      const threads = options.threads ?? chosenThreads;
      try {
        return await createModel(
          {
            file: model.file,
            name: model.name,
            ...(sums.length === 1 && sums[0] !== undefined ? { sha256: sums[0] } : {}),
            contextSize: Math.min(context, most ?? context),
            threads,
            prefixFolder: path.join(data, 'prefixes'),
          },
          options.signal,
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'model.damaged' || model.entry === null) throw error;
        const aside = `${model.file}.damaged`;
        renameSync(model.file, aside);
        throw new Failure(
          'model.damaged',
          `${error.message} It was kept aside as ${aside}; get it again with "desk models get ${model.name}".`,
        );
      }
    },
  };
}
