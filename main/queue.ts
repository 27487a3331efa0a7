// The queue: views with their counts, pages and search, and what people do with its rows. Every change holds only for a row
// nobody else changed meanwhile; whoever comes second is told who was first.
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type {
  BulkDone,
  ChangedBy,
  Priority,
  TicketCounts,
  TicketFilter,
  TicketHits,
  TicketPage,
  TicketRow,
  TicketView,
} from '../shared/queue.ts';
import { iso, type Clock, type Random } from './ports.ts';
import { excerpt, matchOf } from './searchWords.ts';
import { insertMessage, messagesOf } from './store/messages.ts';
import type { Executor, Store } from './store/open.ts';
import { listPeople } from './store/people.ts';
import {
  changeRow,
  countRows,
  findRow,
  nextVersion,
  noPlace,
  pageRows,
  rankOf,
  wakeRows,
  type RowChange,
} from './store/queue.ts';
import type { FoundTicket } from './store/search.ts';
import type { Searching } from './store/searching.ts';
import { findTicket } from './store/tickets.ts';

/** One change of a row, as `tickets.bulk` names them. */
export type RowAct =
  | { kind: 'claim'; from?: string | undefined }
  | { kind: 'release' }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'snooze'; until: string | null }
  | { kind: 'done'; done: boolean };
interface Asked {
  view: TicketView;
  filter: TicketFilter;
  after: string | null;
  limit: number;
}

