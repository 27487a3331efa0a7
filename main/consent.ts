// A person's answer to a waiting call: shown by its hash, stored, sent, and its ticket goes on where it stopped.
import type { ParamsOf, ValueOf } from '../shared/contract.ts';
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { Calls } from './calls.ts';
import type { Host } from './host.ts';
import type { Work } from './work.ts';

/** The call that waits under an ID, or its first letters. Failures `calls.answered`, `calls.settled`, `calls.none`. */
export async function findWaiting(calls: Calls, id: string): Promise<Call> {
  // A consent that was stored and never sent, the desk having ended in between, is sent by the same command.
  const unsent = (await calls.list({ states: ['consented'] })).filter((call) => call.consent?.by !== 'host');
  const waiting = [...(await calls.waiting()), ...unsent];
  const found = waiting.filter((call) => call.id === id || (id.length >= 6 && call.id.startsWith(id)));
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const known = await calls.get(id).catch(() => null);
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

/** Stores and carries out an answer. Failure `calls.hash` where the call is not what was shown. */
export async function answerConsent(
  { host, work }: { host: Host; work: Work },
  params: ParamsOf<'calls.consent'>,
  by: Person,
  signal: AbortSignal,
): Promise<ValueOf<'calls.consent'>> {
  const { calls } = host;
  const { answer, hash } = params;
  const call = await findWaiting(calls, params.id);
  if (call.hash !== hash)
    throw new Failure(
      'calls.hash',
      `What was shown is not what call ${call.id} would send now. Look at it again, then answer.`,
    );
  const first = work.answeredBy(call.id);
  if (first !== undefined)
    throw new Failure('calls.answered', `${call.tool} was answered by ${first.name} just now. Nothing was sent now.`);
  if (work.give(call.id, answer === 'later' ? null : { answer, by, scripted: false })) return { call, run: null };
  if (answer === 'later') return { call, run: null };
  if (call.run === '') return { call: await ofNoRun(host, call, { answer, hash, by, signal }), run: null };
  return work.goOn({ ...params, by, signal }, async (session) => {
    // Whoever waited for a turn looks again: somebody else may have answered meanwhile.
    const now = await findWaiting(calls, call.id);
    await session.check(now);
    if (now.state !== 'consented') return calls.answer(now.id, { by, answer, hash, scripted: false });
    return answer === 'run' ? now : calls.withdraw(now.id, takenBack(by), by.id);
  });
}

/** A call that a view asked for: it is answered and sent, and no run goes on after it. */
async function ofNoRun(
  { calls, gate, tickets }: Host,
  call: Call,
  given: { answer: 'run' | 'dont'; hash: string; by: Person; signal: AbortSignal },
): Promise<Call> {
  const { answer, hash, by, signal } = given;
  if (call.state === 'consented' && answer === 'dont') return calls.withdraw(call.id, takenBack(by), by.id);
  const now = call.state === 'consented' ? call : await calls.answer(call.id, { by, answer, hash, scripted: false });
  if (answer === 'dont') return now;
  const ticket = (await tickets.find(call.ticket)) ?? null;
  await gate.send(now, { run: '', ticket, signal });
  return calls.get(call.id);
}

function takenBack(by: Person): string {
  return `Taken back by ${by.id} before it was sent.`;
}
