/** SQL of threads: what came and went after a ticket's first message. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ReplyDifference, ThreadMessage } from '../../shared/queue.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, Tables } from './tables.ts';

const kind = z.enum(['customer', 'reply', 'note']);
/** Written by this program only, so its outline is checked and no more. */
const storedDifference = z.custom<ReplyDifference>((value) => jsonObject.safeParse(value).success);

function toMessage(row: Selectable<Tables['messages']>): ThreadMessage {
  return {
    id: row.id,
    kind: kind.parse(row.kind),
    body: row.body,
    by: row.by,
    at: row.at,
    difference:
      row.difference === null ? null : readJson(storedDifference, row.difference, `difference of message ${row.id}`),
  };
}

/** The queue's row and the search index follow by themselves; the thread's version is the caller's to move. */
export async function insertMessage(executor: Executor, ticket: string, message: ThreadMessage): Promise<void> {
  const { difference, ...rest } = message;
  await executor
    .insertInto('messages')
    .values({ ...rest, ticket, difference: difference === null ? null : JSON.stringify(difference) })
    .execute();
}
/** In the order they came. */
export async function messagesOf(executor: Executor, ticket: string): Promise<ThreadMessage[]> {
  const rows = await executor
    .selectFrom('messages')
    .selectAll()
    .where('ticket', '=', ticket)
    .orderBy('order')
    .execute();
  return rows.map(toMessage);
}
