// `npm start`: the desk on the sample company, in a window of its own where that can be, else the same desk in the browser on
// this machine's loopback. The model is fetched meanwhile. Ends with Ctrl-C.
import { Command } from 'commander';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Failure, reason } from '../shared/failures.ts';
import { attach, type Attached } from './attach.ts';
import { builtPages, root } from './cli/builtPages.ts';
import { exit, runCommand, type Context } from './cli/context.ts';
import { windowRuntime } from './cli/electron.ts';
import { startProfile } from './cli/folders.ts';
import { openBrowser } from './cli/openBrowser.ts';
import { serveWeb } from './web.ts';

interface StartOptions {
  browser?: boolean;
  port: string;
  fetch: boolean;
  open: boolean;
}

/** A window that ends sooner than this with an error did not open. */
const opened = 10_000;

const program = new Command('start')
  .option('--data <dir>', 'data folder')
  .option('--browser', 'in the browser, also where a window could be opened')
  .option('--port <n>', 'port of the page on 127.0.0.1 (without: that of before, else any free one)', '0')
  .option('--no-open', 'the browser is not opened, its address only printed')
  .option('--no-fetch', 'no model is fetched');
program.action((options: StartOptions) => runCommand(program, (context) => start(context, options)));
await program.parseAsync();

async function start(context: Context, options: StartOptions): Promise<number> {
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535)
    throw new Failure('cli.use', `"${options.port}" is no port: name one from 1 to 65535.`);
  const pages = builtPages(context.say);
  const runtime = options.browser === true ? { why: 'you asked for it' } : windowRuntime(context.say);
  if ('program' in runtime) {
    const ended = await inWindow(context, runtime.program, options);
    if (ended === null) return exit.done;
    return inBrowser(context, { pages, why: ended, options });
  }
  return inBrowser(context, { pages, why: runtime.why, options });
}

/** Null after the window was closed, else why it did not open. */
async function inWindow(context: Context, electron: string, options: StartOptions): Promise<string | null> {
  context.say('Opening the desk in its window.');
  const args = [root, `--data=${path.resolve(context.global.data)}`, ...(options.fetch ? [] : ['--no-fetch'])];
  const started = performance.now();
  const child = spawn(electron, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  context.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (number, signal) => resolve(number ?? signal ?? 1));
  });
  if (code === 0 || context.signal.aborted || performance.now() - started > opened) return null;
  return `the window did not open (${code})`;
}

async function inBrowser(
  context: Context,
  { pages, why, options }: { pages: string; why: string; options: StartOptions },
): Promise<number> {
  const attached = await attach({
    data: context.global.data,
    profileFile: startProfile(),
    say: context.say,
    signal: context.signal,
  });
  try {
    attached.prepare(options.fetch).catch((error: unknown) => !context.signal.aborted && context.say(reason(error)));
    context.print(`The desk opens in the browser: ${why}.`);
    await serve(context, attached, { pages, options });
    return exit.done;
  } finally {
    await attached.close();
  }
}

async function serve(
  context: Context,
  { connect }: Attached,
  { pages, options }: { pages: string; options: StartOptions },
): Promise<void> {
  const web = await serveWeb({
    pages,
    connect,
    port: Number(options.port),
    clock: { now: () => Date.now() },
    random: { hex: (n) => randomBytes(n).toString('hex') },
    kept: path.join(context.global.data, 'web.json'),
  });
  const forget = options.open ? openBrowser(web.link(), context.global.data) : null;
  try {
    context.print(`${forget === null ? 'Open' : 'If no browser opens:'} ${web.link()}`);
    context.print('Each address is good once, for a minute. Enter prints a new one; Ctrl-C ends the desk.');
    process.stdin.on('data', () => context.print(web.link()));
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    process.stdin.pause();
    forget?.();
    await web.close();
  }
}
