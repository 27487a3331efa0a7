// Whether the desk can open in a window of its own here, with which runtime, or why not. The runtime is fetched once, where
// it can be.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './builtPages.ts';

export type Runtime = { program: string } | { why: string };

const package_ = path.join(root, 'node_modules', 'electron');
const patience = 5 * 60_000;

export function windowRuntime(say: (words: string) => void): Runtime {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return { why: 'there is no display here' };
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { why: 'a window does not run as root (its sandbox needs an ordinary user)' };
  const there = installed();
  if (there !== null) return { program: there };
  say('Getting Electron, the window’s runtime (110 MB, once) …');
  const got = spawnSync(process.execPath, [path.join(package_, 'install.js')], { timeout: patience, encoding: 'utf8' });
  const program = installed();
  if (program !== null) return { program };
  const why = got.stderr.split('\n').find((line) => /error/i.test(line)) ?? 'no answer';
  return { why: `Electron is not here and cannot be fetched (${why.trim().slice(0, 200)})` };
}

function installed(): string | null {
  const said = path.join(package_, 'path.txt');
  if (!existsSync(said)) return null;
  const program = path.join(package_, 'dist', readFileSync(said, 'utf8').trim());
  return existsSync(program) ? program : null;
}
