// Read tickets into the database: idempotent by the ID at the source, at most 200 rows a transaction, an older copy never over
// a newer one. What people did here since stays; what is new at the source comes.
import { setImmediate as others } from 'node:timers/promises';
import type { ImportKind } from '../../shared/imports.ts';
import type { Imported, Ticket } from '../../shared/tickets.ts';
import { rankOf, changeRow, findRow, type RowChange } from '../store/queue.ts';
import { insertMail } from '../store/mails.ts';
import { insertMessage, messagesOf } from '../store/messages.ts';
import type { Executor, Store } from '../store/open.ts';
import {
  findBySource,
  findTicket,
  insertTicket,
  replaceTicket,
  setLabel,
  usedIds,
  type StoredRecord,
} from '../store/tickets.ts';
import { readAgain, type Incoming } from './readImport.ts';
import { putMails } from './putMails.ts';
import type { ReadMessage, ReadTicket } from './record.ts';
import { onlyThanks } from './thanks.ts';

/** Rows a transaction holds at most, so that nothing else waits long. */
const batchSize = 200;

export interface PutOptions {
  kind: ImportKind;
  source: Ticket['source'];
  /** Person ID; `host` for the sample company's own. */
  by: string;
  /** ISO 8601 UTC. */
  at: string;
  /** Counts and names what would happen, and stores nothing. */
  dryRun: boolean;
  signal?: AbortSignal;
  /** Ends it without a failure: what is in stays, and is counted. */
  stop?: AbortSignal | undefined;
  /** Told after every batch how many are through. */
  progress?: ((done: number) => void) | undefined;
}
/** What is here already of a batch. */
interface Here {
  stored: Map<string, StoredRecord>;
  /** IDs of the desk that are used. */
  used: Set<string>;
}
type Put = { id: string; kind: 'added' | 'unchanged' | 'updated' };

/** What was stored before an abort stays. */
export async function putTickets(
  store: Store,
  incoming: Incoming[],
  options: PutOptions,
): Promise<Omit<Imported, 'refused'>> {
  const result = { added: 0, unchanged: 0, updated: 0, ids: [] as string[] };
  for (const batch of batches(incoming)) {
    options.signal?.throwIfAborted();
    if (options.stop?.aborted === true) break;
    const done = await store.db.transaction().execute(async (trx) => {
      const all: Put[] = [];
      const here = {
        stored: await findBySource(
          trx,
          options.source,
          batch.map(({ ticket }) => ticket.source_id),
        ),
        used: await usedIds(
          trx,
          batch.map(({ ticket }) => ticket.id),
        ),
      };
      for (const one of batch) all.push(await put(trx, one, here, options));
      return all;
    });
    for (const { id, kind } of done) {
      result[kind]++;
      result.ids.push(id);
    }
    options.progress?.(result.ids.length);
    // The driver works in this thread: between batches it is everybody else's turn.
    await others();
  }
  return result;
}

function* batches(incoming: Incoming[]): Generator<Incoming[]> {
  let batch: Incoming[] = [];
  let rows = 0;
  for (const one of incoming) {
    const more = 1 + one.ticket.messages.length;
    if (batch.length > 0 && rows + more > batchSize) {
      yield batch;
      [batch, rows] = [[], 0];
    }
    batch.push(one);
    rows += more;
  }
  if (batch.length > 0) yield batch;
}

async function put(trx: Executor, one: Incoming, here: Here, options: PutOptions): Promise<Put> {
  const goesOn =
    one.mails === undefined
      ? null
      : await putMails(trx, one.mails, one.answers ?? [], {
          ...options,
          goOn: (ticket, messages) => goOn(trx, ticket, messages, options.by),
        });
  if (goesOn !== null) return goesOn;
  const stored = here.stored.get(one.ticket.source_id);
  return stored === undefined ? add(trx, one, here.used, options) : update(trx, stored, one, options);
}

