// What a command shows while the host works for it: notices, steps, finished tickets, and waiting calls for the person at
// the terminal.
import { randomBytes } from 'node:crypto';
import type { Call } from '../../shared/calls.ts';
import type { Event, News } from '../../shared/contract.ts';
import { Failure, reason } from '../../shared/failures.ts';
import type { Desk } from '../client.ts';
import type { Context } from './context.ts';
import type { Question } from '../../shared/questions.ts';
import { readForm } from '../forms.ts';
import { fillForm } from './fillForm.ts';
import { openTerminal } from './terminal.ts';
import { consentLines, questionLines } from './present.ts';

type Shown = Partial<{ [K in News['kind']]: (news: Extract<News, { kind: K }>) => void }>;

/** Shows news under a name of its own, which the request carries as `watch`; `end` stops. */
export function follow(context: Context, desk: Desk, shown: Shown): { watch: string; end: () => void } {
  const watch = randomBytes(8).toString('hex');
  const show: Shown = { says: ({ words }) => context.say(words), ...shown };
  const end = desk.events((event) => {
    if (event.feature !== 'runs' || !('entity' in event) || event.entity.watch !== watch) return;
    const { news } = event.entity;
    // The function of a kind takes that kind.
    (show[news.kind] as ((news: News) => void) | undefined)?.(news);
  });
  return { watch, end };
}

/** True where there is a person to ask. */
export function personAtTerminal(context: Context): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && !context.global.json;
}

/** Everything a person consents to, the customer's own words first. */
export async function consentText(desk: Desk, call: Call): Promise<string> {
  const earlier = await desk.request('calls.list', { run: call.run });
  const ticket = call.ticket === '' ? null : await desk.request('tickets.get', { id: call.ticket }).catch(() => null);
  return consentLines(call, earlier, ticket);
}

/** Asks the person at the terminal about a waiting call and tells the host. */
export async function askConsent(context: Context, desk: Desk, call: Call): Promise<void> {
  const { id, hash } = call;
  await asking(context, desk, {
    over: (event) =>
      event.feature === 'calls' && event.id === id && !('entity' in event && event.entity.state === 'asking'),
    async ask(signal) {
      process.stdout.write(`\n${await consentText(desk, call)}\n`);
      await desk.request('calls.consent', { id, answer: await askOnTerminal(signal), hash });
    },
    leave: () => desk.request('calls.consent', { id, answer: 'later', hash }),
  });
}

/** Puts a server's question to the person at the terminal and tells the host. */
export async function askQuestion(
  context: Context,
  desk: Desk,
  { question, call }: { question: Question; call: Call },
): Promise<void> {
  const { id } = question;
  const leave = () => desk.request('questions.later', { id });
  await asking(context, desk, {
    over: (event) => event.feature === 'questions' && event.id === id,
    async ask(signal) {
      const entry = { question, call, form: readForm(question.request) };
      process.stdout.write(`\n${questionLines(entry)}\n`);
      const said = await fillForm(entry.form, signal);
      if (said === null) await leave();
      else await desk.request('questions.answer', { id, ...said });
    },
    leave,
  });
}

interface Asking {
  /** True of the event that says somebody answered. */
  over: (event: Event) => boolean;
  ask: (signal: AbortSignal) => Promise<void>;
  /** The ticket waits for this person: where they cannot answer it goes on without. */
  leave: () => Promise<unknown>;
}

/** Somebody else's answer ends the question at this terminal. */
async function asking(context: Context, desk: Desk, { over, ask, leave }: Asking): Promise<void> {
  const elsewhere = new AbortController();
  const end = desk.events((event) => {
    if (over(event)) elsewhere.abort();
  });
  try {
    await ask(AbortSignal.any([context.signal, elsewhere.signal]));
  } catch (error) {
    if (context.signal.aborted) return;
    if (!elsewhere.signal.aborted && !(error instanceof Failure)) throw error;
    context.say(elsewhere.signal.aborted ? '\nSomebody else answered.' : reason(error));
    if (!elsewhere.signal.aborted) await leave();
  } finally {
    end();
  }
}

async function askOnTerminal(signal: AbortSignal): Promise<'run' | 'dont' | 'later'> {
  const lines = openTerminal();
  try {
    for (;;) {
      const said = await lines.question('  y = run, n = don’t run, Enter = leave it waiting: ', { signal });
      const word = said.trim().toLowerCase();
      if (word === '') return 'later';
      if (/^y(?:es)?$/.test(word)) return 'run';
      if (/^no?$/.test(word)) return 'dont';
      process.stdout.write('  That is none of them. ');
    }
  } finally {
    lines.close();
  }
}
