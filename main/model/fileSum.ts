/** SHA-256 of large files, remembered beside them: a second start must not read a gigabyte only to know it again. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const note = z.object({ size: z.number(), mtimeMs: z.number(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

function noteFile(file: string): string {
  return `${file}.sum.json`;
}

export async function fileSum(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash, signal === undefined ? {} : { signal });
  return hash.digest('hex');
}

/** Keeps a sum just computed. A folder that cannot be written to costs time at the next start, nothing else. */
export async function rememberSum(file: string, sha256: string): Promise<void> {
  const { size, mtimeMs } = await stat(file);
  await writeFile(noteFile(file), JSON.stringify({ size, mtimeMs, sha256 }), { mode: 0o600 }).catch(() => undefined);
}

export async function forgetSum(file: string): Promise<void> {
  await rm(noteFile(file), { force: true });
}

/** The sum kept for exactly this size and time of change; null where none is. */
export async function keptSum(file: string): Promise<string | null> {
  const { size, mtimeMs } = await stat(file);
  const text = await readFile(noteFile(file), 'utf8').catch(() => '');
  try {
    const kept = note.parse(JSON.parse(text));
    return kept.size === size && kept.mtimeMs === mtimeMs ? kept.sha256 : null;
  } catch {
    // No note, or one that says nothing: the file itself decides.
    return null;
  }
}

/** The sum kept for the file as it is, else computed and kept. */
export async function knownSum(file: string, signal?: AbortSignal): Promise<string> {
  const kept = await keptSum(file);
  if (kept !== null) return kept;
  const sha256 = await fileSum(file, signal);
  await rememberSum(file, sha256);
  return sha256;
}