export function createQueue(deps: {
  store: Store;
  clock: Clock;
  random: Random;
  searching: Searching;
  /** Told of every ticket whose row changed. */
  touched: (ticket: string) => void;
  /** A ticket may be the next to wake. */
  snoozed: () => Promise<void>;
}) {
  const { store, clock, random, searching, touched } = deps;

  async function rowOf(executor: Executor, id: string): Promise<TicketRow> {
    const found = await findRow(executor, id);
    if (found === undefined) throw unknown(id);
    return found.row;
  }

  /** What is typed into the search box finds, each ticket with where. Failure `tickets.after`. */
  async function found(text: string, by: Person, asked: Asked, signal: AbortSignal) {
    const { view, filter, after, limit } = asked;
    if (after !== null && !/^-?\d{1,19}$/.test(after)) throw noPlace();
    return searching.search({ match: matchOf(text), view, by: by.id, filter, after, limit }, signal);
  }
  async function excerptOf({ row, message }: FoundTicket, text: string): Promise<string> {
    if (message !== null) {
      const one = (await messagesOf(store.db, row.id)).find(({ id }) => id === message);
      return excerpt(one?.body ?? '', text);
    }
    const ticket = await findTicket(store.db, row.id);
    return excerpt(ticket?.body ?? '', text);
  }

  async function act(executor: Executor, at: { id: string; edition: number }, by: Person, what: RowAct) {
    const row = await rowOf(executor, at.id);
    if (row.edition !== at.edition) throw await changed(executor, at.id, by);
    if (what.kind === 'claim' && row.owner !== null && row.owner !== by.id && row.owner !== what.from)
      throw await changed(executor, at.id, by);
    const change = changeOf(row, by, what);
    if (change === null) return row;
    const now = await changeRow(executor, { ...at, by: by.id }, change);
    if (now === undefined) throw await changed(executor, at.id, by);
    return now;
  }
  /** Null where the row is that way already. */
  function changeOf(row: TicketRow, by: Person, what: RowAct): RowChange | null {
    switch (what.kind) {
      case 'claim':
        if (row.owner === by.id) return null;
        // Whom it waited for after it was handed over has it now.
        return { owner: by.id, ...(row.draft === 'asks you' ? {} : { waits: null }) };
      case 'release':
        return row.owner === null ? null : { owner: null };
      case 'priority':
        return row.priority === what.priority ? null : { priority: rankOf(what.priority) };
      case 'snooze':
        return snoozed(row, what.until);
      case 'done':
        if (what.done) return row.status === 'done' ? null : { status: 'done', snoozed_until: null };
        return row.status === 'open' ? null : { status: 'open', snoozed_until: null };
    }
  }
  function snoozed(row: TicketRow, until: string | null): RowChange | null {
    if (until === null) return row.status === 'snoozed' ? { status: 'open', snoozed_until: null } : null;
    if (Date.parse(until) <= clock.now())
      throw new Failure('tickets.past', `${until} is over already. Choose a later time to see ${row.id} again.`);
    return { status: 'snoozed', snoozed_until: new Date(until).toISOString() };
  }

  return {
    row: (id: string): Promise<TicketRow> => rowOf(store.db, id),
    async page(asked: Asked, by: Person, signal: AbortSignal): Promise<TicketPage> {
      const { text } = asked.filter;
      // Who looks at the queue may search it next.
      searching.warm();
      if (text === undefined || text.trim() === '') return pageRows(store.db, { ...asked, by: by.id });
      const page = await found(text, by, asked, signal);
      return { rows: page.found.map(({ row }) => row), after: page.after };
    },
    async search(
      { text, ...asked }: Omit<Asked, 'view'> & { text: string },
      by: Person,
      signal: AbortSignal,
    ): Promise<TicketHits> {
      const page = await found(text, by, { ...asked, view: 'all' }, signal);
      const hits: TicketHits['hits'] = [];
      for (const one of page.found) hits.push({ row: one.row, excerpt: await excerptOf(one, text) });
      return { hits, after: page.after };
    },
    counts: (): Promise<TicketCounts> => countRows(store.db),
    /** Failures `tickets.changed`, `tickets.unknown`, `tickets.past`. */
    async change(at: { id: string; edition: number }, by: Person, what: RowAct): Promise<TicketRow> {
      const row = await store.db.transaction().execute((trx) => act(trx, at, by, what));
      touched(row.id);
      if (what.kind === 'snooze') await deps.snoozed();
      return row;
    },
    /** In one transaction a batch; what somebody else changed meanwhile stays as it is and is named. */
    async bulk(tickets: { id: string; edition: number }[], by: Person, what: RowAct): Promise<BulkDone> {
      const done: BulkDone = { changed: [], refused: [] };
      for (let from = 0; from < tickets.length; from += batchSize)
        await store.db.transaction().execute(async (trx) => {
          for (const at of tickets.slice(from, from + batchSize))
            try {
              done.changed.push(await act(trx, at, by, what));
            } catch (error) {
              if (!(error instanceof Failure)) throw error;
              done.refused.push({ id: at.id, code: error.code, why: error.message });
            }
        });
      for (const row of done.changed) touched(row.id);
      if (what.kind === 'snooze') await deps.snoozed();
      return done;
    },
    /** A note retires what was drafted for the thread as it was before. */
    async note({ id, version, text }: { id: string; version: number; text: string }, by: Person): Promise<TicketRow> {
      const body = text.trim();
      if (body === '') throw new Failure('tickets.empty', 'The note is empty. Write something first.');
      const row = await store.db.transaction().execute(async (trx) => {
        await rowOf(trx, id);
        if (!(await nextVersion(trx, { id, version, by: by.id }))) throw await changed(trx, id, by);
        const message = { id: `note-${random.hex(8)}`, kind: 'note', body, by: by.id, at: iso(clock) } as const;
        await insertMessage(trx, id, { ...message, difference: null });
        return rowOf(trx, id);
      });
      touched(id);
      return row;
    },
    /** Tickets whose snooze is over are open again. */
    async wake(): Promise<void> {
      for (const id of await wakeRows(store.db, iso(clock))) touched(id);
    },
  };
}

/** Rows a transaction holds at most, so that nothing else waits long. */
const batchSize = 200;

export function unknown(id: string): Failure {
  return new Failure('tickets.unknown', `There is no ticket ${id}. "desk tickets" lists what is there.`);
}

/** For whoever came second: says who was first. `sends`: who sends a reply to it just now. */
export async function changed(executor: Executor, id: string, by: Person, sends?: string | null): Promise<Failure> {
  const now = await findRow(executor, id);
  if (now === undefined) return unknown(id);
  const { row, changedBy } = now;
  const people = new Map((await listPeople(executor)).map((one) => [one.id, one.name]));
  const owner = row.owner === by.id ? null : row.owner;
  const first = sends ?? owner ?? changedBy;
  const name = first === null ? '' : first === by.id ? 'you, in another window,' : (people.get(first) ?? first);
  const who =
    first === null
      ? 'something new came in'
      : sends != null
        ? `${name} sent a reply to it`
        : `${name} ${first === owner ? 'has it now' : 'changed it'}`;
  return new Failure(
    'tickets.changed',
    `${id} changed meanwhile: ${who}. Nothing of yours was done; look at it again.`,
    { by: first, row } satisfies ChangedBy,
  );
}
