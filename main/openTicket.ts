// A ticket opened: its thread, what would be sent, the model's last run, and what its own calls say of customer and orders.
import { isObject, type Json } from '../shared/json.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { CustomerFact, OpenTicket, RunOfTicket, ThreadMessage } from '../shared/queue.ts';
import { attachmentsOf } from './attachments.ts';
import { recordsIn } from './customerRecords.ts';
import { documentsOf } from './documents.ts';
import { draftNow } from './drafts.ts';
import { handlesOf } from './draft.ts';
import { unknown } from './queue.ts';
import { listCalls } from './store/calls.ts';
import { messagesOf } from './store/messages.ts';
import type { Store } from './store/open.ts';
import { findRow, rowsOfCustomer } from './store/queue.ts';
import { latestRun } from './store/runs.ts';
import { findTicket } from './store/tickets.ts';

const mostFacts = 40;
const mostEarlier = 20;

/** Failure `tickets.unknown`. */
export async function openTicket(deps: { store: Store; playbook: Playbook }, id: string): Promise<OpenTicket> {
  const { db } = deps.store;
  const ticket = await findTicket(db, id);
  const stored = await findRow(db, id);
  if (ticket === undefined || stored === undefined) throw unknown(id);
  const first: ThreadMessage = {
    id: 'first',
    kind: 'customer',
    body: ticket.body,
    by: null,
    at: ticket.received_at,
    difference: null,
  };
  const run = await latestRun(db, id);
  const earlier =
    ticket.customer === null ? { rows: [], count: 0 } : await rowsOfCustomer(db, ticket.customer, id, mostEarlier);
  const about = { states: ['result' as const], tickets: [id, ...earlier.rows.map((row) => row.id)] };
  const calls = (await listCalls(db, about)).filter((call) => call.method === 'tools/call');
  const records = recordsIn(calls, deps.playbook.currency);
  return {
    ...ticket,
    row: stored.row,
    thread: [first, ...(await messagesOf(db, id))],
    draft: await draftNow(db, id),
    run: run === undefined ? null : shown(run),
    attached: await attachmentsOf(db, id),
    facts: run === undefined ? [] : await factsOf(deps, run.id),
    records: records.filter((one) => one.kind === 'refund' || one.ticket === id),
    earlier,
  };
}

function shown(run: NonNullable<Awaited<ReturnType<typeof latestRun>>>): RunOfTicket {
  const { id, state, why, ask, model, ticket_version: version, turns, started_at, ms } = run;
  return { id, state, why, ask, model, version, turns, attached: documentsOf(run.settings), started_at, ms };
}

/** The single values of what the run's calls returned, without what a customer must never see. */
async function factsOf(
  { store, playbook }: { store: Store; playbook: Playbook },
  run: string,
): Promise<CustomerFact[]> {
  const calls = (await listCalls(store.db, { run, states: ['result'] })).filter((call) => call.structured !== null);
  const hidden = new Set(handlesOf(playbook, calls));
  const facts: CustomerFact[] = [];
  for (const { n: call, tool, structured } of calls)
    for (const [field, value] of scalars(structured, ''))
      if (!hidden.has(value)) facts.push({ call, tool, field, value });
  return facts.slice(0, mostFacts);
}

/** Members of records in records; lists are left out, they are in the call itself. */
function scalars(value: Json, pointer: string): [string, string][] {
  if (Array.isArray(value) || value === null) return [];
  if (!isObject(value)) return [[pointer, String(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    scalars(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
