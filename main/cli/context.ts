// What every command shares: options, output, exit codes, and a desk that closes whatever happens.
import type { Command } from 'commander';
import { Failure, reason } from '../../shared/failures.ts';
import { connectDesk, type Desk, type DeskOptions } from '../client.ts';
import { defaultData } from '../dataFolder.ts';
import { sampleProfile } from './folders.ts';

/** Exit codes of spec cli. */
export const exit = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  waiting: 3,
  replayDiffers: 4,
  breaking: 4,
  stopped: 130,
} as const;

interface Global {
  data: string;
  as: string | undefined;
  json: boolean;
}
export interface Context {
  global: Global;
  signal: AbortSignal;
  print: (text: string) => void;
  /** Progress and notices go to stderr; results only to stdout. */
  say: (text: string) => void;
  json: (value: unknown) => void;
}

/** The global options of a command. */
function globalOf(command: Command): Global {
  const options = command.optsWithGlobals<{ data?: string; as?: string; json?: boolean }>();
  return {
    data: options.data ?? process.env['DESK_DATA'] ?? defaultData(),
    as: options.as,
    json: options.json ?? false,
  };
}

/** Runs a command with a signal that Ctrl-C or the end of the parent aborts; sets the exit code. */
export async function runCommand(command: Command, work: (context: Context) => Promise<number>): Promise<void> {
  const stop = new AbortController();
  function interrupted(): void {
    if (stop.signal.aborted) process.exit(exit.stopped);
    process.stderr.write('\nStopping: what was done is kept.\n');
    stop.abort(new Failure('stopped', 'Stopped.'));
  }
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  process.on('SIGHUP', interrupted);
  if (process.connected) process.on('disconnect', () => stop.abort(new Failure('stopped', 'Stopped.')));
  // Whoever reads our output may stop reading, as "| head" does: that is no failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(exit.done);
      throw error;
    });
  const context: Context = {
    global: globalOf(command),
    signal: stop.signal,
    print: (text) => process.stdout.write(`${typed(text)}\n`),
    say: (text) => process.stderr.write(`${typed(text)}\n`),
    json: (value) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
  try {
    process.exitCode = await work(context);
  } catch (error) {
    process.exitCode = stop.signal.aborted ? exit.stopped : failed(error);
    if (!stop.signal.aborted)
      context.say(
        error instanceof Failure
          ? error.code === 'internal'
            ? `This is a fault of the desk, not yours: ${error.message}`
            : error.message
          : `This is a fault of the desk, not yours: ${reason(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`,
      );
  } finally {
    if (process.connected) process.disconnect();
  }
}

function failed(error: unknown): number {
  const wrong = error instanceof Failure && (error.code === 'cli.use' || error.code === 'host.params');
  return wrong ? exit.wrongUse : exit.failed;
}

/** Commands as they are typed here: through npm they have its words in front. */
function typed(text: string): string {
  if (!byNpm) return text;
  return text.replaceAll(commands, 'npm run desk -- $1');
}
const byNpm = ['desk', 'start'].includes(process.env['npm_lifecycle_event'] ?? '');
const commands =
  /(?<![\w/-]|-- )desk (work|consent|answer|questions|settle|approve|servers|limits|contract|models|tickets|import|export|doctor|trace|replay|score|report|erase|signin|signout|people|tour)\b/g;

/** Uses the host of the data folder, or becomes it for one command; closes it, whatever happens. */
export async function withDesk<T>(
  context: Context,
  options: Partial<Pick<DeskOptions, 'playbookFile' | 'descriptionsFile' | 'replayMode'>>,
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const desk = await connectDesk({
    data: context.global.data,
    as: context.global.as,
    // A variable that is set to nothing counts as not set.
    profileFile: process.env['DESK_PROFILE'] || sampleProfile,
    say: context.say,
    signal: context.signal,
    ...options,
  });
  try {
    return await work(desk);
  } finally {
    await desk.close();
  }
}

/** Who acts, for what is said of it. */
export async function actor(context: Context, desk: Desk): Promise<string> {
  return context.global.as ?? (await desk.request('people.me', {})).person?.id ?? 'nobody';
}
