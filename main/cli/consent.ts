// `desk consent ID`: shows what would be sent, then runs it or not, and the ticket's run goes on where it stopped.
import { Failure } from '../../shared/failures.ts';
import type { Call } from '../../shared/calls.ts';
import type { Host } from '../host.ts';
import { openSession } from '../session.ts';
import { actor, exit, withHost, type Context } from './context.ts';
import { consentLines, ticketLines } from './present.ts';
import { listWaiting, loadModel } from './work.ts';

export interface ConsentOptions {
  run?: boolean;
  dont?: boolean;
  model?: string;
  threads?: string;
}

/** Answers one waiting call; returns the exit code. */
export async function consentCommand(context: Context, id: string, options: ConsentOptions): Promise<number> {
  return withHost(context, {}, async (host, models) => {
    const call = await waitingCall(host, id);
    context.print(consentLines(call, await host.calls.list({ run: call.run })));
    if ((options.run ?? false) === (options.dont ?? false)) {
      context.print('\nAnswer with --run or --dont. Nothing was sent.');
      return exit.waiting;
    }
    const by = await actor(context, host);
    // Whatever can go wrong goes wrong before the answer: a consent that is stored is also sent.
    const model = await loadModel(context, host, models, options);
    try {
      const session = await openSession(host, model, null, context.signal);
      await session.check(call);
      const answered =
        call.state === 'consented'
          ? call
          : await host.calls.answer(call.id, {
              by,
              answer: options.run === true ? 'run' : 'dont',
              hash: call.hash,
              scripted: false,
            });
      const run = await session.goOn(answered, { signal: context.signal });
      const ticket = await host.tickets.find(call.ticket);
      if (context.global.json) context.json(run);
      else if (ticket !== undefined) context.print(ticketLines(ticket, run));
      await listWaiting(context, host);
      return run.state === 'waiting' ? exit.waiting : run.state === 'failed' ? exit.failed : exit.done;
    } finally {
      await model?.close();
    }
  });
}

async function waitingCall(host: Host, id: string): Promise<Call> {
  // A consent that was stored and never sent, the desk having ended in between, is sent by the same command.
  const unsent = (await host.calls.list({ states: ['consented'] })).filter((call) => call.consent?.by !== 'host');
  const waiting = [...(await host.calls.waiting()), ...unsent];
  const found = waiting.filter((call) => call.id === id || (id.length >= 6 && call.id.startsWith(id)));
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const known = await host.calls.get(id).catch(() => null);
  if (known?.consent != null)
    throw new Failure(
      'calls.answered',
      `Call ${id} was already answered by ${known.consent.by} (${known.consent.answer === 'run' ? 'run' : 'don’t run'}); it ended as ${known.state}. Nothing was sent now.`,
    );
  if (known !== null) throw new Failure('calls.settled', `Call ${id} does not wait for consent: it is ${known.state}.`);
  throw new Failure(
    'calls.none',
    `No call ${id} waits for consent. ${waiting.length === 0 ? 'Nothing waits.' : `Waiting: ${waiting.map((call) => call.id).join(', ')}`}`,
  );
}
