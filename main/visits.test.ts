import { expect, describe, it } from 'vitest';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { Question } from '../shared/questions.ts';
import { visitQuestion } from './visits.ts';

const lead: Person = { id: 'staff-0002', name: 'Tomas Adeyemi', role: 'lead' };
const staff: Person = { id: 'staff-0007', name: 'Mara Lindqvist', role: 'staff' };

/** A question with this address, and what was opened. */
function asked(params: JsonObject, more: Partial<Question> = {}, opens = true, visitor: string | null = null) {
  const opened: string[] = [];
  const question: Question = {
    ...{ id: 'q-1', call: 'c-1', round: 1, key: 'pay', role: 'lead', pushed: false, state: 'open', scripted: false },
    ...{ answer: null, by: null, asked_at: '2026-06-30T09:00:00Z', answered_at: null, ...more },
    request: { method: 'elicitation/create', params },
  };
  const host = {
    questions: { find: () => Promise.resolve(question), visitorOf: () => Promise.resolve(visitor) },
    options: {
      ...{ data: '', profileFile: '', servers: false, say: () => undefined },
      ...(opens ? { openUrl: (address: string) => opened.push(address) } : {}),
    },
  };
  return { host, opened };
}
const url = (address: string): JsonObject => ({ mode: 'url', message: 'Pay', url: address, elicitationId: 'e-1' });

describe('an address is opened only through its question (spec host §18, trust "Electron, on top")', () => {
  it('as the host reads it, by who may answer', async () => {
    const { host, opened } = asked(url('https://PAY.example/a'));
    expect(await visitQuestion(host, 'q-1', lead)).toEqual({ url: 'https://pay.example/a', opened: true });
    expect(opened).toEqual(['https://pay.example/a']);
  });

  it('by the view where the host has no way to', async () => {
    const { host } = asked(url('https://pay.example/'), {}, false);
    expect(await visitQuestion(host, 'q-1', lead)).toEqual({
      url: 'https://pay.example/',
      opened: false,
    });
  });

  it('for the person alone for whom the call is made, where its server knows them', async () => {
    const { host, opened } = asked(url('https://pay.example/'), { role: 'staff' }, true, staff.id);
    await expect(visitQuestion(host, 'q-1', lead)).rejects.toMatchObject({ code: 'questions.person' });
    expect(opened).toEqual([]);
    expect(await visitQuestion(host, 'q-1', staff)).toMatchObject({ opened: true });
  });

  it.each([
    ['a person of a lower role', url('https://pay.example/'), {}, staff, 'people.role'],
    ['an answered question', url('https://pay.example/'), { state: 'answered' } as const, lead, 'questions.closed'],
    ['a form', { message: 'x', requestedSchema: { type: 'object', properties: {} } }, {}, lead, 'questions.address'],
    ['a script', url('javascript:alert(1)'), {}, lead, 'questions.address'],
    ['a file', url('file:///etc/passwd'), {}, lead, 'questions.address'],
    ['user information', url('https://bank.example@evil.example/'), {}, lead, 'questions.address'],
    ['no encryption', url('http://pay.example/'), {}, lead, 'questions.address'],
  ])('%s opens nothing', async (_, params, more, by, code) => {
    const { host, opened } = asked(params, more);
    await expect(visitQuestion(host, 'q-1', by)).rejects.toMatchObject({ code });
    expect(opened).toEqual([]);
  });
});
