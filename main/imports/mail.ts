// One mail as the desk reads it: who wrote it to whom, its words, where it stands in its thread, and whether a machine sent it.
import { createHash } from 'node:crypto';
import PostalMime, { type Address, type Email, type Mailbox } from 'postal-mime';
import { reason } from '../../shared/failures.ts';
import { utc } from '../ticketRecord.ts';
import { htmlText } from './htmlText.ts';
import type { RawMail } from './mbox.ts';
import { longestBody, nameIn, storable } from './record.ts';

export interface Mail {
  number: number;
  bytes: Uint8Array;
  /** Message-ID without its brackets; made from the bytes where there is none. */
  id: string;
  /** Mails it answers, the nearest first. */
  answers: string[];
  from: { address: string; name: string | null };
  /** Addresses it went to. */
  to: string[];
  subject: string;
  body: string;
  at: string;
  machine: boolean;
}
export type ReadMail = { ok: true; mail: Mail } | { ok: false; number: number; id?: string; why: string };

const largest = 50 * 1024 * 1024;

export async function readMail({ number, bytes }: RawMail): Promise<ReadMail> {
  if (bytes.length > largest) return { ok: false, number, why: 'it is larger than 50 MiB' };
  let email: Email;
  try {
    email = await PostalMime.parse(bytes, { maxNestingDepth: 64, maxHeadersSize: 1024 * 1024 });
  } catch (error) {
    return { ok: false, number, why: `it cannot be read: ${reason(error)}` };
  }
  const id = bare(email.messageId) ?? `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}@no-message-id`;
  const refuse = (why: string): ReadMail => ({ ok: false, number, id, why });
  const [from] = boxes(email.from ?? email.sender);
  if (from === undefined) return refuse('it does not say who wrote it');
  const at = utc(email.date) ?? received(email);
  if (at === undefined) return refuse('it has no date this desk can read');
  const body = wordsOf(email).slice(0, longestBody);
  if (body === '') return refuse('it has no words');
  return {
    ok: true,
    mail: {
      ...{ number, bytes, id, body, at },
      answers: answersOf(email).filter((one) => one !== id),
      from: { address: from.address.toLowerCase().slice(0, 320), name: nameIn(from.name) },
      to: [...(email.to ?? []), ...(email.cc ?? [])].flatMap(boxes).map(({ address }) => address.toLowerCase()),
      subject: storable(email.subject ?? '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 2_000),
      machine: byMachine(email),
    },
  };
}

function boxes(address: Address | undefined): Mailbox[] {
  const all = address === undefined ? [] : address.group === undefined ? [address] : address.group;
  return all.filter((one) => one.address.includes('@'));
}
function bare(id: string | undefined): string | undefined {
  return /<([^<>\s]{1,500})>/.exec(id ?? '')?.[1] ?? (id?.trim() || undefined)?.slice(0, 500);
}
function answersOf({ inReplyTo = '', references = '' }: Email): string[] {
  const ids = (text: string): string[] => [...text.matchAll(/<([^<>\s]{1,500})>/g)].flatMap(([, id]) => id ?? []);
  return [...new Set([...ids(inReplyTo), ...ids(references).reverse()])].slice(0, 100);
}
/** Where its own date cannot be read: when the last server took it. */
function received({ headers }: Email): string | undefined {
  const last =
    headers
      .find(({ key }) => key === 'received')
      ?.value.split(';')
      .at(-1)
      ?.trim() ?? '';
  const time = /\d{4}.*\d:\d{2}/.test(last) ? Date.parse(last.replace(/\([^)]*\)/g, '')) : NaN;
  return Number.isNaN(time) ? undefined : utc(time);
}

function wordsOf(email: Email): string {
  const plain = storable(email.text ?? '').trim();
  const words = plain || htmlText(storable(email.html ?? ''));
  const files = email.attachments
    .filter(({ related, disposition }) => related !== true || disposition === 'attachment')
    .map(({ filename, mimeType }) => `[Attachment: ${nameIn(filename) ?? mimeType}]`);
  return [words, ...files].filter((one) => one !== '').join('\n');
}

/** RFC 3834 and what came before it: an automatic answer, a list, a bounce. Such mail is read, never answered by a draft. */
function byMachine({ headers }: Email): boolean {
  return headers.some(({ key, value }) => {
    const said = value.trim().toLowerCase();
    if (key === 'auto-submitted') return !/^no\b/.test(said);
    if (key === 'precedence') return /^(?:bulk|list|junk|auto_reply)\b/.test(said);
    if (key === 'return-path') return said === '<>';
    return key.startsWith('list-');
  });
}
