/**
 * Evaluated prefixes on disk. llama.cpp loads a state file with flipped bytes without complaint, so each file has a sidecar
 * with our own checksum, and its name is a key over everything that gives the bytes their meaning.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { reason } from '../../shared/failures.ts';
import { fileSum } from './fileSum.ts';

/** The part of a sequence the store needs. */
export interface Restorable {
  readonly contextTokens: readonly number[];
  saveStateToFile(file: string): Promise<unknown>;
  loadStateFromFile(file: string, risk: { acceptRisk: true }): Promise<void>;
}
export interface Loaded {
  loaded: boolean;
  /** A sentence: a kept prefix was damaged and has been deleted. The sequence must be taken as undefined. */
  problem?: string;
}
export type PrefixStore = ReturnType<typeof createPrefixStore>;

/** Each is 12 to 150 KB a token; an old one serves until its successor is ready. */
const kept = 2;
const sidecar = z.object({ key: z.string(), sha256: z.string(), tokens: z.number() });

/** `shape`: model file, builds, machine features, context shape: all that a state file is tied to besides its tokens. */
export function createPrefixStore({ folder, shape }: { folder: string; shape: readonly string[] }) {
  function names(ids: readonly number[]): { key: string; state: string; note: string } {
    const key = createHash('sha256')
      .update(JSON.stringify([shape, ids]))
      .digest('hex');
    return { key, state: path.join(folder, `${key}.state`), note: path.join(folder, `${key}.json`) };
  }
  async function remove(key: string): Promise<void> {
    await rm(path.join(folder, `${key}.json`), { force: true });
    await rm(path.join(folder, `${key}.state`), { force: true });
  }
  /** Throws with what is wrong; returns false where nothing is kept. */
  async function restore(ids: readonly number[], sequence: Restorable): Promise<boolean> {
    const { key, state, note } = names(ids);
    const text = await readFile(note, 'utf8').catch(() => null);
    if (text === null) return false;
    const expected = sidecar.parse(JSON.parse(text));
    if (expected.key !== key || expected.tokens !== ids.length) throw new Error('its note belongs to another prefix');
    if ((await fileSum(state)) !== expected.sha256) throw new Error('its checksum differs');
    await sequence.loadStateFromFile(state, { acceptRisk: true });
    const found = sequence.contextTokens;
    if (found.length !== ids.length || found.some((id, at) => id !== ids[at])) throw new Error('it holds other text');
    const now = new Date();
    await utimes(note, now, now);
    return true;
  }
  /** Oldest out; so are a killed save's remains and files without their other half. */
  async function prune(): Promise<void> {
    const files = await readdir(folder);
    const notes = files.filter((file) => /^[0-9a-f]{64}\.json$/.test(file));
    const aged = await Promise.all(
      notes.map(async (file) => ({ key: file.slice(0, 64), at: (await stat(path.join(folder, file))).mtimeMs })),
    );
    const keep = new Set(
      aged
        .sort((a, b) => b.at - a.at)
        .slice(0, kept)
        .map(({ key }) => key),
    );
    for (const file of files) {
      if (/^[0-9a-f]{64}\./.test(file) && !keep.has(file.slice(0, 64)))
        await rm(path.join(folder, file), { force: true });
    }
  }
  return {
    async load(ids: readonly number[], sequence: Restorable): Promise<Loaded> {
      try {
        return { loaded: await restore(ids, sequence) };
      } catch (error) {
        await remove(names(ids).key);
        return {
          loaded: false,
          problem: `A kept prefix was damaged (${reason(error)}); it was deleted and built anew.`,
        };
      }
    },
    /** Returns a sentence where the prefix could not be kept; that costs time at the next start, nothing else. */
    async save(ids: readonly number[], sequence: Restorable): Promise<string | undefined> {
      const { key, state, note } = names(ids);
      const draft = `${state}.${randomBytes(6).toString('hex')}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        // Made first, so that the text of the policies is never readable for others while llama.cpp writes.
        await writeFile(draft, '', { mode: 0o600 });
        await sequence.saveStateToFile(draft);
        const sha256 = await fileSum(draft);
        await rename(draft, state);
        await writeFile(`${draft}.json`, JSON.stringify({ key, sha256, tokens: ids.length }), { mode: 0o600 });
        await rename(`${draft}.json`, note);
        await prune();
        return undefined;
      } catch (error) {
        await rm(draft, { force: true });
        return `The prefix could not be kept on disk (${reason(error)}); the next start reads it anew.`;
      }
    },
  };
}
