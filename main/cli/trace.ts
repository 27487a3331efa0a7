// `desk trace` and `desk report`: messages on the wire of each call, and how people answer consents.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '../../shared/failures.ts';
import type { DraftUse, Quantiles } from '../../shared/queue.ts';
import { visible } from '../visible.ts';
import { exit, withDesk, type Context } from './context.ts';
import { styled } from './present.ts';

/** `run` is a run file or an ID. */
export async function traceCommand(
  context: Context,
  run: string,
  options: { ticket?: string; call?: string },
): Promise<number> {
  const id = runId(run);
  const call = options.call === undefined ? undefined : Number(options.call);
  if (call !== undefined && !Number.isInteger(call))
    throw new Failure('cli.use', `--call takes the number of a call in its ticket, not “${options.call ?? ''}”.`);
  return withDesk(context, {}, async (desk) => {
    const traced = await desk.request('calls.trace', {
      run: id,
      ...(options.ticket === undefined ? {} : { ticket: options.ticket }),
      ...(call === undefined ? {} : { call }),
    });
    if (context.global.json) {
      context.json(traced);
      return exit.done;
    }
    for (const { call: one, messages } of traced) {
      context.print(`${styled('bold', `${one.ticket} call ${one.n}`)}  ${visible(one.tool)}, ${one.state}`);
      if (messages.length === 0) context.print('  nothing went over the wire');
      for (const { round, direction, text, at } of messages)
        context.print(`  ${at.slice(11, 23)} ${direction === 'out' ? '→' : '←'} round ${round}  ${visible(text)}`);
    }
    if (traced.length === 0) context.print('No call fits.');
    return exit.done;
  });
}

/** The ID a run file names; anything that is no file is an ID itself. */
function runId(run: string): string {
  let text: string;
  try {
    text = readFileSync(run, 'utf8');
  } catch {
    return run;
  }
  try {
    return z.object({ id: z.string() }).parse(JSON.parse(text)).id;
  } catch {
    throw new Failure(
      'runs.file',
      `${run} is no run file: it names no run. Give a run file, or the ID of a run or call.`,
    );
  }
}

/** The consent-fatigue report (spec host §10). */
export async function consentReportCommand(context: Context): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const report = await desk.request('calls.report', {});
    const use = await desk.request('drafts.use', {});
    if (context.global.json) context.json({ ...report, drafts: use });
    else {
      context.print(`${report.answered} consents answered by people, ${report.declined} declined.`);
      for (const { call, tool, by, ms } of report.quick)
        context.print(`  quick: ${tool}, yes by ${by} after ${ms} ms (call ${call})`);
      for (const { tool, times } of report.always)
        context.print(`  always: ${tool} was approved ${times} times and never declined; is the question needed?`);
      if (report.quick.length + report.always.length === 0) context.print('  Nothing speaks of too many questions.');
      for (const line of useLines(use)) context.print(line);
    }
    return exit.done;
  });
}

/** Erases what calls settled before a day held. */
export async function eraseCommand(context: Context, options: { before: string }): Promise<number> {
  const time = Date.parse(options.before);
  if (Number.isNaN(time))
    throw new Failure('cli.use', `--before takes a date like 2026-06-30, not “${options.before}”.`);
  return withDesk(context, {}, async (desk) => {
    const erased = await desk.request('calls.erase', { before: new Date(time).toISOString() });
    if (context.global.json) context.json({ erased });
    else context.print(`${erased} calls erased: what they sent and got is gone, that they were made stays in the log.`);
    return exit.done;
  });
}

/** What became of drafts, each figure with what it means. */
function useLines({
  drafts,
  waiting,
  uses,
  definitions,
  share,
  seconds,
  unbacked_per_100: unbacked,
}: DraftUse): string[] {
  if (drafts === 0) return ['No drafts yet.'];
  const spread = ({ median, p90, n }: Quantiles, unit: string): string =>
    n === 0 ? 'none yet' : `median ${median ?? 0}${unit}, p90 ${p90 ?? 0}${unit} (n ${n})`;
  // Keys of the record.
  const kinds = Object.keys(uses) as (keyof typeof uses)[];
  return [
    `${drafts} drafts of the model, ${waiting} of them still wait.`,
    ...kinds.map((kind) => `  ${String(uses[kind]).padStart(5)} ${kind}: ${definitions[kind]}`),
    `  share of words changed in those sent: ${spread(share, '')}`,
    `  from the draft to Send: ${spread(seconds, ' s')}`,
    `  claims nothing backs, in 100 drafts: ${unbacked === null ? 'none yet' : String(unbacked)}`,
  ];
}
