// A file of tickets as a whole, from its bytes to tickets that could come in: nothing is stored here, and what cannot be known
// is asked.
import type { ImportKind, ImportOptions, ImportPreview, ImportQuestion } from '../../shared/imports.ts';
import { isObject, type Json } from '../../shared/json.ts';
import type { Refused } from '../../shared/tickets.ts';
import { labelOf } from '../ticketRecord.ts';
import { isChatwoot, readChatwoot } from './chatwoot.ts';
import { decodeFile } from './encoding.ts';
import { jsonRecords, looksLikeJson } from './jsonRecords.ts';
import { readMail, type Mail } from './mail.ts';
import { ticketsOfMails } from './mailThreads.ts';
import { looksLikeMail, mailsIn } from './mbox.ts';
import { readOwn } from './own.ts';
import { idOf, type Found, type Read, type ReadTicket, type Users } from './record.ts';
import { readTable } from './table.ts';
import { isZendesk, readZendesk } from './zendesk.ts';

/** A ticket with where it stood and what it was there. */
export interface Incoming {
  line: number;
  ticket: ReadTicket;
  /** JSON of the record as it came, without its label. */
  record: string;
  /** JSON, for the score only. */
  label: string | null;
  /** The mails it is made of, and those of earlier that they answer. */
  mails?: Mail[];
  answers?: string[];
}
export interface ReadImport {
  kind: ImportKind;
  encoding: ImportPreview['encoding'];
  table: ImportPreview['table'];
  questions: ImportQuestion[];
  records: number;
  incoming: Incoming[];
  refused: Refused[];
  notes: string[];
}
interface Candidate extends Omit<Incoming, 'ticket'> {
  read: Read;
}

/** Failures `tickets.unreadable`, `imports.option`. */
export async function readAny(bytes: Uint8Array, options: ImportOptions): Promise<ReadImport> {
  return looksLikeMail(bytes) ? readMails(bytes) : readImport(bytes, options);
}

/** Tables and JSON. Failures as above. */
export function readImport(bytes: Uint8Array, options: ImportOptions): ReadImport {
  const { name, text, question } = decodeFile(bytes, options.encoding);
  const encoding = { name, sure: question === null };
  const asked = question === null ? [] : [question];
  if (looksLikeJson(text)) return { ...readJsonText(text), encoding, questions: asked };
  const { records, questions, notes, ...table } = readTable(text, options);
  const candidates = records.map((one) => ({ ...one, label: null }));
  const read = sorted('csv', candidates, []);
  return { ...read, table, encoding, questions: [...asked, ...questions], notes: [...read.notes, ...notes] };
}

/** Each mail names its own encodings: nothing is asked. */
async function readMails(bytes: Uint8Array): Promise<ReadImport> {
  const raw = mailsIn(bytes);
  const refused: Refused[] = [];
  const notes: string[] = [];
  const read = [];
  for (const one of raw) read.push(await readMail(one));
  const incoming = ticketsOfMails(read, refused, notes).map((one) => ({ ...one, label: null }));
  const all = { encoding: { name: 'as each mail says', sure: true }, table: null, questions: [] };
  return { ...all, kind: 'mail', records: raw.length, incoming, refused, notes };
}

/** The same of a text that must be JSON. */
export function readJsonText(text: string): ReadImport {
  const refused: Refused[] = [];
  const { found, users } = jsonRecords(text.replace(/^\ufeff/, ''), refused);
  const kind = kindOf(found);
  const candidates = found.map(({ line, value, why }) => ({
    line,
    read: why === undefined ? readers[kind](value, users) : refusal(value, why),
    ...keep(kind, value),
  }));
  return sorted(kind, candidates, refused);
}

type JsonKind = Exclude<ImportKind, 'csv' | 'mail'>;
const readers: Record<JsonKind, (value: Json, users: Users) => Read> = {
  own: readOwn,
  zendesk: readZendesk,
  chatwoot: readChatwoot,
};

/** By the first records; one of another kind among them is refused by name. */
function kindOf(found: Found[]): JsonKind {
  const first = found.map(({ value }) => value).find((value) => isObject(value));
  if (!isObject(first) || 'received_at' in first) return 'own';
  if (isZendesk(first)) return 'zendesk';
  return isChatwoot(first) ? 'chatwoot' : 'own';
}
function refusal(value: Json, why: string): Read {
  const id = isObject(value) ? idOf(value['id']) : null;
  return id === null ? { ok: false, why } : { ok: false, id, why };
}
function keep(kind: JsonKind, value: Json): { record: string; label: string | null } {
  return kind === 'own' ? labelOf(value) : { record: JSON.stringify(value), label: null };
}

/** What an earlier import of this record said, for what changed since; null where it is of another kind. */
export function readAgain(kind: ImportKind, record: string): ReadTicket | null {
  if (kind === 'csv' || kind === 'mail') return null;
  // Records are stored as the JSON text they came as.
  const read = readers[kind](JSON.parse(record) as Json, new Map());
  return read.ok ? read.ticket : null;
}

/** Those that can come in, each once, and the others by line and reason. */
function sorted(kind: ImportKind, candidates: Candidate[], refused: Refused[]): ReadImport {
  const notes: string[] = [];
  const accepted = new Map<string, Incoming>();
  for (const { read, ...rest } of candidates) {
    if (!read.ok) {
      refused.push({ line: rest.line, ...(read.id === undefined ? {} : { id: read.id }), reason: read.why });
      continue;
    }
    const one = { ...rest, ticket: read.ticket };
    const { source_id, id, updated_at } = read.ticket;
    const earlier = accepted.get(source_id);
    if (earlier === undefined) accepted.set(source_id, one);
    else if (updated_at === null || earlier.ticket.updated_at === null)
      refused.push({ line: rest.line, id, reason: `the id already stands at ${earlier.line}` });
    else {
      const newer = updated_at > earlier.ticket.updated_at;
      if (newer) accepted.set(source_id, one);
      notes.push(
        `${id} stands at ${earlier.line} and ${rest.line}: the one changed last, at ${newer ? rest.line : earlier.line}, is taken.`,
      );
    }
  }
  refused.sort((a, b) => a.line - b.line);
  const all = { encoding: { name: 'utf-8', sure: true }, table: null, questions: [] };
  return { ...all, kind, records: candidates.length, incoming: [...accepted.values()], refused, notes };
}
