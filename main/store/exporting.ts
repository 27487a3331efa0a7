/** SQL of what goes out: rows in an order that holds while others are added, a part at a time. */
import type { Executor } from './tables.ts';

export interface TicketOut {
  id: string;
  source: string;
  source_id: string;
  customer: string | null;
  customer_name: string | null;
  machine: number;
  subject: string;
  body: string;
  received_at: string;
  channel: string | null;
  state: string;
  status: string;
  owner: string | null;
  priority: number;
}
/** By ID, those after `after`. */
export async function ticketsAfter(executor: Executor, after: string, limit: number): Promise<TicketOut[]> {
  return executor
    .selectFrom('tickets')
    .innerJoin('queue', 'queue.ticket', 'tickets.id')
    .select(['tickets.id', 'source', 'source_id', 'tickets.customer', 'tickets.customer_name', 'tickets.machine'])
    .select(['tickets.subject', 'body', 'tickets.received_at'])
    .select(['channel', 'tickets.state', 'status', 'owner', 'priority'])
    .where('tickets.id', '>', after)
    .orderBy('tickets.id')
    .limit(limit)
    .execute();
}
/** IDs of calls in the order they were made, those after the call `after` (empty: from the first). */
export async function callsAfter(executor: Executor, after: string, limit: number): Promise<string[]> {
  let query = executor.selectFrom('calls').select('id').orderBy('order').limit(limit);
  if (after !== '')
    query = query.where('order', '>', (eb) =>
      eb.selectFrom('calls as last').select('last.order').where('last.id', '=', after),
    );
  return (await query.execute()).map(({ id }) => id);
}
/** IDs of ticket runs by ID, those after `after`. */
export async function runsAfter(executor: Executor, after: string, limit: number): Promise<string[]> {
  const query = executor.selectFrom('runs').select('id').where('id', '>', after).orderBy('id').limit(limit);
  return (await query.execute()).map(({ id }) => id);
}
