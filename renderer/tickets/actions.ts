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
}
export const useTrouble = create<Trouble>(() => ({ words: null }));

/** Says what does not work, and what would. */
export function sayTrouble(words: string): void {
  useTrouble.setState({ words });
  announce(words, 'urgent');
}

/** Does it, or says why not. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Value | null> {
  useTrouble.setState({ words: null });
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === 'tickets.changed') {
      // By the contract this failure brings the row as it is now.
      const { row } = error.data as ChangedBy;
      queue.take(row);
      opened.row({ feature: 'tickets', id: row.id, revision: 0, entity: row });
    }
    sayTrouble(reason(error));
    return null;
  }
}

/** The marked tickets, else the open one. */
function chosen(): TicketRow[] {
  const { marked } = queue.store.getState();
  const { open } = usePlace.getState();
  const rows = queue.rows();
  const picked = marked.size > 0 ? rows.filter((row) => marked.has(row.id)) : rows.filter((row) => row.id === open);
  const shown = opened.store.getState().ticket?.row;
  return picked.length === 0 && shown !== undefined && shown.id === open ? [shown] : picked;
}
export function chosenIds(): string[] {
  return chosen().map(({ id }) => id);
}

/** The ticket that comes after the open one: where the person is when that one leaves the view. */
function goNext(): void {
  const rows = queue.rows();
  const at = rows.findIndex((row) => row.id === usePlace.getState().open);
  const next = rows[at + 1] ?? rows[at - 1];
  if (at !== -1 && next !== undefined) go('queue', next.id);
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

/** Changes what is chosen; one that leaves the view makes room for the next. */
export async function change(wanted: Change, rows = chosen()): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const leaves = wanted.kind === 'snooze' || wanted.kind === 'done';
  const went = await attempt(async () => {
    if (rows.length === 1) queue.take(await one(first, wanted));
    else {
      const tickets = rows.map(({ id, edition }) => ({ id, edition }));
      const { changed, refused } = await desk.ask('tickets.bulk', { tickets, change: wanted });
      for (const row of changed) queue.take(row);
      queue.unmark();
      if (refused.length > 0)
        throw new Failure(
          'tickets.some',
          `${changed.length} done, ${refused.length} not: ${refused
            .map(({ id, why }) => `${id} (${why})`)
            .slice(0, 5)
            .join(', ')}`,
        );
    }
    return true;
  });
  if (went === null) return;
  announce(`${done[wanted.kind]}: ${rows.length === 1 ? first.id : `${rows.length} tickets`}`);
  if (leaves && rows.length === 1 && queue.store.getState().view !== 'all') goNext();
}
