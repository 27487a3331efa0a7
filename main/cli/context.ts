// What every command shares: options, output, exit codes, and a host that closes whatever happens.
import type { Command } from 'commander';
import { Failure, reason } from '../../shared/failures.ts';
import type { Person } from '../../shared/people.ts';
import { createHost, type Host, type HostOptions } from '../host.ts';
import { createModelChoice, type ModelChoice } from '../modelChoice.ts';
import { defaultData, sampleProfile } from './folders.ts';

/** Exit codes of spec cli. */
export const exit = { done: 0, failed: 1, wrongUse: 2, waiting: 3, replayDiffers: 4, stopped: 130 } as const;

interface Global {
  data: string;
  as: string;
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
    as: options.as ?? 'staff-0007',
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
  const context: Context = {
    global: globalOf(command),
    signal: stop.signal,
    print: (text) => process.stdout.write(`${text}\n`),
    say: (text) => process.stderr.write(`${text}\n`),
    json: (value) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
  try {
    process.exitCode = await work(context);
  } catch (error) {
    process.exitCode = stop.signal.aborted ? exit.stopped : exit.failed;
    if (!stop.signal.aborted)
      context.say(
        error instanceof Failure
          ? error.message
          : `This is a fault of the desk, not yours: ${reason(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`,
      );
  } finally {
    if (process.connected) process.disconnect();
  }
}

/** Opens the host for one command and closes it, whatever happens. */
export async function withHost<T>(
  context: Context,
  options: Partial<Omit<HostOptions, 'data' | 'say'>>,
  work: (host: Host, models: ModelChoice) => Promise<T>,
): Promise<T> {
  const host = await createHost({
    data: context.global.data,
    profileFile: sampleProfile,
    servers: true,
    say: context.say,
    signal: context.signal,
    ...options,
  });
  try {
    return await work(host, createModelChoice(context.global.data, host.settings));
  } finally {
    await host.close();
  }
}

/** The person who acts. Outside a sample company nobody acts without a secret. */
export async function actor(context: Context, host: Host): Promise<Person> {
  if (!host.profile.open_sign_in) throw new Failure('people.secret', 'Sign in first: desk signin');
  return host.person(context.global.as);
}
