// `desk consent ID`: shows what would be sent, then runs it or not, and the ticket's run goes on where it stopped.
import { exit, withDesk, type Context } from './context.ts';
import { follow } from './news.ts';
import { consentLines, ticketLines } from './present.ts';
import { listWaiting, modelOf } from './work.ts';

export interface ConsentOptions {
  run?: boolean;
  dont?: boolean;
  model?: string;
  threads?: string;
}

/** Answers one waiting call; returns the exit code. */
export async function consentCommand(context: Context, id: string, options: ConsentOptions): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const { json } = context.global;
    const call = await desk.request('calls.get', { id });
    if (!json) context.print(consentLines(call, await desk.request('calls.list', { run: call.run })));
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
