// `desk replay RUN`: reads a recorded run again without a model; exit 4 at the first difference, named.
import { Failure } from '../../shared/failures.ts';
import { createHost } from '../host.ts';
import { replayRun, type Replayed } from '../replay.ts';
import { liveServers } from '../replayServers.ts';
import { sourcesOf } from '../replaySources.ts';
import { readRunFile } from '../runFileCheck.ts';
import type { RunFile } from '../runFileShape.ts';
import { trialFolder } from '../trialFolder.ts';
import { exit, type Context } from './context.ts';
import { sampleProfile } from './folders.ts';

export interface ReplayFlags {
  servers?: boolean;
  current?: boolean;
  playbook?: string;
  profile?: string;
}

/** Replays a run file; returns the exit code. */
export async function replayCommand(context: Context, file: string, flags: ReplayFlags): Promise<number> {
  if (flags.playbook !== undefined && flags.current !== true)
    throw new Failure('cli.use', '--playbook takes the place of the recorded one only with --current.');
  if (flags.profile !== undefined && flags.current !== true && flags.servers !== true)
    throw new Failure('cli.use', '--profile is used only with --servers or --current.');
  try {
    const read = readRunFile(file);
    const how = flags.servers === true ? withServers : flags.current === true ? withCurrent : withFile;
    const done = await how(context, read.run, flags, (options) =>
      replayRun(read, { signal: context.signal, ...options }),
    );
    if (context.global.json) context.json({ run: read.run.id, exact: true, ...done });
    else
      context.print(
        `Exact: ${done.tickets} tickets, ${done.turns} turns, ${done.calls} calls as recorded by ${read.run.model.name}${flags.servers === true ? ', every call asked again' : ''}.`,
      );
    return exit.done;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'replay.differs') throw error;
    if (context.global.json) context.json({ exact: false, why: error.message, where: error.data });
    else context.print(error.message);
    return exit.replayDiffers;
  }
}

type Replay = (options: Parameters<typeof replayRun>[1]) => Promise<Replayed>;

function withFile(_context: Context, _run: RunFile, _flags: ReplayFlags, replay: Replay): Promise<Replayed> {
  return replay({});
}

/** Live servers are asked again; what they define and attach must be as recorded too. */
async function withServers(context: Context, run: RunFile, flags: ReplayFlags, replay: Replay): Promise<Replayed> {
  const live = await liveServers(run, {
    profileFile: flags.profile ?? sampleProfile,
    say: context.say,
    signal: context.signal,
  });
  try {
    const { definitions, resources, instructions } = await sourcesOf(live.host, context.signal);
    if (flags.current !== true)
      return await replay({ ask: live.ask, sources: { definitions, resources, instructions } });
    return await withCurrent(context, run, flags, (options) => replay({ ...options, ask: live.ask }));
  } finally {
    await live.close();
  }
}

/** Today's definitions, resources and playbook in the place of the recorded ones. */
async function withCurrent(context: Context, _run: RunFile, flags: ReplayFlags, replay: Replay): Promise<Replayed> {
  const trial = trialFolder(context.global.data);
  try {
    const host = await createHost({
      data: trial.data,
      profileFile: flags.profile ?? sampleProfile,
      ...(flags.playbook !== undefined && { playbookFile: flags.playbook }),
      servers: true,
      replayMode: true,
      say: context.say,
      signal: context.signal,
    });
    try {
      return await replay({ sources: await sourcesOf(host, context.signal) });
    } finally {
      await host.close();
    }
  } finally {
    trial.remove();
  }
}
