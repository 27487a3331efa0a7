// Mails of a file as tickets, one a thread: by Message-ID, References and In-Reply-To, whatever order they stand in.
import { createHash } from 'node:crypto';
import type { Refused } from '../../shared/tickets.ts';
import type { Mail, ReadMail } from './mail.ts';
import type { ReadMessage, ReadTicket } from './record.ts';

export interface MailTicket {
  line: number;
  ticket: ReadTicket;
  /** JSON: what of the first mail names it. The mails themselves are kept as they came. */
  record: string;
  mails: Mail[];
  /** Mails outside the file that its mails answer: a thread that is there already goes on. */
  answers: string[];
}

/** Of two mails with one ID the first counts. */
export function ticketsOfMails(all: ReadMail[], refused: Refused[], notes: string[]): MailTicket[] {
  const known = new Map<string, Mail>();
  for (const one of all)
    if (!one.ok) refused.push({ line: one.number, ...(one.id === undefined ? {} : { id: one.id }), reason: one.why });
    else if (known.has(one.mail.id))
      notes.push(
        `Mail ${one.mail.number} is the same as mail ${known.get(one.mail.id)?.number ?? 0}: it comes in once.`,
      );
    else known.set(one.mail.id, one.mail);
  return [...threadsOf(known).values()].map(ticketOf);
}

/** Mails that answer each other, or the same mail outside the file, are one thread. */
function threadsOf(known: Map<string, Mail>): Map<string, Mail[]> {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    let at = id;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) {
      // Shortened on the way, so that long threads stay quick.
      const above = parent.get(up);
      if (above !== undefined) parent.set(at, above);
      at = up;
    }
    return at;
  };
  for (const { id, answers } of known.values())
    for (const other of answers) {
      const [one, two] = [rootOf(id), rootOf(other)];
      if (one !== two) parent.set(one, two);
    }
  const threads = new Map<string, Mail[]>();
  for (const mail of known.values()) {
    const root = rootOf(mail.id);
    const thread = threads.get(root);
    if (thread === undefined) threads.set(root, [mail]);
    else thread.push(mail);
  }
  for (const mails of threads.values())
    mails.sort((a, b) => (a.at === b.at ? a.number - b.number : a.at < b.at ? -1 : 1));
  return threads;
}

function ticketOf(mails: Mail[]): MailTicket {
  // The customer's first mail opens it, also where an answer to it is dated earlier.
  const inside = new Set(mails.map(({ id }) => id));
  const [first] = [...mails].sort(
    (a, b) => Number(a.answers.some((id) => inside.has(id))) - Number(b.answers.some((id) => inside.has(id))),
  );
  if (first === undefined) throw new Error('a thread without a mail');
  const customer = first.from.address;
  return {
    line: first.number,
    mails,
    answers: [...new Set(mails.flatMap(({ answers }) => answers))].filter((id) => !inside.has(id)),
    record: JSON.stringify({ message_id: first.id, from: first.from, date: first.at, subject: first.subject }),
    ticket: {
      source_id: `mail/${first.id}`,
      // A Message-ID is nothing to read or to type.
      id: `M-${createHash('sha256').update(first.id).digest('hex').slice(0, 8)}`,
      customer,
      customer_name: first.from.name,
      machine: first.machine && mails.every((mail) => mail.machine || mail.from.address !== customer),
      subject: first.subject,
      body: first.body,
      received_at: first.at,
      channel: 'email',
      messages: mails.filter((mail) => mail !== first).map((mail) => messageOf(mail, customer)),
      done: false,
      priority: 'normal',
      updated_at: null,
    },
  };
}

/** From the customer's address it is theirs, to it a reply; of anybody else it says whose words it holds. */
export function messageOf({ id, from, to, body, at, machine }: Mail, customer: string | null): ReadMessage {
  if (from.address === customer) return { id, kind: 'customer', body, at, machine };
  if (customer !== null && to.includes(customer)) return { id, kind: 'reply', body, at, machine };
  const who = from.name === null ? from.address : `${from.name} <${from.address}>`;
  return { id, kind: 'customer', body: `[From: ${who}]\n${body}`, at, machine };
}
