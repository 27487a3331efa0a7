/**
 * Tickets files (spec cli, "Files"): a JSON array or JSON Lines. A bad record is named and the others come in; a file that
 * cannot be read as a whole stores nothing; the same file again changes nothing. Labels go to a table of their own.
 */
import { readFileSync } from 'node:fs';
import { Failure, reason } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Imported, Label, Refused, Ticket, TicketInput } from '../shared/tickets.ts';
import { iso, type Clock } from './ports.ts';
import type { Executor, Store } from './store/open.ts';
import {
  findBySource,
  findTicket,
  insertTicket,
  listLabels,
  listTickets,
  replaceTicket,
  setLabel,
} from './store/tickets.ts';
import { labelOf, readRecord } from './ticketRecord.ts';

/** Rows a transaction holds at most, so that nothing else waits long. */
const batchSize = 500;

export interface ImportOptions {
  source: Ticket['source'];
  /** Counts and names what would happen, and stores nothing. */
  dryRun?: boolean;
}

interface Record_ {
  line: number;
  value: unknown;
}
interface Accepted {
  line: number;
  input: TicketInput;
  /** The record as it came, without its label. */
  record: string;
  label: string | null;
}

/** Failure `tickets.unreadable` when the file as a whole is neither a JSON array nor JSON Lines. */
async function importTickets(store: Store, text: string, options: ImportOptions & { clock: Clock }): Promise<Imported> {
  const result: Imported = { added: 0, unchanged: 0, updated: 0, refused: [], ids: [] };
  const accepted = accept(records(text, result.refused), result.refused);
  const at = iso(options.clock);
  for (let from = 0; from < accepted.length; from += batchSize) {
    const batch = accepted.slice(from, from + batchSize);
    await store.db.transaction().execute(async (trx) => {
      for (const one of batch) {
        const { id, kind } = await put(trx, one, options, at);
        result[kind]++;
        result.ids.push(id);
      }
    });
  }
  result.refused.sort((a, b) => a.line - b.line);
  return result;
}

/** The values of a file; lines of JSON Lines that are no JSON are refused one by one. */
function records(text: string, refused: Refused[]): Record_[] {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') throw unreadable('it is empty');
  if (plain.trimStart().startsWith('[')) return array(plain);
  const whole = parsed(plain);
  if (whole.ok) return [{ line: 1, value: whole.value }];
  const found: Record_[] = [];
  for (const [index, line] of plain.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const one = parsed(line.replace(/^\ufeff/, ''));
    if (one.ok) found.push({ line: index + 1, value: one.value });
    else refused.push({ line: index + 1, reason: `the line is no JSON (${one.why})` });
  }
  if (!found.some((one) => typeof one.value === 'object')) throw unreadable('no line of it is a JSON object');
  return found;
}
function array(text: string): Record_[] {
  const whole = parsed(text);
  if (!whole.ok) throw unreadable(`it begins as a JSON array but is none (${whole.why})`);
  if (!Array.isArray(whole.value)) throw unreadable('it is no JSON array');
  return whole.value.map((value: unknown, index) => ({ line: index + 1, value }));
}
function parsed(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }; // checked record by record
  } catch (error) {
    return { ok: false, why: reason(error) };
  }
}
function unreadable(why: string): Failure {
  return new Failure(
    'tickets.unreadable',
    `The tickets file cannot be read: ${why}. Nothing was stored. It must be a JSON array or one JSON object a line.`,
  );
}

function accept(found: Record_[], refused: Refused[]): Accepted[] {
  const accepted = new Map<string, Accepted>();
  for (const { line, value } of found) {
    const read = readRecord(value);
    if (!read.ok) {
      refused.push({ line, ...(read.id === undefined ? {} : { id: read.id }), reason: read.why });
      continue;
    }
    const { id } = read.input;
    const earlier = accepted.get(id);
    if (earlier) refused.push({ line, id, reason: `the id already stands at ${earlier.line}` });
    else accepted.set(id, { line, input: read.input, ...labelOf(value) });
  }
  return [...accepted.values()];
}

async function put(
  trx: Executor,
  { input, record, label }: Accepted,
  options: ImportOptions,
  at: string,
): Promise<{ id: string; kind: 'added' | 'unchanged' | 'updated' }> {
  const write = options.dryRun !== true;
  const stored = await findBySource(trx, options.source, input.id);
  if (!stored) {
    // The same ID may have come from another source already; both are kept.
    const id = (await findTicket(trx, input.id)) ? `${options.source}:${input.id}` : input.id;
    const ticket: Ticket = { ...content(input), id, source: options.source, state: 'open', version: 1 };
    if (write) await insertTicket(trx, ticket, { sourceId: input.id, record, at });
    if (write && label !== null) await setLabel(trx, id, label);
    return { id, kind: 'added' };
  }
  const { ticket } = stored;
  if (stored.record === record && stored.label === label) return { id: ticket.id, kind: 'unchanged' };
  const next: Ticket = { ...ticket, ...content(input) };
  // Drafts and runs are bound to the version: only another text may retire them.
  if (thread(next) !== thread(ticket)) Object.assign(next, { version: ticket.version + 1, state: 'open' });
  if (write) await replaceTicket(trx, next, record);
  if (write && stored.label !== label) await setLabel(trx, ticket.id, label);
  return { id: ticket.id, kind: 'updated' };
}

function content(input: TicketInput): Pick<Ticket, 'customer' | 'subject' | 'body' | 'received_at' | 'channel'> {
  const { customer, subject, body, received_at, channel } = input;
  return { customer: customer ?? null, subject: subject ?? '', body, received_at, channel: channel ?? null };
}
function thread(ticket: Ticket): string {
  return JSON.stringify([ticket.customer, ticket.subject, ticket.body, ticket.received_at]);
}

export type Tickets = ReturnType<typeof createTickets>;

export function createTickets(store: Store, clock: Clock) {
  function importText(text: string, options: ImportOptions): Promise<Imported> {
    return importTickets(store, text, { ...options, clock });
  }
  return {
    importText,
    /** UTF-8, with or without a byte order mark. */
    async importFile(file: string, options: ImportOptions): Promise<Imported> {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
      } catch (error) {
        throw unreadable(`${file}: ${reason(error)}`);
      }
      return importText(text, options);
    },
    /** Oldest first. */
    list: (by: Parameters<typeof listTickets>[1] = {}): Promise<Ticket[]> => listTickets(store.db, by),
    find: (id: string): Promise<Ticket | undefined> => findTicket(store.db, id),
    /** For the score only: never for prompt, host rules or servers. */
    labels: async (): Promise<Map<string, Label>> => new Map([...(await listLabels(store.db))].map(checked)),
  };
}

/** Labels were checked by `readRecord` before they were stored. */
function checked([id, label]: [string, JsonObject]): [string, Label] {
  return [id, label as unknown as Label];
}
