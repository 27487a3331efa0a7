// A data folder in the seed state that lends its models from a real one: scoring runs and replays start from it and change
// nothing of the person's.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from './ports.ts';
import { createSettings } from './settings.ts';
import { openStore } from './store/open.ts';

/** `models` is the real folder's, linked: a gigabyte is not copied to be read once. */
export function trialFolder(real: string): { data: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-trial-'));
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const models = path.join(real, 'models');
  // A junction needs no rights on Windows; elsewhere it is a plain symbolic link. `rmSync` removes the link only.
  if (existsSync(models)) symlinkSync(models, path.join(data, 'models'), 'junction');
  return { data, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes the models a person added to the real folder, and the one in use there, known in a fresh one. */
export async function lendModels(real: string, data: string, clock: Clock): Promise<void> {
  const file = path.join(real, 'desk.db');
  if (!existsSync(file)) return;
  const [from, to] = [await openStore(file), await openStore(path.join(data, 'desk.db'))];
  try {
    for (const key of ['models.added', 'models.use']) {
      const value = await createSettings(from, clock).get(key);
      if (value !== undefined) await createSettings(to, clock).set(key, value);
    }
  } finally {
    await from.close();
    await to.close();
  }
}
