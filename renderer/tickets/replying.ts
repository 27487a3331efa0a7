// Sending a reply and taking it back: what goes out of this desk right now, until when it can be stopped. Each step carries
// the thread and the draft that the person saw: where somebody else was first, that is said and the text stays.
import { create } from 'zustand';
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import type { Role } from '../../shared/people.ts';
import { announce } from '../parts/announce.ts';
import { desk } from '../session.ts';
import { attempt } from './actions.ts';
import { isHeld } from './claims.ts';
import { customerName } from './customerName.ts';
import { opened } from './openTicket.ts';
import { queue } from './store.ts';
import { dropTyped, typedOf } from './typed.ts';

interface Replying {
  /** Replies sent from here that can still be taken back, newest last: ticket, customer, end. */
  leaving: readonly { ticket: string; customer: string | null; until: number }[];
}
export const useReplying = create<Replying>(() => ({ leaving: [] }));

/** Keeps what was typed as the draft's text. Null where it did not work; the text then stays in the editor. */
async function keepTyped(ticket: OpenTicket): Promise<ReplyDraft | null> {
  const typed = typedOf('reply', ticket.id);
  if (typed === undefined) return ticket.draft;
  const { text, version, edition } = typed;
  const same = text === ticket.draft?.text && version === ticket.row.version && edition === ticket.draft.edition;
  const draft = same
    ? ticket.draft
    : await attempt(() => desk.ask('drafts.edit', { ticket: ticket.id, version, edition, text }));
  if (draft === null) return null;
  dropTyped('reply', ticket.id);
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
function forget(ticket: string, until?: number): void {
  useReplying.setState(({ leaving }) => ({
    leaving: leaving.filter((one) => one.ticket !== ticket || (until !== undefined && one.until !== until)),
  }));
}
// Taken back in another window, or retired by what came in.
desk.follow('drafts', {
  list: () => undefined,
  change: (change) => {
    if ('entity' in change && change.entity.state !== 'sending') forget(change.id);
  },
});

/** Sends what stands there, an edit that is being typed included; a blocked draft stays, and the host's reason is said. */
export async function send(ticket: OpenTicket): Promise<void> {
  const draft = await keepTyped(ticket);
  if (draft === null || isHeld(draft)) return;
  const { version, edition } = draft;
  const sent = await attempt(() => desk.ask('drafts.send', { ticket: ticket.id, version, edition }));
  if (sent === null) return;
  opened.drafted(sent);
  leave(sent, customerName(ticket, 'the customer'));
}

/** Takes a reply back that has not gone out yet, whoever sends it. */
export async function undo(ticket: string): Promise<void> {
  forget(ticket);
  const draft = await attempt(() => desk.ask('drafts.undo', { ticket }));
  if (draft === null) return;
  opened.drafted(draft);
  announce('Taken back. Nothing was sent.');
}

/** A lead lets it go out as it stands, with the reason that is kept. */
export async function override({ id, row, draft }: OpenTicket, why: string): Promise<boolean> {
  const at = { ticket: id, version: row.version, edition: draft?.edition ?? 0 };
  const out = await attempt(() => desk.ask('drafts.override', { ...at, why }));
  if (out === null) return false;
  opened.drafted(out);
  return true;
}

/** Keeps a note for colleagues. */
export async function note(ticket: string): Promise<void> {
  const typed = typedOf('note', ticket);
  if (typed === undefined) return;
  const { text, version } = typed;
  if ((await attempt(() => desk.ask('tickets.note', { id: ticket, version, text }))) !== null)
    dropTyped('note', ticket);
}
/** Hands the ticket over, with what the next person should know. */
export async function handOver(ticket: string, to: { person: string } | { role: Role }, words: string): Promise<void> {
  const typed = typedOf('hand over', ticket);
  if (typed === undefined) return;
  const { text, version } = typed;
  const row = await attempt(() => desk.ask('tickets.handOver', { id: ticket, version, to, why: text }));
  if (row === null) return;
  dropTyped('hand over', ticket);
  queue.take(row);
  announce(`${ticket} is handed over to ${words}.`);
}
