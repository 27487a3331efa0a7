// `npm start`: the desk on the sample company. In the browser: the page on this machine's loopback, its address printed with
// a token that is good once; the model is fetched meanwhile. Ends with Ctrl-C.
import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { attach, type Attached } from './attach.ts';
import { exit, runCommand, type Context } from './cli/context.ts';
import { sampleProfile } from './cli/folders.ts';
import { serveWeb } from './web.ts';

interface StartOptions {
  browser?: boolean;
  port?: string;
}

const pages = path.resolve(import.meta.dirname, '../.artifacts/renderer');

const program = new Command('start')
  .option('--data <dir>', 'data folder')
  .option('--browser', 'in the browser, also where a window could be opened')
  .option('--port <n>', 'port of the page on 127.0.0.1; any free one without');
program.action((options: StartOptions) => runCommand(program, (context) => start(context, options)));
await program.parseAsync();

async function start(context: Context, options: StartOptions): Promise<number> {
  const attached = await attach({
    data: context.global.data,
    profileFile: sampleProfile,
    say: context.say,
    signal: context.signal,
  });
  try {
    return await inBrowser(context, attached, Number(options.port ?? 0));
  } finally {
    await attached.close();
  }
}

async function inBrowser(context: Context, { connect }: Attached, port: number): Promise<number> {
  const web = await serveWeb({
    pages,
    connect,
    port,
    clock: { now: () => Date.now() },
    random: { hex: (n) => randomBytes(n).toString('hex') },
  });
  try {
    context.print(`The desk is at ${web.link()}`);
    context.print('The address is good once, for a minute. Enter prints a new one; Ctrl-C ends the desk.');
    process.stdin.on('data', () => context.print(web.link()));
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve(), { once: true }));
    return exit.stopped;
  } finally {
    process.stdin.pause();
    await web.close();
  }
}
