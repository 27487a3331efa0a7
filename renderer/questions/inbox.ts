// What waits for a person, as the inbox lists it: by the role that may answer, the oldest first, each with a title in words.
import type { Call } from '../../shared/calls.ts';
import type { InboxEntry, ValueOf } from '../../shared/contract.ts';
import type { Form } from '../../shared/forms.ts';
import type { Role } from '../../shared/people.ts';
import type { CallAbout } from '../../shared/questions.ts';
import { summaryOf } from './about.ts';
import { toolWords } from './callWords.ts';

interface Item {
  id: string;
  at: string;
  call: Call;
  about: CallAbout;
  /** What is asked, in a few words. */
  title: string;
  /** Whom and what it is about. */
  who: string;
}
export type Waiting = Item & ({ kind: 'question'; entry: InboxEntry } | { kind: 'consent' } | { kind: 'unknown' });

export interface WaitingGroup {
  id: string;
  title: string;
  items: Waiting[];
}

const roles: Record<Role, string> = { admin: 'For an admin', lead: 'For a lead', staff: 'For staff' };
const nothingKnown: CallAbout = { title: null, behind: [], consented: null, handles: [], customer: null };

/** Groups that have something in them, the highest role first; `closed`: questions answered since it was read. */
export function groupsOf(
  { questions, unknown, consents, about }: ValueOf<'questions.list'>,
  closed: ReadonlySet<string>,
): WaitingGroup[] {
  const itemOf = (
    call: Call,
    id: string,
    at: string,
    title: (words: string, amount: string | null) => string,
  ): Item => {
    const known = about[call.id] ?? nothingKnown;
    const { amount, subject } = summaryOf(call, known);
    const who = [known.customer ?? (call.ticket || call.prefix), subject].filter((one) => one !== null).join(', ');
    return { id, at, call, about: known, title: title(toolWords(call, known), amount), who };
  };
  const open = questions.filter(({ question }) => !closed.has(question.id));
  const asked = open.map((entry): Waiting => {
    const { question, call, form } = entry;
    const title = (words: string, amount: string | null) => questionTitle(form, words, amount);
    return { ...itemOf(call, question.id, question.asked_at, title), kind: 'question', entry };
  });
  const of = (role: Role) => asked.filter((one) => one.kind === 'question' && one.entry.question.role === role);
  const consented = consents.map((call): Waiting => {
    const title = (words: string, amount: string | null) => `Run “${words}”${amount === null ? '' : `, ${amount}`}?`;
    return { ...itemOf(call, call.id, call.created_at, title), kind: 'consent' };
  });
  const lost = unknown.map((call): Waiting => {
    return { ...itemOf(call, call.id, call.created_at, (words) => `What did “${words}” do?`), kind: 'unknown' };
  });
  const groups: WaitingGroup[] = [
    { id: 'admin', title: roles.admin, items: of('admin') },
    { id: 'lead', title: roles.lead, items: of('lead') },
    { id: 'unknown', title: 'Outcome not known', items: lost },
    { id: 'staff', title: roles.staff, items: [...of('staff'), ...consented] },
  ];
  return groups
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ ...group, items: group.items.toSorted((a, b) => a.at.localeCompare(b.at)) }));
}

/** By its one field, else by its tool where money is moved, else by its first words. */
function questionTitle(form: Form, words: string, amount: string | null): string {
  // As it is really spelled: letters that look alike must not mislead in a list.
  if (form.kind === 'url') return `Go to ${form.spelled}`;
  if (form.kind === 'refused') return `${words}: a form nobody may fill in`;
  const [field, ...more] = form.fields;
  const alone = more.length === 0 ? (field?.title ?? null) : null;
  const said = amount === null ? (alone ?? (firstWords(form.message) || words)) : (alone ?? words);
  return `${cut(oneLine(said), 60)}${amount === null ? '' : `: ${amount}`}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
/** Up to the end of the first sentence. */
function firstWords(text: string): string {
  const line = oneLine(text);
  return /^.{12,}?[.?!](?=\s)/u.exec(line)?.[0] ?? line;
}
function cut(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most).join('').trimEnd()}…`;
}
