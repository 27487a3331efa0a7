/**
 * Questions servers ask inside a call (spec host §§17–20): they wait for the right role, an answer is held against the
 * form that was asked, and the last answer of a round moves the call on.
 */
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import { at } from '../shared/json.ts';
import { may, type Person, type Role } from '../shared/people.ts';
import type { Answered, Question, QuestionAnswer } from '../shared/questions.ts';
import { personOf, step } from './calls.ts';
import { checkAnswer } from '../shared/formAnswer.ts';
import { readForm } from './forms.ts';
import { iso, type Clock } from './ports.ts';
import { findCall, logged } from './store/calls.ts';
import type { Executor, Store } from './store/open.ts';
import { answerQuestion, findQuestion, listAnswered, listQuestions } from './store/questions.ts';

export type Questions = ReturnType<typeof createQuestions>;

interface Given {
  by: Person;
  answer: QuestionAnswer;
  scripted: boolean;
}

interface Deps {
  store: Store;
  clock: Clock;
  /** Whether a server is told for whom a call is made: a page it wants visited is then that person's alone. */
  namesPerson?: (prefix: string) => boolean;
  /** Told of an answered question, and of its call where that moved on, after the transaction. */
  changed?: (question: Question, call: Call | null) => void;
}

export function createQuestions({ store, clock, namesPerson, changed }: Deps) {
  /** Older servers that wait on the wire for the answer to what they pushed. */
  const waiting = new Map<string, (answer: QuestionAnswer | null) => void>();
  /** Open ones whose page is finished, as their servers said: a hint for a person, gone with the process. */
  const said = new Set<string>();

  function told(question: Question): Question {
    return said.has(question.id) ? { ...question, finished: true } : question;
  }

  /**
   * Stores a person's answer; `complete` when it was the last of its round, so the call can be resumed. Failures
   * `questions.none`, `questions.role`, `questions.person` (somebody else's page), `questions.answered`, `questions.refused` (a form nobody may fill in),
   * `questions.invalid` (data: what is wrong in which field).
   */
  async function answer(id: string, given: Given): Promise<{ question: Question; complete: boolean }> {
    const { call, ...answered } = await store.db.transaction().execute(async (trx) => {
      const { question, words } = await acceptable(trx, id, given);
      const at = iso(clock);
      const { scripted } = given;
      if (!(await answerQuestion(trx, id, { answer: words, by: given.by.id, scripted, at }))) throw settled(question);
      const round = await listQuestions(trx, { call: question.call, round: question.round });
      const complete = round.every((one) => one.state === 'answered');
      const before = complete ? await findCall(trx, question.call) : undefined;
      let moved = before ? await step(trx, before, 'answered', { by: given.by.id, at }) : null;
      // The server waits on the wire: it is on its way at once, and nothing is left that a later start would send.
      if (moved !== null && question.pushed)
        moved = await step(trx, moved, 'sending', { by: 'host', at, change: { round: moved.round + 1 } });
      // The others of its round are open: who answered this one is in the log all the same.
      if (moved === null) await logged(trx, question.call, 'asked', given.by.id, at);
      return { question: round.find((one) => one.id === id) ?? question, complete, call: moved };
    });
    changed?.(answered.question, call);
    said.delete(id);
    waiting.get(id)?.(answered.question.answer);
    return answered;
  }

  /** The question and the answer as it would be stored; throws what `answer` throws. */
  async function acceptable(
    executor: Executor,
    id: string,
    given: Given,
  ): Promise<{ question: Question; words: QuestionAnswer }> {
    const question = await findQuestion(executor, id);
    if (!question) throw new Failure('questions.none', `There is no question ${id}.`);
    if (!may(given.by.role, question.role))
      throw new Failure(
        'questions.role',
        `Question ${id} waits for a ${question.role}; ${given.by.id} is ${given.by.role}.`,
      );
    if (question.state !== 'open') throw settled(question);
    const words = checked(question, given.answer);
    const whose = words.action === 'accept' ? await visitorOf(executor, question) : null;
    if (whose !== null && whose !== given.by.id) throw othersPage(whose);
    return { question, words };
  }

  /** Who alone may visit the page a server asks for (spec servers, "payments"); null: anybody who may answer. */
  async function visitorOf(executor: Executor, { call: id, request }: Question): Promise<string | null> {
    if (at(request, '/params/mode') !== 'url') return null;
    const call = await findCall(executor, id);
    return call !== undefined && namesPerson?.(call.prefix) === true ? personOf(executor, call) : null;
  }

  return {
    answer,
    /** The answer to a question an older server pushed, once somebody gives it; null where the signal comes first. */
    async answerOf(id: string, signal: AbortSignal): Promise<QuestionAnswer | null> {
      const { promise, resolve } = Promise.withResolvers<QuestionAnswer | null>();
      const leave = () => resolve(null);
      waiting.set(id, resolve);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      try {
        // Somebody may have been quicker than the waiting.
        const { answer: given } = (await findQuestion(store.db, id)) ?? { answer: null };
        return given ?? (await promise);
      } finally {
        waiting.delete(id);
        signal.removeEventListener('abort', leave);
      }
    },
    /** What a server says of the pages it asks for (2025-11-25): it never answers a question, it stands beside it. */
    async finished(prefix: string, elicitation: string): Promise<void> {
      for (const question of await listQuestions(store.db, { state: 'open' })) {
        if (at(question.request, '/params/elicitationId') !== elicitation || said.has(question.id)) continue;
        if (at(question.request, '/params/mode') !== 'url') continue;
        if ((await findCall(store.db, question.call))?.prefix !== prefix) continue;
        said.add(question.id);
        changed?.(told(question), null);
      }
    },
    visitorOf: (question: Question) => visitorOf(store.db, question),
    /** Throws where `answer` would; stores nothing. */
    async check(id: string, given: Given): Promise<void> {
      await acceptable(store.db, id, given);
    },
    /** One question by its ID, or the first letters of it where they are enough. Failure `questions.none`. */
    async find(id: string): Promise<Question> {
      const exact = await findQuestion(store.db, id);
      if (exact !== undefined) return exact;
      const close = (await listQuestions(store.db, {})).filter((one) => id.length >= 6 && one.id.startsWith(id));
      if (close.length === 1 && close[0] !== undefined) return close[0];
      throw new Failure('questions.none', `There is no question ${id}. "desk questions" lists what waits.`);
    },
    /** What waits, the oldest first; with `role`, only what that role may answer. */
    open: async (role: Role = 'admin'): Promise<Question[]> =>
      (await listQuestions(store.db, { state: 'open' })).filter((one) => may(role, one.role)).map(told),
    of: (call: string): Promise<Question[]> => listQuestions(store.db, { call }),
    answered: (ticket: string): Promise<Answered[]> => listAnswered(store.db, ticket),
  };
}

