// What a command shows while the host works for it: notices, steps, finished tickets, and waiting calls for the person at
// the terminal.
import { randomBytes } from 'node:crypto';
import type { Call } from '../../shared/calls.ts';
import type { Event, News } from '../../shared/contract.ts';
import { Failure } from '../../shared/failures.ts';
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

/** Asks the person at the terminal about a waiting call and tells the host; somebody else's answer ends the question. */
export async function askConsent(context: Context, desk: Desk, call: Call): Promise<void> {
  const elsewhere = new AbortController();
  const end = desk.events((event) => {
    if (isAnswered(event, call)) elsewhere.abort();
  });
  try {
    const earlier = await desk.request('calls.list', { run: call.run });
    process.stdout.write(`\n${consentLines(call, earlier)}\n`);
    const answer = await askOnTerminal(AbortSignal.any([context.signal, elsewhere.signal]));
    await desk.request('calls.consent', { id: call.id, answer, hash: call.hash });
  } catch (error) {
    if (elsewhere.signal.aborted) context.say('\nSomebody else answered.');
    else if (context.signal.aborted) return;
    else if (error instanceof Failure) context.say(error.message);
    else throw error;
  } finally {
    end();
  }
}

/** Puts a server's question to the person at the terminal and tells the host. */
export async function askQuestion(context: Context, desk: Desk, { question, call }: Asks): Promise<void> {
  const { id } = question;
  const elsewhere = new AbortController();
  const end = desk.events((event) => {
    if (event.feature === 'questions' && event.id === id) elsewhere.abort();
  });
  try {
    const entry = { question, call, form: readForm(question.request) };
    process.stdout.write(`\n${questionLines(entry)}\n`);
    const said = await fillForm(entry.form, AbortSignal.any([context.signal, elsewhere.signal]));
    if (said === null) await desk.request('questions.later', { id });
    else await desk.request('questions.answer', { id, ...said });
  } catch (error) {
    if (elsewhere.signal.aborted) context.say('\nSomebody else answered.');
    else if (context.signal.aborted) return;
    else if (error instanceof Failure) context.say(error.message);
    else throw error;
  } finally {
    end();
  }
}
interface Asks {
  question: Question;
  call: Call;
}

function isAnswered(event: Event, call: Call): boolean {
  return event.feature === 'calls' && event.id === call.id && !('entity' in event && event.entity.state === 'asking');
}

async function askOnTerminal(signal: AbortSignal): Promise<'run' | 'dont' | 'later'> {
  const lines = openTerminal();
  try {
    const said = await lines.question('  y = run, n = don’t run, Enter = leave it waiting: ', { signal });
    const word = said.trim().toLowerCase();
    return word === 'y' ? 'run' : word === 'n' ? 'dont' : 'later';
  } finally {
    lines.close();
  }
}
