/** SQL of the questions servers ask inside a call (spec host §§17–20). */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import type { Role } from '../../shared/people.ts';
import type { Answered, Question, QuestionAnswer } from '../../shared/questions.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, QuestionRow } from './tables.ts';

const role = z.enum(['staff', 'lead', 'admin']);
const state = z.enum(['open', 'answered', 'closed']);
const answer: z.ZodType<QuestionAnswer> = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: jsonObject.exactOptional(),
});

function toQuestion(row: Selectable<QuestionRow>): Question {
  return {
    id: row.id,
    call: row.call,
    round: row.round,
    key: row.key,
    request: readJson(jsonObject, row.request, `request of question ${row.id}`),
    role: role.parse(row.role),
    pushed: row.pushed === 1,
    state: state.parse(row.state),
    answer: row.answer === null ? null : readJson(answer, row.answer, `answer of question ${row.id}`),
    by: row.by,
    scripted: row.scripted === 1,
    asked_at: row.asked_at,
    answered_at: row.answered_at,
  };
}

export interface NewQuestion {
  id: string;
  call: string;
  round: number;
  key: string;
  request: JsonObject;
  role: Role;
  pushed: boolean;
  at: string;
}
export async function insertQuestion(executor: Executor, question: NewQuestion): Promise<void> {
  const { at, request, pushed, ...rest } = question;
  await executor
    .insertInto('questions')
    .values({
      ...rest,
      request: JSON.stringify(request),
      pushed: pushed ? 1 : 0,
      state: 'open',
      answer: null,
      by: null,
      scripted: 0,
      asked_at: at,
      answered_at: null,
    })
    .execute();
}

export async function findQuestion(executor: Executor, id: string): Promise<Question | undefined> {
  const row = await executor.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toQuestion(row);
}
/** Oldest first. */
export async function listQuestions(
  executor: Executor,
  by: { state?: Question['state']; call?: string; round?: number },
): Promise<Question[]> {
  let query = executor.selectFrom('questions').selectAll().orderBy('asked_at').orderBy('id');
  if (by.state) query = query.where('state', '=', by.state);
  if (by.call !== undefined) query = query.where('call', '=', by.call);
  if (by.round !== undefined) query = query.where('round', '=', by.round);
  return (await query.execute()).map(toQuestion);
}

/** Of every call of a ticket, the oldest answer first. */
export async function listAnswered(executor: Executor, ticket: string): Promise<Answered[]> {
  const rows = await executor
    .selectFrom('calls')
    .innerJoin('questions', 'questions.call', 'calls.id')
    .selectAll('questions')
    .where('calls.ticket', '=', ticket)
    .orderBy('questions.answered_at')
    .orderBy('questions.id')
    .execute();
  // Asked of the database, the state would have it go through every question that was ever answered.
  return rows.flatMap((row) => {
    const { id, call, state: is, by, answer: given, asked_at, answered_at } = toQuestion(row);
    if (is !== 'answered' || by === null || given === null || answered_at === null) return [];
    return [{ id, call, by, action: given.action, ms: Date.parse(answered_at) - Date.parse(asked_at) }];
  });
}

/** True if it was still open. */
export async function answerQuestion(
  executor: Executor,
  id: string,
  given: { answer: QuestionAnswer; by: string; scripted: boolean; at: string },
): Promise<boolean> {
  const result = await executor
    .updateTable('questions')
    .set({
      state: 'answered',
      answer: JSON.stringify(given.answer),
      by: given.by,
      scripted: given.scripted ? 1 : 0,
      answered_at: given.at,
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function closeQuestions(executor: Executor, call: string): Promise<void> {
  await executor
    .updateTable('questions')
    .set({ state: 'closed' })
    .where('call', '=', call)
    .where('state', '=', 'open')
    .execute();
}
