// The desk as a person starts it, for the end-to-end tests: a real process on a data folder of its own. The folder stands
// in PATH, which every process the desk starts inherits, so that whatever is left of it can be found.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tinyModel } from '../main/model/tinyModel.ts';

const desk = path.resolve(import.meta.dirname, '../main/desk.ts');

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}
export interface Running {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stdout and stderr together hold the words; rejects where the desk ends before. */
  says(words: string): Promise<void>;
  ended: Promise<Ended>;
}

/** A folder for one test file: `data` is the desk's, the rest is free. */
export function temporaryDesk() {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-e2e-'));
  const data = path.join(folder, 'data');

  function start(...args: string[]): Running {
    const child = spawn(process.execPath, [desk, '--data', data, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${path.join(data, 'bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' },
    });
    const output = { code: null as number | null, stdout: '', stderr: '' };
    const waiting = new Set<() => void>();
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
        for (const look of waiting) look();
      });
    const ended = once(child, 'close').then((): Ended => {
      for (const look of waiting) look();
      return { ...output, code: child.exitCode };
    });
    return {
      pid: child.pid ?? 0,
      kill: (signal) => child.kill(signal),
      ended,
      says: (words) =>
        new Promise((resolve, reject) => {
          function look(): void {
            if ((output.stdout + output.stderr).includes(words)) resolve();
            else if (child.exitCode !== null || child.signalCode !== null)
              reject(new Error(`The desk ended without “${words}”:\n${output.stdout}${output.stderr}`));
            else return;
            waiting.delete(look);
          }
          waiting.add(look);
          look();
        }),
    };
  }
  return {
    folder,
    data,
    start,
    run: (...args: string[]): Promise<Ended> => start(...args).ended,
    /** Makes the random model the one in use. */
    async useTinyModel(): Promise<void> {
      const { code, stderr } = await start('models', 'add', tinyModel(folder), '--as', 'staff-0001').ended;
      if (code !== 0) throw new Error(stderr);
    },
    remove: () =>
      // What was killed may write into it for a moment.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Processes whose command line or environment holds a text; ended ones have neither. Linux only, else none. */
export function processesWith(text: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      return command.includes(text) || environment.includes(text) ? [{ pid: Number(name), command }] : [];
    } catch {
      // It ended while it was looked at.
      return [];
    }
  });
}

/** Ends whatever has a text in its command line or environment. */
export function killWith(text: string): void {
  for (const { pid } of processesWith(text))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended while it was looked at.
    }
}

/** Looks until nothing is found, half a minute at most; what is left then. */
export async function leftAfter(text: string): Promise<{ pid: number; command: string }[]> {
  const start = performance.now();
  for (;;) {
    const left = processesWith(text);
    if (left.length === 0 || performance.now() - start > 30_000) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