/** Failure `questions.person`. */
export function othersPage(whose: string): Failure {
  return new Failure(
    'questions.person',
    `This page is for ${whose}, for whom the call is made: the server lets nobody else finish it. ${whose} accepts, or anybody declines and the call is made anew.`,
  );
}

function settled(question: Question): Failure {
  if (question.answer === null)
    return new Failure(
      'questions.answered',
      `Question ${question.id} is closed: its call ended meanwhile. Nothing was sent now.`,
      question,
    );
  return new Failure(
    'questions.answered',
    `Question ${question.id} was already answered by ${question.by ?? 'nobody'} (${question.answer.action}). Nothing was sent now.`,
    question,
  );
}

/** An accepted form with its content checked and its defaults filled in; anything but accept carries no content. */
function checked(question: Question, given: QuestionAnswer): QuestionAnswer {
  if (given.action !== 'accept') return { action: given.action };
  const form = readForm(question.request);
  if (form.kind === 'refused')
    throw new Failure(
      'questions.refused',
      `This form cannot be accepted: ${form.why} Decline it, or cancel it to leave it open at the server.`,
    );
  if (form.kind === 'url') return { action: 'accept' };
  const result = checkAnswer(form, given.content ?? {});
  if (result.ok) return { action: 'accept', content: result.content };
  throw new Failure(
    'questions.invalid',
    `The answer does not fit the form: ${result.problems.map(({ field, says }) => `${field} ${says}`).join(' ')} Nothing was sent.`,
    result.problems,
  );
}
