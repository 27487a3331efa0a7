// What waits for a person, as the inbox lists it: by the role that may answer, the oldest first.
import type { Call } from '../../shared/calls.ts';
import type { InboxEntry, ValueOf } from '../../shared/contract.ts';
import type { Role } from '../../shared/people.ts';

export type Waiting =
  | { kind: 'question'; id: string; at: string; call: Call; entry: InboxEntry }
  | { kind: 'consent'; id: string; at: string; call: Call }
  | { kind: 'unknown'; id: string; at: string; call: Call };

export interface WaitingGroup {
  id: string;
  title: string;
  items: Waiting[];
}

const roles: Record<Role, string> = { admin: 'For an admin', lead: 'For a lead', staff: 'For staff' };

/** Groups that have something in them, the highest role first. */
export function groupsOf(inbox: ValueOf<'questions.list'>, consents: Call[]): WaitingGroup[] {
  const questions = inbox.questions.map((entry): Waiting => ({
    kind: 'question',
    id: entry.question.id,
    at: entry.question.asked_at,
    call: entry.call,
    entry,
  }));
  const of = (role: Role) => questions.filter((one) => one.kind === 'question' && one.entry.question.role === role);
  const consented = consents.map((call): Waiting => ({ kind: 'consent', id: call.id, at: call.created_at, call }));
  const unknown = inbox.unknown.map((call): Waiting => ({ kind: 'unknown', id: call.id, at: call.created_at, call }));
  const groups: WaitingGroup[] = [
    { id: 'admin', title: roles.admin, items: of('admin') },
    { id: 'lead', title: roles.lead, items: of('lead') },
    { id: 'unknown', title: 'Outcome not known', items: unknown },
    { id: 'staff', title: roles.staff, items: [...of('staff'), ...consented] },
  ];
  return groups
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ ...group, items: group.items.toSorted((a, b) => a.at.localeCompare(b.at)) }));
}
