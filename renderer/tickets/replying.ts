// Sending a reply and taking it back: what goes out of this desk right now, until when it can be stopped. Each step carries
// the thread and the draft that the person saw: where somebody else was first, that is said and the text stays.
import { create, useStore } from 'zustand';
import { Failure } from '../../shared/failures.ts';
import type { OpenTicket, ReplyDraft, TicketRow } from '../../shared/queue.ts';
import type { Role } from '../../shared/people.ts';
import type { Claim } from '../../shared/runs.ts';
import { announce } from '../parts/announce.ts';
import { usePlace } from '../place.ts';
import { desk, useMe } from '../session.ts';
import { attempt, sayTrouble } from './actions.ts';
import { isBacked, isHeld } from './claims.ts';
import { customerName } from './customerName.ts';
import { createLeaving, type Leaving } from './leaving.ts';
import { opened } from './openTicket.ts';
import { queue } from './store.ts';
import { takenIn, typedOf, type TypedKind } from './typed.ts';

const replies = createLeaving(desk, (reply) => {
  if (usePlace.getState().open !== reply.ticket) announce(stoppedWords(reply), 'urgent');
  else {
    // Where it is open it is said there, and needs no bar.
    sayTrouble(stoppedWords(reply));
    replies.forget(reply.ticket);
  }
});
desk.follow('drafts', { list: () => void replies.list(), change: (change) => replies.draft(change) });
desk.follow('tickets', { list: () => undefined, change: (change) => replies.row(change) });
useMe.subscribe(({ person }, before) => {
  if (person?.id !== before.person?.id) replies.clear();
});
export function stoppedWords({ ticket }: Leaving): string {
  return `Not sent: the thread went on. It waits in ${ticket} again.`;
}
/** Of the replies that are on their way, or were stopped, the last of another ticket than `here`. */
export function useLeaving(here: string | null): Leaving | undefined {
  return useStore(replies.store, ({ leaving }) => leaving.findLast(({ ticket }) => ticket !== here));
}
/** It was read that a reply was stopped. */
export const forget = replies.forget;
// Who opens it sees it.
usePlace.subscribe(({ open }) => {
  const { leaving } = replies.store.getState();
  for (const { ticket, stopped } of leaving) if (stopped && ticket === open) forget(ticket);
});

interface Looking {
  /** Of a ticket, the edition of the reply that was kept instead of sent, as something in it was to be looked at first. */
  kept: Readonly<Record<string, number>>;
}
const useLooking = create<Looking>(() => ({ kept: {} }));
/** What was to be sent was kept, for its claims to be seen first; the next time it goes out. */
export function useKeptFirst({ ticket, edition }: ReplyDraft): boolean {
  return useLooking(({ kept }) => kept[ticket] === edition);
}

/** Keeps what was typed as the draft's text. Null where it did not work; the text then stays in the editor. */
async function keepTyped(ticket: OpenTicket): Promise<ReplyDraft | null> {
  const typed = typedOf('reply', ticket.id);
  if (typed === undefined) return ticket.draft;
  const { text, version, edition } = typed;
  const { draft: shown } = ticket;
  const same = text === shown?.text && shown.state === 'open' && version === shown.version && edition === shown.edition;
  const draft = same
    ? shown
    : await attempt(() => desk.ask('drafts.edit', { ticket: ticket.id, version, edition, text }));
  if (draft === null) return null;
  takenIn('reply', ticket.id, text, { version: draft.version, edition: draft.edition });
  opened.drafted(draft);
  if (isHeld(draft)) announce('Kept. Something in it has no call behind it.');
  return draft;
}
export async function keepEdit(ticket: OpenTicket): Promise<void> {
  await keepTyped(ticket);
}

/** Puts the kept reply away: the model's draft comes back, where there is one. */
export async function discard({ id, draft }: OpenTicket): Promise<void> {
  if (draft === null) return;
  const { version, edition } = draft;
  // What stands then comes by its event.
  await attempt(() => desk.ask('drafts.discard', { ticket: id, version, edition }));
}

/** What stands in it that nothing backs. */
function unbacked(draft: ReplyDraft | null): Claim[] {
  return (draft?.claims ?? []).filter((claim) => !isBacked(claim) && claim.verdict !== 'reported');
}
/** Nothing backs something in what was just kept, and the person did not see it marked yet. */
function isUnseen(draft: ReplyDraft, before: ReplyDraft | null): boolean {
  const seen = unbacked(before).map(({ text }) => text);
  return unbacked(draft).some(({ text }) => !seen.includes(text));
}

