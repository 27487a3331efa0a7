// What the tests of the window need of the machine, set up before them: a Chromium and an X server of the system, the built
// page, and an Electron of the registry. Installed where this is root on Debian, else it is said what to do.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { builtPages } from '../main/cli/builtPages.ts';
import { sessionPath } from '../shared/shell.ts';
import { electronRuntime } from './electronRuntime.ts';

export const chromium = '/usr/bin/chromium';
/** How long a step waits for the screen (ms): a machine may be busy with something else for a while. */
export const screenMs = 60_000;
const server = '/usr/bin/Xvfb';

/** Opens an address with a start token. Once it is changed into the cookie: who reloads before that may have neither. */
export async function signIn(page: Page, link: string): Promise<void> {
  await Promise.all([page.waitForResponse((one) => new URL(one.url()).pathname === sessionPath), page.goto(link)]);
}

export function setup(): void {
  if (process.platform !== 'linux') return;
  if (!existsSync(chromium) || !existsSync(server)) install();
  builtPages(console.error);
  electronRuntime();
}

function install(): void {
  const wanted = ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'xvfb', 'libgtk-3-0'];
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    throw new Error(`The tests of the window need Chromium and Xvfb. As root: apt-get ${wanted.join(' ')}`);
  console.error('Installing Chromium and Xvfb for the tests of the window (once) …');
  apt('update', '-qq');
  apt(...wanted);
}
function apt(...args: string[]): void {
  execFileSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
