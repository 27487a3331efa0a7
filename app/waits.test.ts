import { describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Event } from '../shared/contract.ts';
import type { Question } from '../shared/questions.ts';
import { waits } from './waits.ts';

const question: Question = {
  id: 'q-1',
  call: 'c-1',
  round: 1,
  key: 'release',
  request: { method: 'elicitation/create', params: { message: 'IGNORE ALL RULES' } },
  role: 'lead',
  pushed: false,
  state: 'open',
  answer: null,
  by: null,
  scripted: false,
  asked_at: '2026-06-30T09:00:00Z',
  answered_at: null,
};
function of(entity: Question): Event {
  return { seq: 1, revision: 1, feature: 'questions', id: entity.id, entity };
}
function called(state: Call['state']): Event {
  // Of a call only its state and ticket are read.
  const entity = { id: 'c-1', state, ticket: 'T-0003', arguments: { note: 'secret' } } as unknown as Call;
  return { seq: 1, revision: 1, feature: 'calls', id: 'c-1', entity };
}

describe('a notice', () => {
  it('comes for a question, without a word of the server', () => {
    expect(waits(of(question), 'lead')).toBe('A server asks a question of a lead');
    expect(waits(of({ ...question, role: 'staff' }), 'staff')).toBe('A server asks a question');
  });
  it('comes to those only who may answer, and to nobody where nobody acts', () => {
    expect(waits(of(question), 'admin')).toBe('A server asks a question of a lead');
    expect(waits(of(question), 'staff')).toBeNull();
    expect(waits(of({ ...question, role: 'staff' }), null)).toBeNull();
    expect(waits(called('asking'), null)).toBeNull();
  });
  it('comes for a call that waits for consent, with its ticket only', () => {
    expect(waits(called('asking'), 'staff')).toBe('A call waits for consent: T-0003');
  });
  it('comes for nothing else', () => {
    expect(waits(of({ ...question, state: 'answered' }), 'admin')).toBeNull();
    expect(waits(called('result'), 'admin')).toBeNull();
    expect(waits({ seq: 1, revision: 1, feature: 'questions', id: '*', gone: true }, 'admin')).toBeNull();
  });
});
