// Mails of a thread that is here already: those that are new go on with it, whichever file they come in.
import type { Ticket } from '../../shared/tickets.ts';
import { insertMail, ticketsOfMails } from '../store/mails.ts';
import type { Executor } from '../store/open.ts';
import { findTicket, replaceTicket } from '../store/tickets.ts';
import type { Mail } from './mail.ts';
import { messageOf } from './mailThreads.ts';
import type { ReadMessage } from './record.ts';

interface Options {
  dryRun: boolean;
  at: string;
  /** Puts new messages into the thread. */
  goOn: (ticket: Ticket, messages: ReadMessage[]) => Promise<void>;
}

/** Null where none of them, and none they answer, came in before. */
export async function putMails(trx: Executor, mails: Mail[], answers: string[], options: Options) {
  const known = await ticketsOfMails(trx, [...mails.map(({ id }) => id), ...answers]);
  const found = [...mails.map(({ id }) => id), ...answers].map((id) => known.get(id)).find((id) => id !== undefined);
  const ticket = found === undefined ? undefined : await findTicket(trx, found);
  if (ticket === undefined) return null;
  const fresh = mails.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return { id: ticket.id, kind: 'unchanged' as const };
  if (!options.dryRun) {
    const messages = fresh.map((mail) => messageOf(mail, ticket.customer));
    // A person wrote into what machines began: it is a person's now.
    const machine = ticket.machine && messages.every((one) => one.kind !== 'customer' || one.machine === true);
    await options.goOn(ticket, messages);
    for (const { id, bytes } of fresh)
      await insertMail(trx, { id, ticket: ticket.id, original: bytes, at: options.at });
    await replaceTicket(trx, { ...ticket, machine, version: ticket.version + 1, state: 'open' });
  }
  return { id: ticket.id, kind: 'updated' as const };
}
