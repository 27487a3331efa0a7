// `desk consent ID`: shows what would be sent, then runs it or not, and the ticket's run goes on where it stopped.
import { z } from 'zod';
import type { Call } from '../../shared/calls.ts';
import { Failure } from '../../shared/failures.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { consentText, follow } from './news.ts';
import { ticketLines } from './present.ts';
import { listWaiting, modelOf } from './work.ts';

export interface ConsentOptions {
  run?: boolean;
  dont?: boolean;
  /** Arguments in the place of those shown, as a JSON object. */
  edit?: string;
  model?: string;
  threads?: string;
}

/** Answers one waiting call; returns the exit code. */
export async function consentCommand(context: Context, id: string, options: ConsentOptions): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const { json } = context.global;
    const call = await desk.request('calls.get', { id });
    if (!json) context.print(await consentText(desk, call));
    if (options.edit !== undefined) return edited(context, desk, call, options.edit);
    if (options.run === true && options.dont === true)
      throw new Failure('cli.use', 'Give one of --run and --dont. Nothing was sent.');
    if ((options.run ?? false) === (options.dont ?? false)) {
      if (json) context.json(call);
      else context.print('\nAnswer with --run or --dont. Nothing was sent.');
      return exit.waiting;
    }
    const { watch, end } = follow(context, desk, {});
    const answer = options.run === true ? 'run' : 'dont';
    const asked = { id: call.id, answer, hash: call.hash, ...modelOf(options), watch } as const;
    const { run } = await desk.request('calls.consent', asked, context.signal).finally(end);
    if (run === null) {
      if (json) context.json(null);
      else context.print(`Answered. The desk that works ${call.ticket} goes on with it.`);
      return exit.done;
    }
    if (json) context.json(run);
    else context.print(ticketLines(await desk.request('tickets.get', { id: call.ticket }), run));
    await listWaiting(context, desk);
    return run.state === 'waiting' ? exit.waiting : run.state === 'failed' ? exit.failed : exit.done;
  });
}

/** The call closes and asks anew with the person's arguments; nothing is sent before that one is answered. */
async function edited(context: Context, desk: Desk, call: Call, text: string): Promise<number> {
  const next = await desk.request('calls.edit', { id: call.id, arguments: argumentsOf(text) });
  if (context.global.json) context.json(next);
  else
    context.print(
      `\nChanged. It waits anew:\n\n${await consentText(desk, next)}\n\n  desk consent ${next.id} --run   (or --dont)`,
    );
  return exit.waiting;
}

function argumentsOf(text: string): JsonObject {
  try {
    const parsed = z.record(z.string(), z.json()).safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // said below
  }
  throw new Failure(
    'cli.use',
    `--edit takes all arguments as a JSON object, like '{"order_id": "…"}'. Nothing was changed.`,
  );
}
