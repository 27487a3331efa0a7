// An answers file: rules that stand for people in a scripted run; the first that matches decides, none leaves waiting.
// A rule may not give what its person has no right to give. Such answers are logged as scripted.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Call } from '../shared/calls.ts';
import { Failure, reason } from '../shared/failures.ts';
import { at } from '../shared/json.ts';
import { may, type Person } from '../shared/people.ts';
import type { Question, QuestionAnswer } from '../shared/questions.ts';

const when = z
  .strictObject({
    tool: z.string().optional(),
    ticket: z.string().optional(),
    question: z.enum(['form', 'url']).optional(),
  })
  .default({});
const rule = z.union([
  z.strictObject({ when, as: z.string(), consent: z.enum(['run', 'dont']) }),
  z.strictObject({ when, as: z.string(), accept: z.record(z.string(), z.json()) }),
  z.strictObject({ when, as: z.string(), decline: z.literal(true) }),
  z.strictObject({ when, as: z.string(), cancel: z.literal(true) }),
]);
type Rule = z.infer<typeof rule>;

export interface Answers {
  consent(call: Call): { answer: 'run' | 'dont'; by: Person; scripted: true } | null;
  question(question: Question, call: Call): { answer: QuestionAnswer; by: Person; scripted: true } | null;
}

/** Reads an answers file. Failure `answers.unreadable`. */
export function readAnswers(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('answers.unreadable', `The answers file ${file} cannot be read: ${reason(error)}.`);
  }
}

/** Reads and checks an answers file. */
export function loadAnswers(file: string, people: Person[]): Answers {
  return parseAnswers(readAnswers(file), people);
}

/** The rules of an answers file, checked. Failure `answers.invalid` names the rule. */
export function parseAnswers(json: unknown, people: Person[]): Answers {
  const parsed = z.array(rule).safeParse(json);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new Failure(
      'answers.invalid',
      `The answers file: rule ${String(first?.path[0] ?? '')}: ${first?.message ?? 'not an array of rules'}. A rule is {"when": {…}, "as": PERSON, "consent": "run"|"dont"} or has "accept", "decline" or "cancel".`,
    );
  }
  const byId = new Map(people.map((person) => [person.id, person]));
  for (const [index, one] of parsed.data.entries())
    if (!byId.has(one.as))
      throw new Failure(
        'answers.invalid',
        `The answers file: rule ${index} acts as "${one.as}", who is not known. People: ${people.map((person) => person.id).join(', ')}.`,
      );

  function matching(wanted: (one: Rule) => boolean, tool: string, ticket: string): Rule | undefined {
    return parsed.data?.find(
      (one) => wanted(one) && (one.when.tool ?? tool) === tool && (one.when.ticket ?? ticket) === ticket,
    );
  }
  return {
    consent(call) {
      const found = matching((one) => 'consent' in one, call.tool, call.ticket);
      const by = byId.get(found?.as ?? '');
      return found !== undefined && 'consent' in found && by !== undefined
        ? { answer: found.consent, by, scripted: true }
        : null;
    },
    question(question, call) {
      const mode = at(question.request, '/params/mode') === 'url' ? 'url' : 'form';
      const found = matching(
        (one) => !('consent' in one) && (one.when.question ?? mode) === mode,
        call.tool,
        call.ticket,
      );
      const by = byId.get(found?.as ?? '');
      // A rule may not give what its person has no right to give: the question then waits for somebody who has.
      if (found === undefined || by === undefined || 'consent' in found || !may(by.role, question.role)) return null;
      if ('accept' in found) return { answer: { action: 'accept', content: found.accept }, by, scripted: true };
      return { answer: { action: 'decline' in found ? 'decline' : 'cancel' }, by, scripted: true };
    },
  };
}
