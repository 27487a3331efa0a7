// A person's answer to a waiting call: shown by its hash, stored, sent, and its ticket goes on where it stopped.
import type { ParamsOf, ValueOf } from '../shared/contract.ts';
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { Calls } from './calls.ts';
import type { Host } from './host.ts';
import { runOf } from './session.ts';
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
  await runOf(host, call);
  const given = { by, answer, hash, scripted: false };
  // A no counts at once, also before a yes that waits for its turn.
  const declined = answer === 'dont' ? await no(host, call, given) : null;
  return work.goOn({ ...params, by, signal }, async () => {
    if (declined !== null) return declined;
    // Whoever waited for a turn looks again: somebody else may have answered meanwhile.
    const now = await findWaiting(calls, call.id);
    return now.state === 'consented' ? now : calls.answer(now.id, given);
  });
}

/** Nothing is sent: of a call that waits, or of a yes that was stored and never sent. */
function no({ calls }: Host, call: Call, given: Parameters<Calls['answer']>[1]): Promise<Call> {
  return call.state === 'consented'
    ? calls.withdraw(call.id, `Taken back by ${given.by.id} before it was sent.`, given.by.id)
    : calls.answer(call.id, given);
}

/** A call that a view asked for: it is answered and sent, and no run goes on after it. */
async function ofNoRun(
  host: Host,
  call: Call,
  given: { answer: 'run' | 'dont'; hash: string; by: Person; signal: AbortSignal },
): Promise<Call> {
  const { calls, gate, tickets } = host;
  const { signal, ...said } = { ...given, scripted: false };
  if (given.answer === 'dont') return no(host, call, said);
  const now = call.state === 'consented' ? call : await calls.answer(call.id, said);
  const ticket = (await tickets.find(call.ticket)) ?? null;
  await gate.send(now, { run: '', ticket, signal });
  return calls.get(call.id);
}
