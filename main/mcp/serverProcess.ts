/** One stdio server behind its guard (guard.mjs): its pipes, what it wrote to stderr, and its end. */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../shared/failures.ts';
import { createRing } from './ring.ts';

/** How a server ended that the host itself ended. */
export const stopped = 'it was stopped';

export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  pid: number | null;
  /** The last bytes of stderr, as text. */
  stderr(): string;
  /** How the server ended, in words; null while it runs. */
  ended(): string | null;
  /** Settles when guard and pipes are closed. */
  closed: Promise<void>;
  /** Ends the server: stdin, then a request, then force. Settles when nothing of it is left, or after `closeMs`. */
  end(closeMs: number): Promise<void>;
}

/** Starts the server. Failure `servers.start` when the program is missing or may not be run. */
export async function startProcess(options: {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  stderrBytes: number;
  signal?: AbortSignal | undefined;
}): Promise<ServerProcess> {
  const guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url))], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const control = guard.stdio[3] as Writable & Readable; // a pipe in both directions, by the line above
  const ring = createRing(options.stderrBytes);
  let ended: string | null = null;
  guard.stderr.on('data', (chunk: Buffer) => ring.add(chunk));
  for (const stream of [guard.stdin, guard.stdout, guard.stderr, control]) stream.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    guard.once('close', () => resolve());
  });
  const server: ServerProcess = {
    stdin: guard.stdin,
    stdout: guard.stdout,
    pid: null,
    stderr: ring.text,
    ended: () => ended,
    closed,
    async end(closeMs) {
      ended ??= stopped;
      guard.stdin.end();
      control.write('{"end":true}\n');
      guard.stdout.resume();
      const late = setTimeout(() => drop(), closeMs);
      await closed;
      clearTimeout(late);
    },
  };
  /** The guard is gone or stuck: what is left is cut here. */
  function drop() {
    guard.kill('SIGKILL');
    if (server.pid !== null)
      try {
        process.kill(-server.pid, 'SIGKILL');
      } catch {
        // already gone
      }
    for (const stream of [guard.stdin, guard.stdout, guard.stderr, control]) stream.destroy();
  }
  guard.once('exit', () => {
    if (ended === null) ended = 'its guard process ended';
    // A process that escaped the guard may hold the pipes open; nobody waits for it.
    setTimeout(drop, 1_000).unref();
  });

  let stop = () => {};
  await new Promise<void>((resolve, reject) => {
    lines(control, (report) => {
      if (typeof report.started === 'number') {
        server.pid = report.started;
        resolve();
      } else if (typeof report.failed === 'string') reject(notStarted(options.command, report.failed));
      else if (report.exited !== undefined) ended = inWords(report.exited);
    });
    guard.once('error', (error) => reject(notStarted(options.command, error.message)));
    guard.once('exit', () => reject(notStarted(options.command, 'its guard process ended')));
    const order = { start: { command: options.command, args: options.args, env: options.env } };
    control.write(JSON.stringify(order) + '\n');
    stop = () => {
      control.write('{"end":true}\n');
      reject(new Failure('servers.start', 'the start was stopped'));
    };
    if (options.signal?.aborted) stop();
    else options.signal?.addEventListener('abort', stop, { once: true });
  }).finally(() => options.signal?.removeEventListener('abort', stop));
  return server;
}

/** Reports of the guard, one JSON object a line. */
function lines(stream: Readable, on: (report: Record<string, unknown>) => void) {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      on(JSON.parse(text.slice(0, at)) as Record<string, unknown>); // our own guard writes objects only
      text = text.slice(at + 1);
    }
  });
}

function notStarted(command: string, cause: string): Failure {
  const why =
    cause === 'ENOENT'
      ? `there is no program "${command}": check the spelling, install it, or give its full path`
      : cause === 'EACCES'
        ? `"${command}" may not be run: check its permissions`
        : `"${command}" could not be run (${cause})`;
  return new Failure('servers.start', why, { cause });
}

function inWords(exited: unknown): string {
  const { code, signal } = exited as { code: number | null; signal: string | null }; // our own guard's report
  if (signal !== null) return `it was ended by ${signal}`;
  if (code === 0) return 'it ended by itself';
  if (code === 127) return 'it ended with code 127 (a program it needs is missing)';
  return `it ended with code ${code ?? '?'}`;
}