const sending = new Set<string>();
/**
 * Sends what stands there, an edit that is being typed included; a blocked draft stays, and the host's reason is said. An edit
 * that says what nothing backs is kept and shown with its marks first, and goes out the next time.
 */
export async function send(ticket: OpenTicket): Promise<void> {
  if (sending.has(ticket.id)) return;
  sending.add(ticket.id);
  try {
    const draft = await keepTyped(ticket);
    if (draft === null || isHeld(draft)) return;
    const { version, edition } = draft;
    if (isUnseen(draft, ticket.draft)) {
      const { length } = unbacked(draft);
      useLooking.setState(({ kept }) => ({ kept: { ...kept, [ticket.id]: edition } }));
      announce(
        `Not sent yet: ${length === 1 ? '1 claim stands' : `${length} claims stand`} on no call. Send again to send it as you wrote it.`,
        'urgent',
      );
      return;
    }
    const sent = await attempt(() => desk.ask('drafts.send', { ticket: ticket.id, version, edition }));
    if (sent === null) return;
    opened.drafted(sent);
    const customer = customerName(ticket, 'the customer');
    replies.add(sent, customer);
    announce(`Reply to ${customer} goes out in 8 seconds. Undo takes it back.`);
  } finally {
    sending.delete(ticket.id);
  }
}

const undoing = new Set<string>();
/** Takes a reply back that has not gone out yet, whoever sends it. Until the desk says so it still goes out. */
export async function undo(ticket: string): Promise<void> {
  if (undoing.has(ticket)) return;
  undoing.add(ticket);
  try {
    const draft = await attempt(() => desk.ask('drafts.undo', { ticket }).catch(notUndone));
    if (draft === null) return;
    replies.forget(ticket);
    opened.drafted(draft);
    announce('Taken back. Nothing was sent.');
  } finally {
    undoing.delete(ticket);
  }

  function notUndone(error: unknown): never {
    if (!(error instanceof Failure) || error.code !== 'desk.lost') throw error;
    const seconds = Math.ceil((untilOf(ticket) - Date.now()) / 1_000);
    const when = seconds > 0 ? `in ${seconds} s` : 'now';
    // By its own word.
    const { sent } = error.data as { sent: boolean };
    throw new Failure(
      error.code,
      sent
        ? `It is not known whether it was taken back: the desk is not reached. If not, it goes out ${when}.`
        : `Not undone: the desk is not reached. It goes out ${when}.`,
    );
  }
}
function untilOf(ticket: string): number {
  const shown = opened.store.getState().ticket?.draft;
  const mine = replies.store.getState().leaving.find((one) => one.ticket === ticket)?.until;
  return mine ?? (shown?.ticket === ticket ? Date.parse(shown.undo_until ?? '') : NaN);
}

/** A lead lets it go out as it stands, with the reason that is kept. */
export async function override({ id, row, draft }: OpenTicket, why: string): Promise<boolean> {
  const at = { ticket: id, version: row.version, edition: draft?.edition ?? 0 };
  const out = await attempt(() => desk.ask('drafts.override', { ...at, why }));
  if (out === null) return false;
  opened.drafted(out);
  return true;
}

/** The thread went on by what was typed: what is typed on is for it as it is now. */
function wentOnByMe(kind: TypedKind, row: TicketRow, text: string): void {
  opened.row({ feature: 'tickets', id: row.id, revision: 0, entity: row });
  takenIn(kind, row.id, text, { version: row.version });
}
/** Keeps a note for colleagues. */
export async function note(ticket: string): Promise<void> {
  const typed = typedOf('note', ticket);
  if (typed === undefined) return;
  const { text, version } = typed;
  const row = await attempt(() => desk.ask('tickets.note', { id: ticket, version, text }));
  if (row !== null) wentOnByMe('note', row, text);
}
/** Hands the ticket over, with what the next person should know. */
export async function handOver(ticket: string, to: { person: string } | { role: Role }, words: string): Promise<void> {
  const typed = typedOf('hand over', ticket);
  if (typed === undefined) return;
  const { text, version } = typed;
  const row = await attempt(() => desk.ask('tickets.handOver', { id: ticket, version, to, why: text }));
  if (row === null) return;
  wentOnByMe('hand over', row, text);
  queue.take(row);
  announce(`${ticket} is handed over to ${words}.`);
}
