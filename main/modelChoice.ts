// Which model a run uses: the named one, else the one in use, else the starter where it is on disk. No model is no
// failure: the desk then works by hand and says so.
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { CatalogueEntry } from '../shared/models.ts';
import { loadCatalogue } from './model/catalogue.ts';
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
export function createModelChoice(data: string, settings: Settings) {
  const folder = path.join(data, 'models');
  const catalogue = loadCatalogue({ packages: true });
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
  return {
    folder,
    catalogue,
    all,
    find,
    added,
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
    /** The model a run uses, or null with the reason in words. */
    async chosen(name?: string): Promise<{ model: ModelFile | null; why: string }> {
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
        why: `The model ${model.name} is not on this disk: tickets are left to people. Get it with "desk models get ${model.name}".`,
      };
    },
    /** Loads a model; a damaged file is kept aside and said. */
    async load(model: ModelFile, options: { threads?: number; signal?: AbortSignal }): Promise<Model> {
      const sums = (model.entry?.sources ?? []).flatMap((source) =>
        source.sha256 === undefined ? [] : [source.sha256],
      );
      try {
        return await createModel(
          {
            file: model.file,
            name: model.name,
            ...(sums.length === 1 && sums[0] !== undefined ? { sha256: sums[0] } : {}),
            ...(options.threads === undefined ? {} : { threads: options.threads }),
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
