// The built renderer and window of a repository checkout: built where they are missing or older than their sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../shared/failures.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const sources = ['app', 'main', 'renderer', 'shared', 'vite.config.ts', 'package-lock.json'];
/** What the build writes last. */
const last = path.join(root, '.artifacts', 'app', 'preload.cjs');

/** The folder of the built renderer. Failure `start.build`. */
export function builtPages(say: (words: string) => void): string {
  const pages = path.join(root, '.artifacts', 'renderer');
  if (!existsSync(path.join(pages, 'index.html')) || !existsSync(last) || newest() > statSync(last).mtimeMs) {
    say('Building the window’s page (some seconds) …');
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'app', 'build.ts')], { encoding: 'utf8' });
    if (status !== 0)
      throw new Failure(
        'start.build',
        `The window's page cannot be built:\n${stderr.split('\n').slice(0, 12).join('\n')}`,
      );
  }
  return pages;
}

function newest(): number {
  const files = sources.flatMap((name) => {
    const at = path.join(root, name);
    if (!existsSync(at)) return [];
    if (!statSync(at).isDirectory()) return [at];
    const inside = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return inside.map((entry) => path.join(entry.parentPath, entry.name));
  });
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
