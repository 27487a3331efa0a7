/** SQL of full-text search: newest first, no ranking. It runs on a read-only connection in a thread of its own. */
import { sql, type SqlBool } from 'kysely';
import type { TicketFilter, TicketRow, TicketView } from '../../shared/queue.ts';
import { inFilter, inView, toQueueRow } from './queue.ts';
import type { Executor } from './tables.ts';

export interface SearchQuery {
  /** Of the index's own language: quoted words. */
  match: string;
  view: TicketView;
  by: string;
  filter: TicketFilter;
  after: string | null;
  limit: number;
}
export interface FoundTicket {
  row: TicketRow;
  /** Message that was found; null: the ticket's first. */
  message: string | null;
}
export interface FoundTickets {
  found: FoundTicket[];
  after: string | null;
}

/** Each ticket once, by its newest message that matches. */
export async function searchRows(executor: Executor, query: SearchQuery): Promise<FoundTickets> {
  const { match, view, by, filter, after, limit } = query;
  // Status and owner are asked of the index's own row, before the ticket's is looked up.
  const status = view === 'all' ? null : view === 'done' || view === 'snoozed' ? view : 'open';
  let select = executor
    .selectFrom('search')
    // CROSS keeps the order: the index first, then one row of the queue for each row it finds.
    .crossJoin('search_rows')
    .crossJoin('queue')
    .whereRef('search_rows.id', '=', 'search.rowid')
    .whereRef('queue.ticket', '=', 'search_rows.ticket')
    .selectAll('queue')
    .select(['search_rows.message as message', sql<string>`CAST(search.rowid AS TEXT)`.as('place')])
    .where(sql<SqlBool>`search MATCH ${match}`)
    .where(sql<SqlBool>`going(search_rows.status) = 1`)
    .where((eb) => eb.and([inFilter(eb, filter), inView(eb, view, by)]))
    .orderBy('search.rowid', 'desc')
    .limit(limit);
  if (status !== null) select = select.where('search_rows.status', '=', status);
  if (view === 'mine') select = select.where('search_rows.owner', '=', by);
  if (view === 'unassigned') select = select.where('search_rows.owner', 'is', null);
  if (after !== null) select = select.where(sql<SqlBool>`search.rowid < CAST(${after} AS INTEGER)`);
  const rows = await select.execute();
  const found: FoundTicket[] = [];
  for (const { message, place, ...row } of rows)
    if (!(await matchesLater(executor, match, row.ticket, place))) found.push({ row: toQueueRow(row), message });
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { found, after: last?.place ?? null };
}

/** A newer message of the same ticket matches too: it stood further up. */
async function matchesLater(executor: Executor, match: string, ticket: string, place: string): Promise<boolean> {
  const newer = await sql<{ id: string }>`
    SELECT CAST(id AS TEXT) AS id FROM search_rows WHERE ticket = ${ticket} AND id > CAST(${place} AS INTEGER)`.execute(
    executor,
  );
  for (const { id } of newer.rows) {
    const also = await sql`
      SELECT 1 FROM search WHERE search MATCH ${match} AND rowid = CAST(${id} AS INTEGER)`.execute(executor);
    if (also.rows.length > 0) return true;
  }
  return false;
}
