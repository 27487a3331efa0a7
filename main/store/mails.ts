/** SQL of mails: which ticket a Message-ID belongs to, and each mail as it came. */
import type { Executor } from './tables.ts';

/** Values one question holds. */
const most = 500;

/** The ticket of each of these mails that is known, by its ID. */
export async function ticketsOfMails(executor: Executor, ids: string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < ids.length; from += most) {
    const some = ids.slice(from, from + most);
    const rows = await executor.selectFrom('mails').select(['id', 'ticket']).where('id', 'in', some).execute();
    for (const { id, ticket } of rows) found.set(id, ticket);
  }
  return found;
}
export async function insertMail(
  executor: Executor,
  mail: { id: string; ticket: string; original: Uint8Array; at: string },
): Promise<void> {
  await executor.insertInto('mails').values(mail).execute();
}
