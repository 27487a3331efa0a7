/** SQL of the queue: rows, pages of the views, counts, and changes that only hold for a row nobody else changed meanwhile. */
import { sql, type Expression, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely';
import { z } from 'zod';
import { Failure } from '../../shared/failures.ts';
import type { Role } from '../../shared/people.ts';
import {
  draftStates,
  priorities,
  type Priority,
  ticketStatuses,
  type TicketCounts,
  type TicketFilter,
  type TicketRow,
  type TicketView,
} from '../../shared/queue.ts';
import { ticketStates } from '../../shared/tickets.ts';
import type { Executor, QueueRow, Tables } from './tables.ts';

const state = z.enum(ticketStates);
const status = z.enum(ticketStatuses);
const draft = z.enum(draftStates);
const role: z.ZodType<Role> = z.enum(['staff', 'lead', 'admin']);

export function toQueueRow(row: Selectable<QueueRow>): TicketRow {
  return {
    id: row.ticket,
    customer: row.customer,
    customer_name: row.customer_name,
    subject: row.subject,
    words: row.words,
    received_at: row.received_at,
    since: row.since,
    status: status.parse(row.status),
    snoozed_until: row.snoozed_until,
    machine: row.machine === 1,
    state: state.parse(row.state),
    draft: draft.parse(row.draft),
    waits: row.waits === null ? null : role.parse(row.waits),
    unbacked: row.unbacked,
    owner: row.owner,
    priority: priorities[row.priority] ?? 'normal',
    version: row.version,
    edition: row.edition,
  };
}
export function rankOf(priority: Priority): number {
  return priorities.indexOf(priority);
}

/** A row with what is not shown of it. */
export interface StoredRow {
  row: TicketRow;
  draftEdition: number;
  changedBy: string | null;
}
export async function findRow(executor: Executor, id: string): Promise<StoredRow | undefined> {
  const found = await executor.selectFrom('queue').selectAll().where('ticket', '=', id).executeTakeFirst();
  return found && { row: toQueueRow(found), draftEdition: found.draft_edition, changedBy: found.changed_by };
}

export interface RowChange {
  owner?: string | null;
  priority?: number;
  status?: TicketRow['status'];
  snoozed_until?: string | null;
  waits?: Role | null;
}
/** Changes a row still at `edition`; undefined where somebody else was first. */
export async function changeRow(
  executor: Executor,
  at: { id: string; edition: number; by: string },
  change: RowChange,
): Promise<TicketRow | undefined> {
  const found = await executor
    .updateTable('queue')
    .set((eb) => ({ ...change, edition: eb('edition', '+', 1), changed_by: at.by }))
    .where('ticket', '=', at.id)
    .where('edition', '=', at.edition)
    .returningAll()
    .executeTakeFirst();
  return found && toQueueRow(found);
}
/** Moves the draft of a ticket on from `edition`; false where somebody else was first. */
export async function nextDraftEdition(executor: Executor, ticket: string, edition: number): Promise<boolean> {
  const result = await executor
    .updateTable('queue')
    .set((eb) => ({ draft_edition: eb('draft_edition', '+', 1) }))
    .where('ticket', '=', ticket)
    .where('draft_edition', '=', edition)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
/** A new version of a thread that is still at `version`; false where somebody else was first. */
export async function nextVersion(
  executor: Executor,
  at: { id: string; version: number; by: string | null },
  change: RowChange = {},
): Promise<boolean> {
  const result = await executor
    .updateTable('tickets')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', at.id)
    .where('version', '=', at.version)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return false;
  await executor
    .updateTable('queue')
    .set({ ...change, changed_by: at.by })
    .where('ticket', '=', at.id)
    .execute();
  return true;
}

type Builder = ExpressionBuilder<Tables, 'queue'>;
/** Draft states in which a row waits for somebody: a call asks, or it was handed over. */
const waiting = ['asks you', 'none'];

/** What a view holds; `by` is the person who looks. */
export function inView(eb: Builder, view: TicketView, by: string): Expression<SqlBool> {
  const open = eb('queue.status', '=', 'open');
  switch (view) {
    case 'mine':
      return eb.and([open, eb('queue.owner', '=', by)]);
    case 'unassigned':
      return eb.and([open, eb('queue.owner', 'is', null)]);
    case 'waiting':
      return eb.and([open, eb('queue.draft', 'in', waiting), eb('queue.waits', '=', 'staff')]);
    case 'lead':
      return eb.and([open, eb('queue.draft', 'in', waiting), eb('queue.waits', 'in', ['lead', 'admin'])]);
    case 'unbacked':
      return eb.and([open, eb('queue.draft', '=', 'blocked'), eb('queue.waits', 'is', null)]);
    case 'snoozed':
    case 'done':
      return eb('queue.status', '=', view);
    case 'all':
      return eb.and([]);
  }
}
export function inFilter(eb: Builder, filter: TicketFilter): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = [];
  const { customer } = filter;
  if (customer !== undefined)
    all.push(eb.or([eb('queue.customer', '=', customer), eb('queue.customer_name', '=', customer)]));
  if (filter.priorities) all.push(eb('queue.priority', 'in', filter.priorities.map(rankOf)));
  if (filter.drafts) all.push(eb('queue.draft', 'in', filter.drafts));
  if (filter.states) all.push(eb('queue.state', 'in', filter.states));
  return eb.and(all);
}

/** Views where what is most urgent comes first; the others go by time alone. */
const urgentFirst = new Set<TicketView>(['mine', 'unassigned', 'waiting', 'lead', 'unbacked']);
const cursor = z.tuple([z.number(), z.string(), z.string()]);

/** A client's mistake, not the store's. */
export function noPlace(): Failure {
  return new Failure('tickets.after', 'The list cannot be gone on from there: no page ended so. List it again.');
}
function placeOf(after: string): z.infer<typeof cursor> {
  try {
    return cursor.parse(JSON.parse(after));
  } catch {
    throw noPlace();
  }
}

export interface PageQuery {
  view: TicketView;
  by: string;
  filter: TicketFilter;
  after: string | null;
  limit: number;
}
/** A page of a view. The cursor stays right while rows come and go: it names a place, not a number. Failure `tickets.after`. */
export async function pageRows(
  executor: Executor,
  { view, by, filter, after, limit }: PageQuery,
): Promise<{ rows: TicketRow[]; after: string | null }> {
  const urgent = urgentFirst.has(view);
  // Only what stands in an index: a filter that fits few rows must not look up all the others.
  let query = executor
    .selectFrom('queue')
    .select('ticket')
    .where((eb) => eb.and([inView(eb, view, by), inFilter(eb, filter)]));
  if (urgent) query = query.orderBy('priority', 'desc');
  query = query.orderBy('since', 'desc').orderBy('ticket', 'desc').limit(limit);
  if (after !== null) {
    const [priority, since, id] = placeOf(after);
    query = query.where(
      urgent
        ? sql<SqlBool>`(priority, since, ticket) < (${priority}, ${since}, ${id})`
        : sql<SqlBool>`(since, ticket) < (${since}, ${id})`,
    );
  }
  const ids = (await query.execute()).map((row) => row.ticket);
  const found = await executor.selectFrom('queue').selectAll().where('ticket', 'in', ids).execute();
  const byId = new Map(found.map((row) => [row.ticket, row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    rows: rows.map(toQueueRow),
    after: last === undefined ? null : JSON.stringify([last.priority, last.since, last.ticket]),
  };
}

export async function countRows(executor: Executor): Promise<TicketCounts> {
  const counts: TicketCounts = {
    mine: {},
    unassigned: 0,
    waiting: 0,
    lead: 0,
    unbacked: 0,
    snoozed: 0,
    done: 0,
    all: 0,
  };
  const count = (eb: Builder) => eb.fn.countAll<number>().as('n');
  const owned = await executor
    .selectFrom('queue')
    .select((eb) => ['status', 'owner', count(eb)])
    .groupBy(['status', 'owner'])
    .execute();
  for (const { status: of, owner, n } of owned) {
    counts.all += n;
    if (of !== 'open') counts[status.parse(of) === 'done' ? 'done' : 'snoozed'] += n;
    else if (owner === null) counts.unassigned += n;
    else counts.mine[owner] = n;
  }
  const drafted = await executor
    .selectFrom('queue')
    .select((eb) => ['draft', 'waits', count(eb)])
    .where('status', '=', 'open')
    .where((eb) =>
      eb.or([eb('draft', '=', 'blocked'), eb.and([eb('draft', 'in', waiting), eb('waits', 'is not', null)])]),
    )
    .groupBy(['draft', 'waits'])
    .execute();
  for (const { draft: of, waits, n } of drafted)
    counts[of === 'blocked' ? 'unbacked' : waits === 'staff' ? 'waiting' : 'lead'] += n;
  return counts;
}

/** Newest first, without the ticket itself. */
export async function rowsOfCustomer(
  executor: Executor,
  customer: string,
  but: string,
  limit: number,
): Promise<{ rows: TicketRow[]; count: number }> {
  const of = executor.selectFrom('queue').where('customer', '=', customer).where('ticket', '<>', but);
  const rows = await of.selectAll().orderBy('since', 'desc').orderBy('ticket', 'desc').limit(limit).execute();
  const { n } = await of.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  return { rows: rows.map(toQueueRow), count: n };
}

/** Opens what was snoozed until before `at`; their IDs. */
export async function wakeRows(executor: Executor, at: string): Promise<string[]> {
  const rows = await executor
    .updateTable('queue')
    .set((eb) => ({ status: 'open', snoozed_until: null, edition: eb('edition', '+', 1), changed_by: null }))
    .where('status', '=', 'snoozed')
    .where('snoozed_until', '<=', at)
    .returning('ticket')
    .execute();
  return rows.map((row) => row.ticket);
}
/** When the next snoozed ticket wakes, or null. */
export async function nextWaking(executor: Executor): Promise<string | null> {
  const row = await executor
    .selectFrom('queue')
    .select('snoozed_until')
    .where('status', '=', 'snoozed')
    .orderBy('snoozed_until')
    .limit(1)
    .executeTakeFirst();
  return row?.snoozed_until ?? null;
}
