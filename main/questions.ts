/** Questions servers ask inside a call: they wait for the right role, and the last answer of a round moves the call on. */
import { Failure } from '../shared/failures.ts';
import type { Person, Role } from '../shared/people.ts';
import type { Question, QuestionAnswer } from '../shared/questions.ts';
import { step } from './calls.ts';
import { iso, type Clock } from './ports.ts';
import { findCall } from './store/calls.ts';
import type { Store } from './store/open.ts';
import { answerQuestion, findQuestion, listQuestions } from './store/questions.ts';

const rank: Record<Role, number> = { staff: 0, lead: 1, admin: 2 };

export type Questions = ReturnType<typeof createQuestions>;

export function createQuestions({ store, clock }: { store: Store; clock: Clock }) {
  /**
   * Stores a person's answer; `complete` when it was the last of its round, so the call can be resumed. The content
   * must have been checked against the form. Failures `questions.none`, `questions.role`, `questions.answered`.
   */
  async function answer(
    id: string,
    given: { by: Person; answer: QuestionAnswer; scripted: boolean },
  ): Promise<{ question: Question; complete: boolean }> {
    return store.db.transaction().execute(async (trx) => {
      const question = await findQuestion(trx, id);
      if (!question) throw new Failure('questions.none', `There is no question ${id}.`);
      if (rank[given.by.role] < rank[question.role])
        throw new Failure(
          'questions.role',
          `Question ${id} waits for a ${question.role}; ${given.by.id} is ${given.by.role}.`,
        );
      const at = iso(clock);
      const { answer: words, scripted } = given;
      if (!(await answerQuestion(trx, id, { answer: words, by: given.by.id, scripted, at })))
        throw new Failure(
          'questions.answered',
          `Question ${id} is ${question.state}${question.by ? ` by ${question.by}` : ''}.`,
        );
      const round = await listQuestions(trx, { call: question.call, round: question.round });
      const complete = round.every((one) => one.state === 'answered');
      const call = complete ? await findCall(trx, question.call) : undefined;
      if (call) await step(trx, call, 'answered', { by: given.by.id, at });
      const answered = round.find((one) => one.id === id) ?? question;
      return { question: answered, complete };
    });
  }

  return {
    answer,
    /** What waits, the oldest first; with `role`, only what that role may answer. */
    open: async (role: Role = 'admin'): Promise<Question[]> =>
      (await listQuestions(store.db, { state: 'open' })).filter((one) => rank[role] >= rank[one.role]),
    of: (call: string): Promise<Question[]> => listQuestions(store.db, { call }),
  };
}
