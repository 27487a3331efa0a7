// The inbox: questions of servers and calls of unknown outcome, what a person says to them, and the ticket that goes on.
import type { Call } from '../shared/calls.ts';
import type { InboxEntry, ParamsOf, ValueOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import { may, type Person } from '../shared/people.ts';
import { aboutCalls } from './callAbout.ts';
import { readForm } from './forms.ts';
import type { Host } from './host.ts';
import { runOf } from './session.ts';
import type { Work } from './work.ts';

/** What waits for a role, the oldest first, and how much waits for others only. */
export async function inboxOf(host: Host, by: Person): Promise<ValueOf<'questions.list'>> {
  const all = await host.questions.open();
  const mine = all.filter((question) => may(by.role, question.role));
  const entries: InboxEntry[] = [];
  for (const question of mine) {
    const visitor = await host.questions.visitorOf(question);
    const entry = { question, call: await host.calls.get(question.call), form: readForm(question.request) };
    entries.push({ ...entry, ...(visitor !== null && { visitor }) });
  }
  const unknown = await host.calls.list({ states: ['unknown'] });
  const consents = await host.calls.waiting();
  const about = await aboutCalls(host, [...entries.map(({ call }) => call), ...unknown, ...consents]);
  return { questions: entries, unknown, consents, others: all.length - mine.length, about };
}

/** Stores an answer; with the last of a round the call is sent on and its ticket goes on. Failures as `questions.answer`. */
export async function answerQuestion(
  { host, work }: { host: Host; work: Work },
  params: ParamsOf<'questions.answer'>,
  by: Person,
  signal: AbortSignal,
): Promise<ValueOf<'questions.answer'>> {
  const { action, content } = params;
  const { id, call, pushed } = await host.questions.find(params.id);
  const given = { by, answer: { action, ...(content && { content }) }, scripted: false } as const;
  await host.questions.check(id, given);
  if (work.give(id, given)) return { call: await host.calls.get(call), run: null };
  const first = work.answeredBy(id);
  if (first !== undefined)
    throw new Failure(
      'questions.answered',
      `Question ${id} was answered by ${first.id} just now. Nothing was sent now.`,
    );
  const of = await host.calls.get(call);
  const goesOn = () =>
    work
      .goOn({ ...params, by, signal }, () => host.calls.get(call))
      .catch(async (error: unknown) => {
        // Its ticket is being worked and went on by itself the moment the answer was stored.
        if (!(error instanceof Failure) || error.code !== 'runs.ended') throw error;
        return { call: await host.calls.get(call), run: null };
      });
  if (pushed) {
    // Its call is on the wire: the answer goes straight there, and the ticket goes on once the call ended.
    const heard = host.gate.heard(call);
    await host.questions.answer(id, given);
    await heard;
    const after = await host.calls.get(call);
    return of.run === '' || after.settled_at === null ? { call: after, run: null } : goesOn();
  }
  if (of.run === '') {
    const { complete } = await host.questions.answer(id, given);
    const ticket = (await host.tickets.find(of.ticket)) ?? null;
    if (complete) await host.gate.resume(await host.calls.get(call), { run: '', ticket, signal });
    return { call: await host.calls.get(call), run: null };
  }
  await runOf(host, of);
  // Stored at once: it outlives the desk, also where its ticket has to wait for its turn. Who stored the last one sends the round.
  const { complete } = await host.questions.answer(id, given);
  return complete ? goesOn() : { call: await host.calls.get(call), run: null };
}

/** What a person found out about a call of unknown outcome; its ticket goes on where it can. */
export async function settleCall(
  { host, work }: { host: Host; work: Work },
  params: ParamsOf<'calls.settle'>,
  by: Person,
  signal: AbortSignal,
): Promise<ValueOf<'calls.settle'>> {
  const { happened, why } = params;
  const call = await found(host, params.id);
  const server = (await host.configured()).find((config) => config.prefix === call.prefix);
  const least = server?.question_roles[call.tool.slice(call.prefix.length + 1)] ?? 'staff';
  if (!may(by.role, least))
    throw new Failure('calls.role', `What ${call.tool} did is for a ${least} to say; ${by.id} is ${by.role}.`);
  // A document that was read, or a prompt: no ticket goes on with it.
  if (call.run === '') return { call: await host.calls.settleUnknown(call.id, { by, happened, why }), run: null };
  await runOf(host, call);
  const settled = await host.calls.settleUnknown(call.id, { by, happened, why });
  return work.goOn({ ...params, by, signal }, () => Promise.resolve(settled));
}

async function found(host: Host, id: string): Promise<Call> {
  const unknown = await host.calls.list({ states: ['unknown'] });
  const close = unknown.filter((call) => call.id === id || (id.length >= 6 && call.id.startsWith(id)));
  if (close.length === 1 && close[0] !== undefined) return close[0];
  const known = await host.calls.get(id).catch(() => null);
  throw new Failure(
    'calls.state',
    known === null
      ? `There is no call ${id} of unknown outcome. "desk questions" lists what waits.`
      : `Call ${id} is ${known.state}: there is nothing to settle.`,
  );
}
