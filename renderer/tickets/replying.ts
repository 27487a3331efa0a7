// Sending a reply and taking it back: what goes out of this desk right now, until when it can be stopped, and the text a
// person is typing. Kept outside the card, so that moving on loses nothing.
import { create } from 'zustand';
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import { announce } from '../parts/announce.ts';
import { desk } from '../session.ts';
import { attempt } from './actions.ts';
import { isHeld } from './claims.ts';
import { opened } from './openTicket.ts';

interface Replying {
  /** Replies that can still be taken back, newest last: ticket, customer, end. */
  leaving: readonly { ticket: string; customer: string | null; until: number }[];
  /** Text being typed, by ticket. */
  typed: Readonly<Record<string, string>>;
}
export const useReplying = create<Replying>(() => ({ leaving: [], typed: {} }));

export function typeReply(ticket: string, text: string | null): void {
  useReplying.setState(({ typed }) => {
    const rest = Object.entries(typed).filter(([id]) => id !== ticket);
    return { typed: Object.fromEntries(text === null ? rest : [...rest, [ticket, text]]) };
  });
}

function at({ id, row, draft }: OpenTicket): { ticket: string; version: number; edition: number } {
  return { ticket: id, version: row.version, edition: draft?.edition ?? 0 };
}

/** Keeps what was typed as the draft's text. Null where it did not work; the text then stays in the editor. */
async function keepTyped(ticket: OpenTicket): Promise<ReplyDraft | null> {
  const text = useReplying.getState().typed[ticket.id];
  if (text === undefined || text === ticket.draft?.text) {
    typeReply(ticket.id, null);
    return ticket.draft;
  }
  const draft = await attempt(() => desk.ask('drafts.edit', { ...at(ticket), text }));
  if (draft === null) return null;
  typeReply(ticket.id, null);
  opened.drafted(draft);
  if (isHeld(draft)) announce('Kept. Something in it has no call behind it.');
  return draft;
}
export async function keepEdit(ticket: OpenTicket): Promise<void> {
  await keepTyped(ticket);
}

function leave(draft: ReplyDraft, customer: string | null): void {
  const until = Date.parse(draft.undo_until ?? '');
  if (Number.isNaN(until)) return;
  const { ticket } = draft;
  useReplying.setState(({ leaving }) => ({
    leaving: [...leaving.filter((one) => one.ticket !== ticket), { ticket, customer, until }],
  }));
  announce(`Reply to ${customer ?? 'the customer'} goes out in 8 seconds. Undo takes it back.`);
  setTimeout(() => forget(ticket, until), Math.max(0, until - Date.now()));
}
function forget(ticket: string, until: number): void {
  useReplying.setState(({ leaving }) => ({
    leaving: leaving.filter((one) => one.ticket !== ticket || one.until !== until),
  }));
}

/** Sends what stands there, an edit that is being typed included; a blocked draft stays, and the host's reason is said. */
export async function send(ticket: OpenTicket): Promise<void> {
  const draft = await keepTyped(ticket);
  if (draft === null || isHeld(draft)) return;
  const sent = await attempt(() => desk.ask('drafts.send', { ...at({ ...ticket, draft }) }));
  if (sent === null) return;
  opened.drafted(sent);
  leave(sent, ticket.customer);
}

/** Takes the newest reply back that has not gone out yet. */
export async function undo(): Promise<void> {
  const last = useReplying.getState().leaving.at(-1);
  if (last === undefined) return;
  forget(last.ticket, last.until);
  const draft = await attempt(() => desk.ask('drafts.undo', { ticket: last.ticket }));
  if (draft === null) return;
  opened.drafted(draft);
  announce('Taken back. Nothing was sent.');
}

/** A lead lets it go out as it stands, with the reason that is kept. */
export async function override(ticket: OpenTicket, why: string): Promise<boolean> {
  const draft = await attempt(() => desk.ask('drafts.override', { ...at(ticket), why }));
  if (draft === null) return false;
  opened.drafted(draft);
  return true;
}

export async function note(ticket: OpenTicket, text: string): Promise<boolean> {
  return (await attempt(() => desk.ask('tickets.note', { id: ticket.id, version: ticket.row.version, text }))) !== null;
}
