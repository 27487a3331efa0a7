/** Starts a server over HTTP for tests and the bench: a real process that prints its address and ends with its stdin. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StartedHttp {
  url: string;
  /** Lines it printed after its address, so far. */
  lines: string[];
  gone: Promise<unknown>;
  kill(): Promise<void>;
}

/** A script of e2e/hostile/, by its name; at the address of one that is gone where `port` says so. */
export async function startHttp(script: string, args: string[] = [], port = '0'): Promise<StartedHttp> {
  const path = fileURLToPath(new URL(`../../e2e/hostile/${script}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PORT: port },
  });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    let first = true;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (first)
        resolve((JSON.parse(line) as { url: string }).url); // printed by our own script
      else lines.push(line);
      first = false;
    });
    gone.then(() => reject(new Error(`${script} ended`)), reject);
  });
  return {
    url,
    lines,
    gone,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
