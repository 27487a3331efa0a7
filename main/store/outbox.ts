/** SQL of replies: what a person makes of a draft, until it is sent or the thread passes it by. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Claim } from '../../shared/runs.ts';
import type { ReplyDifference } from '../../shared/queue.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, OutboxRow } from './tables.ts';

const state = z.enum(['draft', 'sending', 'sent', 'retired']);
const claims = z.array(z.custom<Claim>((value) => jsonObject.safeParse(value).success));

export interface StoredReply {
  id: string;
  ticket: string;
  ticket_version: number;
  /** The model's draft it began with. */
  run: string | null;
  state: z.infer<typeof state>;
  text: string;
  claims: Claim[];
  blocked: boolean;
  edited_by: string | null;
  edited_at: string | null;
  override_by: string | null;
  override_why: string | null;
  override_at: string | null;
  by: string | null;
  done: boolean;
  undo_until: string | null;
}

function toReply(row: Selectable<OutboxRow>): StoredReply {
  return {
    id: row.id,
    ticket: row.ticket,
    ticket_version: row.ticket_version,
    run: row.run,
    state: state.parse(row.state),
    text: row.text,
    claims: readJson(claims, row.claims, `claims of reply ${row.id}`),
    blocked: row.blocked === 1,
    edited_by: row.edited_by,
    edited_at: row.edited_at,
    override_by: row.override_by,
    override_why: row.override_why,
    override_at: row.override_at,
    by: row.by,
    done: row.done === 1,
    undo_until: row.undo_until,
  };
}

/** The reply that is written or on its way; at most one a ticket. */
export async function liveReply(executor: Executor, ticket: string): Promise<StoredReply | undefined> {
  const row = await executor
    .selectFrom('outbox')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('state', 'in', ['draft', 'sending'])
    .executeTakeFirst();
  return row && toReply(row);
}
/** Tickets with a reply that is written or on its way. */
export async function repliedTickets(executor: Executor): Promise<Set<string>> {
  const rows = await executor
    .selectFrom('outbox')
    .select('ticket')
    .where('state', 'in', ['draft', 'sending'])
    .execute();
  return new Set(rows.map(({ ticket }) => ticket));
}
/** The last one the thread passed by. */
export async function retiredReply(executor: Executor, ticket: string): Promise<StoredReply | undefined> {
  const row = await executor
    .selectFrom('outbox')
    .selectAll()
    .where('ticket', '=', ticket)
    .where('state', '=', 'retired')
    .orderBy('ticket_version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toReply(row);
}
/** A reply went out for this version of the thread or a later one. */
export async function sentSince(executor: Executor, ticket: string, version: number): Promise<boolean> {
  const row = await executor
    .selectFrom('outbox')
    .select('id')
    .where('ticket', '=', ticket)
    .where('state', '=', 'sent')
    .where('ticket_version', '>=', version)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
/** Stores a reply, new or changed. */
export async function saveReply(executor: Executor, reply: StoredReply): Promise<void> {
  const { claims: all, blocked, done, ...rest } = reply;
  const values = { ...rest, claims: JSON.stringify(all), blocked: blocked ? 1 : 0, done: done ? 1 : 0 };
  await executor
    .insertInto('outbox')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}
export async function dropReply(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom('outbox').where('id', '=', id).execute();
}
/** Replies on their way whose time to take them back ends by `at`, oldest first; without `at` all. */
export async function sendingReplies(executor: Executor, at?: string): Promise<StoredReply[]> {
  let query = executor.selectFrom('outbox').selectAll().where('state', '=', 'sending').orderBy('undo_until');
  if (at !== undefined) query = query.where('undo_until', '<=', at);
  return (await query.execute()).map(toReply);
}
/** True if it was still on its way. */
export async function markSent(
  executor: Executor,
  id: string,
  sent: { at: string; text: string; difference: ReplyDifference | null },
): Promise<boolean> {
  const result = await executor
    .updateTable('outbox')
    .set({
      state: 'sent',
      sent_at: sent.at,
      sent_text: sent.text,
      difference: sent.difference === null ? null : JSON.stringify(sent.difference),
    })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
