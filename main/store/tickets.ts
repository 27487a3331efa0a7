/** SQL of tickets. Labels are a table of their own that only the score reads. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import type { Ticket, TicketState } from '../../shared/tickets.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, Tables } from './tables.ts';

const source = z.enum(['sample', 'import']);
const state = z.enum(['open', 'ready', 'waiting', 'handed over', 'failed']);
const columns = [
  'id',
  'source',
  'customer',
  'customer_name',
  'machine',
  'subject',
  'body',
  'received_at',
  'channel',
  'state',
  'version',
] as const;

function toTicket(row: Pick<Selectable<Tables['tickets']>, (typeof columns)[number]>): Ticket {
  const { machine } = row;
  return { ...row, machine: machine === 1, source: source.parse(row.source), state: state.parse(row.state) };
}

export async function findTicket(executor: Executor, id: string): Promise<Ticket | undefined> {
  const row = await executor.selectFrom('tickets').select(columns).where('id', '=', id).executeTakeFirst();
  return row && toTicket(row);
}

/** Oldest first; at most `limit`. `queued`: neither done nor snoozed. */
export async function listTickets(
  executor: Executor,
  by: { state?: TicketState; source?: Ticket['source']; queued?: boolean; limit?: number; offset?: number } = {},
): Promise<Ticket[]> {
  let query = executor.selectFrom('tickets').select(columns).orderBy('received_at').orderBy('id');
  if (by.state) query = query.where('state', '=', by.state);
  if (by.source) query = query.where('source', '=', by.source);
  if (by.queued)
    query = query.where('id', 'in', (eb) => eb.selectFrom('queue').select('ticket').where('status', '=', 'open'));
  if (by.limit !== undefined) query = query.limit(by.limit).offset(by.offset ?? 0);
  return (await query.execute()).map(toTicket);
}

export async function setTicketState(executor: Executor, id: string, to: TicketState): Promise<void> {
  await executor.updateTable('tickets').set({ state: to }).where('id', '=', id).execute();
}

export interface StoredRecord {
  ticket: Ticket;
  /** JSON text of the record as it came, without label. */
  record: string;
  label: string | null;
}
/** Those of a source that are here, by their ID there; at most a few hundred at once. */
export async function findBySource(
  executor: Executor,
  from: Ticket['source'],
  sourceIds: string[],
): Promise<Map<string, StoredRecord>> {
  const rows = await executor
    .selectFrom('tickets')
    .leftJoin('labels', 'labels.ticket', 'tickets.id')
    .select(columns)
    .select(['source_id', 'record', 'labels.label as label'])
    .where('source', '=', from)
    .where('source_id', 'in', sourceIds)
    .execute();
  return new Map(
    rows.map(({ source_id, record, label, ...ticket }) => [source_id, { ticket: toTicket(ticket), record, label }]),
  );
}
/** Which of these IDs the desk uses already. */
export async function usedIds(executor: Executor, ids: string[]): Promise<Set<string>> {
  const rows = await executor.selectFrom('tickets').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function insertTicket(
  executor: Executor,
  ticket: Ticket,
  more: { sourceId: string; record: string; at: string },
): Promise<void> {
  await executor
    .insertInto('tickets')
    .values({
      ...ticket,
      machine: ticket.machine ? 1 : 0,
      source_id: more.sourceId,
      record: more.record,
      imported_at: more.at,
    })
    .execute();
}
/** Without `record` the one it came as stays. */
export async function replaceTicket(executor: Executor, ticket: Ticket, record?: string): Promise<void> {
  const { id, ...rest } = ticket;
  await executor
    .updateTable('tickets')
    .set({ ...rest, machine: rest.machine ? 1 : 0, ...(record === undefined ? {} : { record }) })
    .where('id', '=', id)
    .execute();
}

/** For the score only (spec cli, "Files"). Null takes the label away. */
export async function setLabel(executor: Executor, ticket: string, label: string | null): Promise<void> {
  await executor.deleteFrom('labels').where('ticket', '=', ticket).execute();
  if (label !== null) await executor.insertInto('labels').values({ ticket, label }).execute();
}
/** For the score only: label by ticket ID. */
export async function listLabels(executor: Executor): Promise<Map<string, JsonObject>> {
  const rows = await executor.selectFrom('labels').selectAll().execute();
  return new Map(rows.map((row) => [row.ticket, readJson(jsonObject, row.label, `label of ${row.ticket}`)]));
}