async function add(trx: Executor, one: Incoming, used: Set<string>, options: PutOptions): Promise<Put> {
  const { ticket: read, record, label, mails = [] } = one;
  const id = used.has(read.id) ? await otherId(trx, read, options) : read.id;
  used.add(id);
  if (options.dryRun) return { id, kind: 'added' };
  const ticket: Ticket = { ...content(read), id, source: options.source, state: 'open', version: 1 };
  await insertTicket(trx, ticket, { sourceId: read.source_id, record, at: options.at });
  for (const message of read.messages) await insert(trx, id, message);
  for (const { id: mail, bytes } of mails)
    await insertMail(trx, { id: mail, ticket: id, original: bytes, at: options.at });
  if (label !== null) await setLabel(trx, id, label);
  const priority = rankOf(read.priority);
  await changed(trx, id, options.by, {
    ...(read.done ? { status: 'done' as const } : {}),
    ...(read.priority === 'normal' ? {} : { priority }),
  });
  return { id, kind: 'added' };
}

/** The same ID may have come from another source already; both are kept. */
async function otherId(trx: Executor, { id, source_id }: ReadTicket, { source, kind }: PutOptions): Promise<string> {
  const named = `${kind === 'zendesk' || kind === 'chatwoot' ? kind : source}:${id}`;
  return (await findTicket(trx, named)) === undefined ? named : `${source}:${source_id}`;
}

async function update(trx: Executor, stored: StoredRecord, one: Incoming, options: PutOptions): Promise<Put> {
  const { ticket } = stored;
  const { ticket: read, record, label } = one;
  const unchanged: Put = { id: ticket.id, kind: 'unchanged' };
  if (stored.record === record && stored.label === label) return unchanged;
  const before = readAgain(options.kind, stored.record);
  if (before?.updated_at != null && read.updated_at !== null && read.updated_at < before.updated_at) return unchanged;
  if (options.dryRun) return { id: ticket.id, kind: 'updated' };
  const there = new Set((await messagesOf(trx, ticket.id)).map(({ id }) => id));
  const fresh = read.messages.filter(({ id }) => !there.has(id) && !there.has(messageId(ticket.id, id)));
  const next: Ticket = { ...ticket, ...content(read) };
  await goOn(trx, next, fresh, options.by);
  // Drafts and runs are bound to the version: only another thread may retire them.
  if (fresh.length > 0 || thread(next) !== thread(ticket))
    Object.assign(next, { version: ticket.version + 1, state: 'open' });
  await replaceTicket(trx, next, record);
  if (stored.label !== label) await setLabel(trx, ticket.id, label);
  // A status that did not change at the source leaves the one of here alone.
  if (before !== null && before.done !== read.done)
    await changed(trx, ticket.id, options.by, { status: read.done ? 'done' : 'open' });
  return { id: ticket.id, kind: 'updated' };
}

/** New messages of a thread; a thing done is opened by none that only thanks, and by no machine. */
async function goOn(trx: Executor, ticket: Ticket, fresh: ReadMessage[], by: string): Promise<void> {
  const before = (await findRow(trx, ticket.id))?.row;
  for (const message of fresh) await insert(trx, ticket.id, message);
  const opens = ({ kind, machine, body }: ReadMessage): boolean =>
    kind === 'customer' && machine !== true && !onlyThanks(body, ticket.customer_name);
  if (before?.status !== 'done' || fresh.some(opens)) return;
  await changed(trx, ticket.id, by, { status: 'done' });
}
async function changed(trx: Executor, id: string, by: string, change: RowChange): Promise<void> {
  const found = Object.keys(change).length === 0 ? undefined : await findRow(trx, id);
  if (found !== undefined) await changeRow(trx, { id, edition: found.row.edition, by }, change);
}

async function insert(trx: Executor, ticket: string, { id, kind, body, at }: ReadMessage): Promise<void> {
  // Who wrote it at the source is nobody of this desk.
  await insertMessage(trx, ticket, { kind, body, at, id: messageId(ticket, id), by: null, difference: null });
}
/** IDs of messages are one desk's; those of a source only one ticket's. */
function messageId(ticket: string, id: string): string {
  return `${ticket}/${id}`;
}

type Content = Pick<Ticket, 'customer' | 'customer_name' | 'machine' | 'subject' | 'body' | 'received_at' | 'channel'>;
function content(read: ReadTicket): Content {
  const { customer, customer_name, machine, subject, body, received_at, channel } = read;
  return { customer, customer_name, machine, subject, body, received_at, channel };
}
function thread(ticket: Ticket): string {
  return JSON.stringify([ticket.customer, ticket.subject, ticket.body, ticket.received_at]);
}
