// What goes out of the desk: tickets with their threads, the call log, runs; as JSON or as tables for spreadsheets. Only what
// views see too: no secret, no state of a question and no recording is read here (spec trust, invariant 9).
import type { Call } from '../shared/calls.ts';
import type { ParamsOf, ValueOf } from '../shared/contract.ts';
import { textOf } from '../shared/json.ts';
import { priorities } from '../shared/queue.ts';
import type { Draft } from '../shared/runs.ts';
import { csvBegin, csvLine, type Cell } from './csv.ts';
import { callsAfter, runsAfter, ticketsAfter, type TicketOut } from './store/exporting.ts';
import { findCall } from './store/calls.ts';
import { messagesOf } from './store/messages.ts';
import type { Executor, Store } from './store/open.ts';
import { draftsOf, findRun, type StoredRun } from './store/runs.ts';

type What = ParamsOf<'exports.part'>['what'];
/** Rows of one part. */
const most = 500;

interface Row {
  /** Where the next part begins. */
  id: string;
  json: object;
  cells: Record<string, Cell>;
}
interface Source {
  rows: (executor: Executor, after: string, limit: number) => Promise<Row[]>;
  columns: string[];
}

/** One part; its text and those of the other parts, in order, are the file. */
export async function exportPart(
  { db }: Store,
  { what, format, after }: ParamsOf<'exports.part'>,
): Promise<ValueOf<'exports.part'>> {
  const { rows: read, columns } = sources[what];
  const found = await read(db, after ?? '', most + 1);
  const rows = found.slice(0, most);
  const next = found.length > most ? (rows.at(-1)?.id ?? null) : null;
  const name = `${what}.${format}`;
  if (format === 'csv') {
    const head = after === null ? csvBegin + csvLine(columns) : '';
    const lines = rows.map(({ cells }) => csvLine(columns.map((column) => cells[column] ?? null)));
    return { name, text: head + lines.join(''), rows: rows.length, next };
  }
  const texts = rows.map(({ json }) => `  ${JSON.stringify(json)}`).join(',\n');
  const begin = after === null ? '[\n' : '';
  return { name, text: `${begin}${texts}${next === null ? '\n]\n' : ',\n'}`, rows: rows.length, next };
}

const sources: Record<What, Source> = {
  tickets: {
    columns: [
      'id',
      'customer',
      'customer_name',
      'subject',
      'body',
      'received_at',
      'channel',
      'status',
      'state',
      'owner',
      'priority',
      'thread',
      'source',
      'source_id',
    ],
    async rows(db, after, limit) {
      const rows: Row[] = [];
      for (const ticket of await ticketsAfter(db, after, limit)) rows.push(await ticketRow(db, ticket));
      return rows;
    },
  },
  calls: {
    columns: [
      'id',
      'ticket',
      'run',
      'n',
      'server',
      'tool',
      'method',
      'arguments',
      'origins',
      'state',
      'consent_by',
      'consent_answer',
      'consent_ms',
      'consent_scripted',
      'created_at',
      'settled_at',
      'ms',
      'text',
      'structured',
      'detail',
    ],
    async rows(db, after, limit) {
      const rows: Row[] = [];
      for (const id of await callsAfter(db, after, limit)) {
        const call = await findCall(db, id);
        if (call !== undefined) rows.push(callRow(call));
      }
      return rows;
    },
  },
  runs: {
    columns: [
      'id',
      'batch',
      'ticket',
      'state',
      'why',
      'ask',
      'model',
      'started_at',
      'ended_at',
      'ms',
      'turns',
      'calls',
      'draft',
      'blocked',
      'claims',
      'unbacked',
    ],
    async rows(db, after, limit) {
      const ids = await runsAfter(db, after, limit);
      const drafts = await draftsOf(db, ids);
      const rows: Row[] = [];
      for (const id of ids) {
        const run = await findRun(db, id);
        if (run !== undefined) rows.push(runRow(run, drafts.get(id) ?? null));
      }
      return rows;
    },
  },
};

/** As a file of ours is read again: without the ticket's ID before those of its messages. */
async function ticketRow(db: Executor, ticket: TicketOut): Promise<Row> {
  const prefix = `${ticket.id}/`;
  const messages = (await messagesOf(db, ticket.id)).map(({ id, kind, body, by, at }) => ({
    id: id.startsWith(prefix) ? id.slice(prefix.length) : id,
    kind,
    body,
    by,
    at,
  }));
  const { subject, body, priority, machine, ...rest } = ticket;
  const words = { subject, body, priority: priorities[priority] ?? 'normal', machine: machine === 1 };
  const thread = messages.map(({ kind, by, at, body: text }) => `${kind}${by === null ? '' : ` ${by}`} ${at}\n${text}`);
  return {
    id: ticket.id,
    json: { ...rest, ...words, messages },
    cells: { ...rest, ...words, thread: thread.join('\n\n') },
  };
}

function callRow(call: Call): Row {
  const { arguments: args, origins, structured, consent, prefix, ...rest } = call;
  const { id, ticket, run, n, tool, method, state, created_at, settled_at, ms, text, detail } = rest;
  return {
    id,
    json: call,
    cells: {
      ...{ id, ticket, run, n, tool, method, state, created_at, settled_at, ms, text, detail },
      server: prefix,
      arguments: JSON.stringify(args),
      origins: JSON.stringify(origins),
      structured: structured === null ? null : textOf(structured),
      consent_by: consent?.by ?? null,
      consent_answer: consent?.answer ?? null,
      consent_ms: consent?.ms ?? null,
      consent_scripted: consent?.scripted ?? null,
    },
  };
}

function runRow(run: StoredRun, draft: Draft | null): Row {
  const { id, batch, ticket, state, why, ask, model, started_at, ended_at, ms, turns } = run;
  const claims = draft?.claims ?? [];
  return {
    id,
    json: { ...run, draft },
    cells: {
      ...{ id, batch, ticket, state, why, ask, model, started_at, ended_at, ms },
      turns: turns.length,
      calls: turns.filter(({ call }) => call !== undefined).length,
      draft: draft?.text ?? null,
      blocked: draft?.blocked ?? null,
      claims: claims.length,
      unbacked: claims.filter(({ verdict }) => verdict !== 'backed' && verdict !== 'reported').length,
    },
  };
}
