// The one way an address is ever opened: a person who may answer a server's question asks for the address of that question
// (spec host §18, trust "Electron, on top"). No address comes from a view.
import type { ValueOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import { may, type Person } from '../shared/people.ts';
import { readForm } from './forms.ts';
import type { Host } from './host.ts';
import { othersPage } from './questions.ts';

/** Failures `people.role`, `questions.closed`, `questions.person`, `questions.address`. `opened` false: here only the view can open it. */
export async function visitQuestion(
  {
    questions,
    options: { openUrl },
  }: Pick<Host, 'options'> & { questions: Pick<Host['questions'], 'find' | 'visitorOf'> },
  id: string,
  by: Person,
): Promise<ValueOf<'questions.visit'>> {
  const question = await questions.find(id);
  if (!may(by.role, question.role))
    throw new Failure('people.role', `This question is for a ${question.role}; ${by.id} is ${by.role}.`);
  if (question.state !== 'open')
    throw new Failure('questions.closed', 'This question does not wait any more; its address is not opened.');
  const form = readForm(question.request);
  if (form.kind !== 'url') throw new Failure('questions.address', 'This question has no address that may be opened.');
  const whose = await questions.visitorOf(question);
  if (whose !== null && whose !== by.id) throw othersPage(whose);
  openUrl?.(form.url);
  return { url: form.url, opened: openUrl !== undefined };
}
