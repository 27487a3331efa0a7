// What a person is typing, with the thread it was begun on: replies, notes, handing over. It is kept on this machine, each
// person's own, until it is kept in the desk or discarded: a reload, a crash or a host that is gone loses none of it. Of two
// tabs each comes back to its own.
import { create } from 'zustand';
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import { useMe } from '../session.ts';

export type TypedKind = 'reply' | 'note' | 'hand over';
export interface Typed {
  text: string;
  /** Of the thread and the draft as they were when it was begun, or read since. */
  version: number;
  edition: number;
}
const prefix = 'desk.typed';

interface State {
  /** By kind and ticket. */
  texts: Readonly<Record<string, Typed>>;
}
const useTyped = create<State>(() => ({ texts: {} }));

function nameOf(kind: TypedKind, ticket: string): string {
  return `${kind}/${ticket}`;
}
function placeOf(name: string): string | null {
  const me = useMe.getState().person;
  return me === null ? null : `${prefix}/${me.id}/${name}`;
}
export function typedOf(kind: TypedKind, ticket: string): Typed | undefined {
  return useTyped.getState().texts[nameOf(kind, ticket)];
}
export function useTypedOf(kind: TypedKind, ticket: string): Typed | undefined {
  return useTyped(({ texts }) => texts[nameOf(kind, ticket)]);
}

function put(name: string, typed: Typed | null): void {
  useTyped.setState(({ texts }) => {
    const rest = Object.entries(texts).filter(([one]) => one !== name);
    return { texts: Object.fromEntries(typed === null ? rest : [...rest, [name, typed]]) };
  });
  const place = placeOf(name);
  if (place === null) return;
  try {
    for (const storage of [sessionStorage, localStorage])
      if (typed === null) storage.removeItem(place);
      else storage.setItem(place, JSON.stringify(typed));
  } catch {
    // A full storage: the text stays on the page.
  }
}

/** Begins on the thread as it stands, or goes on with what is there. */
export function beginTyping(kind: TypedKind, ticket: OpenTicket, text = ''): void {
  const before = typedOf(kind, ticket.id);
  if (before === undefined) put(nameOf(kind, ticket.id), { text, ...stands(ticket) });
}
export function type(kind: TypedKind, ticket: string, text: string): void {
  const before = typedOf(kind, ticket);
  if (before !== undefined) put(nameOf(kind, ticket), { ...before, text });
}
export function dropTyped(kind: TypedKind, ticket: string): void {
  put(nameOf(kind, ticket), null);
}
/**
 * A text was taken in by the desk: it is put away, unless more was typed on the way; that stays, on what stands now: a reply
 * whole, as it is still the same one, of a note what is new. `to`: the thread and the draft it came to.
 */
export function takenIn(kind: TypedKind, ticket: string, taken: string, to: Partial<Omit<Typed, 'text'>>): void {
  const now = typedOf(kind, ticket);
  if (now === undefined) return;
  const goesOn = kind !== 'reply' && now.text.startsWith(taken);
  const text = goesOn ? now.text.slice(taken.length).trimStart() : now.text;
  put(nameOf(kind, ticket), now.text === taken || text === '' ? null : { ...now, text, ...to });
}
/** What came since it was begun was read. */
export function typedOnto(kind: TypedKind, ticket: OpenTicket): void {
  const before = typedOf(kind, ticket.id);
  if (before !== undefined) put(nameOf(kind, ticket.id), { ...before, ...stands(ticket) });
}
function stands({ row, draft }: OpenTicket): Pick<Typed, 'version' | 'edition'> {
  return { version: row.version, edition: draft?.edition ?? 0 };
}

/** What happened to the ticket since the text was begun, in words; null: nothing. */
export function wentOn(
  { thread, row, draft }: Pick<OpenTicket, 'thread' | 'row' | 'draft'>,
  { version, edition }: Pick<Typed, 'version' | 'edition'>,
  name: (id: string | null) => string,
): string | null {
  if (draft?.state === 'sending' && draft.edition !== edition) return `${name(draft.by)} is sending a reply to this.`;
  if (row.version !== version) {
    const last = thread.at(-1);
    if (last === undefined || last.kind === 'customer') return 'The customer wrote again since you began.';
    return `${name(last.by)} ${last.kind === 'note' ? 'left a note' : 'sent a reply'} since you began.`;
  }
  return (draft?.edition ?? 0) === edition ? null : `${draftedBy(draft, name)} since you began.`;
}
function draftedBy(draft: ReplyDraft | null, name: (id: string | null) => string): string {
  if (draft?.edited != null) return `${name(draft.edited.by)} changed the reply`;
  return draft?.override == null ? 'The draft became another' : `${name(draft.override.by)} let the draft out`;
}

/** What somebody typed here before, and did not finish. */
function read(person: string): State['texts'] {
  const start = `${prefix}/${person}/`;
  const found: Record<string, Typed> = {};
  for (const storage of [localStorage, sessionStorage])
    for (let n = 0; n < storage.length; n++) {
      const place = storage.key(n) ?? '';
      if (!place.startsWith(start)) continue;
      const typed = typedIn(storage.getItem(place) ?? '');
      if (typed !== null) found[place.slice(start.length)] = typed;
    }
  return found;
}
function typedIn(kept: string): Typed | null {
  try {
    // Written by this page alone; what another program made of it fails here or below.
    const { text, version, edition } = JSON.parse(kept) as Partial<Typed>;
    if (typeof text !== 'string' || typeof version !== 'number' || typeof edition !== 'number') return null;
    return { text, version, edition };
  } catch {
    return null;
  }
}
useMe.subscribe(({ person }, before) => {
  if (person?.id !== before.person?.id) useTyped.setState({ texts: person === null ? {} : read(person.id) });
});
