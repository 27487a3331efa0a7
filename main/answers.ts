// An answers file: rules that stand for people in a scripted run; the first that matches decides, none leaves waiting.
// A rule may not give what its person has no right to give. Such answers are logged as scripted.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Call } from '../shared/calls.ts';
import { Failure, reason } from '../shared/failures.ts';
import type { Json } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';

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
  question(asked: {
    tool: string;
    ticket: string;
    mode: 'form' | 'url';
  }): { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, Json>; by: Person } | null;
}

/** Reads an answers file. Throws `answers.unreadable` or `answers.invalid`, the latter naming the rule. */
export function loadAnswers(file: string, people: Person[]): Answers {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('answers.unreadable', `The answers file ${file} cannot be read: ${reason(error)}.`);
  }
  const parsed = z.array(rule).safeParse(json);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new Failure(
      'answers.invalid',
      `The answers file ${file}: rule ${String(first?.path[0] ?? '')}: ${first?.message ?? 'not an array of rules'}. A rule is {"when": {…}, "as": PERSON, "consent": "run"|"dont"} or has "accept", "decline" or "cancel".`,
    );
  }
  const byId = new Map(people.map((person) => [person.id, person]));
  for (const [index, one] of parsed.data.entries())
    if (!byId.has(one.as))
      throw new Failure(
        'answers.invalid',
        `The answers file ${file}: rule ${index} acts as "${one.as}", who is not known. People: ${people.map((person) => person.id).join(', ')}.`,
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
    question({ tool, ticket, mode }) {
      const found = matching((one) => !('consent' in one) && (one.when.question ?? mode) === mode, tool, ticket);
      const by = byId.get(found?.as ?? '');
      if (found === undefined || by === undefined || 'consent' in found) return null;
      if ('accept' in found) return { action: 'accept', content: found.accept, by };
      return { action: 'decline' in found ? 'decline' : 'cancel', by };
    },
  };
}
