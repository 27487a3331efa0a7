// What a person does to tickets. Each change carries the edition that was seen: where somebody else was first, that is said
// and nothing is overwritten.
import { create } from 'zustand';
import type { ChangedBy, Priority, TicketRow } from '../../shared/queue.ts';
import { Failure, reason } from '../../shared/failures.ts';
import { announce } from '../parts/announce.ts';
import { go, usePlace } from '../place.ts';
import { desk } from '../session.ts';
import { opened } from './openTicket.ts';
import { queue } from './store.ts';

interface Trouble {
  /** What did not work, until the next thing a person does. */
  words: string | null;
  /** The ticket it is said at. */
  ticket: string | null;
}
const none: Trouble = { words: null, ticket: null };
const useTrouble = create<Trouble>(() => none);
usePlace.subscribe((now, before) => {
  if (now.open !== before.open && useTrouble.getState().ticket === before.open) useTrouble.setState(none);
});
export function useTroubleOf(ticket: string): string | null {
  return useTrouble((trouble) => (trouble.ticket === ticket ? trouble.words : null));
}

/** Says what does not work, and what would, at a ticket: the open one. */
export function sayTrouble(words: string, ticket = usePlace.getState().open): void {
  useTrouble.setState({ words, ticket });
  announce(words, 'urgent');
}

/** Does it, or says why not: at the ticket that is open now, or for `several` at the one that is open by then. */
export async function attempt<Value>(work: () => Promise<Value>, several = false): Promise<Value | null> {
  const { open } = usePlace.getState();
  useTrouble.setState(none);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'tickets.changed') {
      // By the contract this failure brings the row as it is now.
      const { row } = error.data as ChangedBy;
      queue.take(row);
      opened.row({ feature: 'tickets', id: row.id, revision: 0, entity: row });
    }
    sayTrouble(reason(error), several ? usePlace.getState().open : open);
    return null;
  }
}

/** The marked tickets, else the open one. */
export function chosen(): TicketRow[] {
  const { open } = usePlace.getState();
  const shown = opened.store.getState().ticket?.row;
  return queue.chosen(queue.rows().find((row) => row.id === open) ?? (shown?.id === open ? shown : undefined));
}

type Change =
  | { kind: 'claim' }
  | { kind: 'release' }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'snooze'; until: string | null }
  | { kind: 'done'; done: boolean };

async function one(row: TicketRow, change: Change): Promise<TicketRow> {
  const at = { id: row.id, edition: row.edition };
  switch (change.kind) {
    case 'claim':
      return desk.ask('tickets.claim', { ...at, ...(row.owner === null ? {} : { from: row.owner }) });
    case 'release':
      return desk.ask('tickets.release', at);
    case 'priority':
      return desk.ask('tickets.priority', { ...at, priority: change.priority });
    case 'snooze':
      return desk.ask('tickets.snooze', { ...at, until: change.until });
    case 'done':
      return desk.ask('tickets.done', { ...at, done: change.done });
  }
}

const done: Record<Change['kind'], string> = {
  claim: 'Taken',
  release: 'Let go',
  priority: 'Priority set',
  snooze: 'Snoozed',
  done: 'Done',
};

/** What was done or snoozed last, for as long as it can be taken back by a key. */
interface Acted {
  words: string;
  /** As they are since. */
  rows: readonly TicketRow[];
  back: Change;
}
export const useActed = create<{ acted: Acted | null }>(() => ({ acted: null }));
const actedMs = 12_000;

function keepActed(wanted: Change, rows: readonly TicketRow[], words: string): void {
  if (wanted.kind === 'done' ? !wanted.done : wanted.kind !== 'snooze' || wanted.until === null) return;
  const back: Change = wanted.kind === 'done' ? { kind: 'done', done: false } : { kind: 'snooze', until: null };
  const acted = { words, rows, back };
  useActed.setState({ acted });
  setTimeout(() => useActed.setState((now) => (now.acted === acted ? { acted: null } : now)), actedMs);
}

/** Takes back what was done or snoozed last, and opens it. */
export async function takeBack(): Promise<void> {
  const { acted } = useActed.getState();
  const [first] = acted?.rows ?? [];
  if (acted === null || first === undefined) return;
  useActed.setState({ acted: null });
  if ((await attempt(() => carryOut(acted.rows, acted.back))) === null) return;
  announce(`Taken back: ${acted.words}`);
  go('queue', first.id);
}

/** Gives the rows as they are now. Failure `tickets.some` where somebody was quicker with some of several. */
async function carryOut(rows: readonly TicketRow[], wanted: Change): Promise<TicketRow[]> {
  const [first] = rows;
  if (first !== undefined && rows.length === 1) {
    const row = await one(first, wanted);
    queue.take(row);
    return [row];
  }
  const tickets = rows.map(({ id, edition }) => ({ id, edition }));
  const { changed, refused } = await desk.ask('tickets.bulk', { tickets, change: wanted });
  for (const row of changed) queue.take(row);
  queue.unmark(rows.map(({ id }) => id));
  if (refused.length > 0)
    throw new Failure(
      'tickets.some',
      `${changed.length} done, ${refused.length} not: ${refused
        .map(({ id, why }) => `${id} (${why})`)
        .slice(0, 5)
        .join(', ')}`,
    );
  return changed;
}

/** Changes what is chosen. Where the open one leaves the view and the person is still there, the next is opened. */
export async function change(wanted: Change, rows = chosen()): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const ids = rows.map(({ id }) => id);
  const { open } = usePlace.getState();
  const leaves = wanted.kind === 'snooze' || wanted.kind === 'done';
  const next = leaves && queue.store.getState().view !== 'all' ? queue.after(ids, open) : null;
  const several = rows.length > 1 || first.id !== open;
  const now = await attempt(() => carryOut(rows, wanted), several);
  if (now === null) return;
  queue.unmark(ids);
  const words = `${done[wanted.kind]}: ${rows.length === 1 ? first.id : `${rows.length} tickets`}`;
  announce(words);
  keepActed(wanted, now, words);
  const place = usePlace.getState();
  if (next !== null && place.screen === 'queue' && place.open === open) go('queue', next);
}
