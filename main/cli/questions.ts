// `desk questions`, `desk answer`, `desk settle`: what waits for a person, and what they say to it.
import { z } from 'zod';
import type { InboxEntry } from '../../shared/contract.ts';
import { Failure } from '../../shared/failures.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { QuestionAnswer } from '../../shared/questions.ts';
import type { TicketRun } from '../../shared/runs.ts';
import type { Desk } from '../client.ts';
import { visible } from '../visible.ts';
import { exit, withDesk, type Context } from './context.ts';
import { fillForm } from './fillForm.ts';
import { follow, personAtTerminal } from './news.ts';
import { formExample, moneyWords, questionLines, styled, ticketLines } from './present.ts';
import { listWaiting, modelOf } from './work.ts';

export interface AnswerOptions {
  accept?: string | true;
  decline?: boolean;
  cancel?: boolean;
  model?: string;
  threads?: string;
}

export interface SettleOptions {
  happened?: boolean;
  didNot?: boolean;
  why?: string;
  model?: string;
  threads?: string;
}

/** Everything that waits for the one who asks, each with the command that answers it. */
export async function questionsCommand(context: Context): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const inbox = await desk.request('questions.list', {});
    if (context.global.json) {
      context.json(inbox);
      return exit.done;
    }
    for (const entry of inbox.questions) context.print(`${questionLines(entry)}\n`);
    for (const call of inbox.unknown)
      context.print(
        `${styled('bold', `Call ${call.id}`)}  ${call.tool}, ticket ${call.ticket}: what it did is not known. ${visible(call.detail ?? '')}\n  Look it up, then: desk settle ${call.id} --happened --why TEXT   (or --did-not)\n`,
      );
    const consents = await desk.request('calls.waiting', {});
    for (const call of consents)
      context.print(
        `${styled('bold', `Consent ${call.id}`)}  ${call.tool}, ticket ${call.ticket}${moneyWords(call)}\n  desk consent ${call.id} --run   (or --dont)\n`,
      );
    if (inbox.others > 0)
      context.print(
        styled(
          'dim',
          `${inbox.others === 1 ? 'One question waits' : `${inbox.others} questions wait`} for another role (sample company: --as staff-0002, a lead).`,
        ),
      );
    if (inbox.questions.length + inbox.unknown.length + consents.length + inbox.others === 0)
      context.print('Nothing waits for a person.');
    return exit.done;
  });
}

/** Answers one question; the same call goes on, also after a restart. */
export async function answerCommand(context: Context, id: string, options: AnswerOptions): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const given = [options.accept !== undefined, options.decline === true, options.cancel === true].filter(Boolean);
    if (given.length > 1) throw new Failure('cli.use', 'Give one of --accept JSON, --decline and --cancel.');
    const entry = (await desk.request('questions.list', {})).questions.find(
      ({ question }) => question.id === id || (id.length >= 6 && question.id.startsWith(id)),
    );
    if (entry === undefined && given.length === 0)
      throw new Failure(
        'questions.none',
        `No question ${id} waits for ${context.global.as ?? 'you'}. desk questions lists what does, and whether others wait for a lead (sample company: --as staff-0002).`,
      );
    if (entry !== undefined && !context.global.json) context.print(questionLines(entry));
    const answer = given.length === 0 ? await asked(context, entry) : flagged(options, entry);
    if (answer === null) {
      context.print('\nAnswer with --accept JSON, --decline or --cancel. Nothing was sent.');
      return exit.waiting;
    }
    const { watch, end } = follow(context, desk, {});
    const params = { id: entry?.question.id ?? id, ...answer, ...modelOf(options), watch };
    const { call, run } = await desk.request('questions.answer', params, context.signal).finally(end);
    if (run !== null) return shown(context, desk, call.ticket, run);
    if (context.global.json) context.json(call);
    else if (call.state === 'asked') context.print('Answered. Other questions of the same call still wait.');
    else
      context.print(
        call.run === ''
          ? visible(call.text ?? call.detail ?? call.state)
          : 'Answered. The desk that works the ticket goes on with it.',
      );
    return exit.done;
  });
}

/** What a person found out about a call of unknown outcome. */
export async function settleCommand(context: Context, id: string, options: SettleOptions): Promise<number> {
  if ((options.happened ?? false) === (options.didNot ?? false) || options.why === undefined)
    throw new Failure('cli.use', 'Say --happened or --did-not, and --why TEXT: how you know.');
  const { why } = options;
  return withDesk(context, {}, async (desk) => {
    const { watch, end } = follow(context, desk, {});
    const params = { id, happened: options.happened === true, why, ...modelOf(options), watch };
    const { call, run } = await desk.request('calls.settle', params, context.signal).finally(end);
    if (run !== null) return shown(context, desk, call.ticket, run);
    if (context.global.json) context.json(call);
    else context.print(`Settled: ${visible(call.detail ?? call.state)}`);
    return exit.done;
  });
}

async function shown(context: Context, desk: Desk, ticket: string, run: TicketRun): Promise<number> {
  if (context.global.json) context.json(run);
  else context.print(ticketLines(await desk.request('tickets.get', { id: ticket }), run));
  await listWaiting(context, desk);
  return run.state === 'waiting' ? exit.waiting : run.state === 'failed' ? exit.failed : exit.done;
}

function flagged(options: AnswerOptions, entry: InboxEntry | undefined): QuestionAnswer {
  if (options.decline === true) return { action: 'decline' };
  if (options.cancel === true) return { action: 'cancel' };
  if (options.accept === true || options.accept === undefined) return { action: 'accept', content: {} };
  return { action: 'accept', content: contentOf(options.accept, entry) };
}

function contentOf(text: string, entry: InboxEntry | undefined): JsonObject {
  const wanted = entry === undefined ? '\'{"name": value}\'' : formExample(entry.form);
  try {
    const parsed = z.record(z.string(), z.json()).safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // said below
  }
  throw new Failure('cli.use', `--accept takes a JSON object, like ${wanted}. Nothing was sent.`);
}

/** Asks the person at the terminal; null where there is none, or they leave it. */
async function asked(context: Context, entry: InboxEntry | undefined): Promise<QuestionAnswer | null> {
  if (entry === undefined || !personAtTerminal(context)) return null;
  return fillForm(entry.form, context.signal);
}
