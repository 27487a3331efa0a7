/** SQL of calls, their consents and the chained log. Every change of state goes through `moveCall`, no other way. */
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { callStates, type Call, type CallState, type Consent, type Money, type Origins } from '../../shared/calls.ts';
import type { Json } from '../../shared/json.ts';
import { json, jsonObject, readJson } from './json.ts';
import { dropLooseTexts } from './runs.ts';
import type { CallRow, EventRow, Executor } from './tables.ts';

const origins: z.ZodType<Origins> = z.record(
  z.string(),
  z.object({
    from: z.enum(['ticket.field', 'ticket.text', 'result', 'person', 'model', 'example', 'default', 'view']),
    call: z.number().exactOptional(),
    field: z.string().exactOptional(),
    start: z.number().exactOptional(),
    end: z.number().exactOptional(),
    written: z.string().exactOptional(),
    trust: z.enum(['trusted', 'bound', 'untrusted']),
  }),
);
const money: z.ZodType<Money | null> = z
  .object({ amount: z.string().nullable(), currency: z.string().nullable(), call: z.number().nullable() })
  .nullable();
const callState = z.enum(callStates);
const method = z.enum(['tools/call', 'resources/read', 'prompts/get']);

interface Joined extends Selectable<CallRow> {
  consent_by: string | null;
  consent_answer: string | null;
  consent_ms: number | null;
  consent_scripted: number | null;
  progress_at: string | null;
  progress_done: number | null;
  progress_total: number | null;
  progress_message: string | null;
  task_since: string | null;
  task_every: number | null;
  task_stop_by: string | null;
}

function consentOf(row: Joined): Consent | null {
  if (row.consent_by === null) return null;
  return {
    by: row.consent_by,
    answer: row.consent_answer === 'run' ? 'run' : 'dont',
    ms: row.consent_ms ?? 0,
    scripted: row.consent_scripted === 1,
  };
}

/** A call of before this was kept moves money in doubt: it takes the second key. */
function moneyOf({ money: stored, listed, method: of, id }: Joined): Money | null {
  if (stored !== null) return readJson(money, stored, `money of call ${id}`);
  return listed === 1 || of !== 'tools/call' ? null : { amount: null, currency: null, call: null };
}
function toCall(row: Joined): Call {
  const place = (column: string) => `${column} of call ${row.id}`;
  return {
    id: row.id,
    method: method.parse(row.method),
    run: row.run,
    ticket: row.ticket,
    n: row.n,
    prefix: row.prefix,
    tool: row.tool,
    arguments: readJson(jsonObject, row.arguments, place('arguments')),
    origins: readJson(origins, row.origins, place('origins')),
    hash: row.hash,
    configuration: row.configuration,
    definition: row.definition,
    listed: row.listed === 1,
    state: callState.parse(row.state),
    round: row.round,
    consent: consentOf(row),
    money: moneyOf(row),
    asks: row.asks,
    text: row.text,
    structured: row.structured === null ? null : readJson(json, row.structured, place('result')),
    detail: row.detail,
    ms: row.ms,
    created_at: row.created_at,
    settled_at: row.settled_at,
    ...(row.progress_at !== null && {
      progress: { done: row.progress_done, total: row.progress_total, message: row.progress_message },
    }),
    ...(row.task_since !== null && {
      task: { since: row.task_since, every_ms: row.task_every ?? 0, stop_by: row.task_stop_by },
    }),
  };
}

function select(executor: Executor) {
  return executor
    .selectFrom('calls')
    .leftJoin('consents', 'consents.call', 'calls.id')
    .leftJoin('progress', 'progress.call', 'calls.id')
    .leftJoin('tasks', 'tasks.call', 'calls.id')
    .selectAll('calls')
    .select([
      'consents.by as consent_by',
      'consents.answer as consent_answer',
      'consents.ms as consent_ms',
      'consents.scripted as consent_scripted',
      'progress.at as progress_at',
      'progress.done as progress_done',
      'progress.total as progress_total',
      'progress.message as progress_message',
      'tasks.began_at as task_since',
      'tasks.every_ms as task_every',
      'tasks.stop_by as task_stop_by',
    ]);
}

export async function findCall(executor: Executor, id: string): Promise<Call | undefined> {
  const row = await select(executor).where('calls.id', '=', id).executeTakeFirst();
  return row && toCall(row);
}

/** Oldest first. Only the conditions given apply. */
export async function listCalls(
  executor: Executor,
  by: { states?: CallState[]; run?: string; ticket?: string; tickets?: string[]; tool?: string },
): Promise<Call[]> {
  let query = select(executor).orderBy('calls.order');
  if (by.states) query = query.where('calls.state', 'in', by.states);
  if (by.run !== undefined) query = query.where('calls.run', '=', by.run);
  if (by.ticket !== undefined) query = query.where('calls.ticket', '=', by.ticket);
  if (by.tickets !== undefined) query = query.where('calls.ticket', 'in', by.tickets);
  if (by.tool !== undefined) query = query.where('calls.tool', '=', by.tool);
  return (await query.execute()).map(toCall);
}

/** The call that holds number `n` of a run now: after an edit, the one that replaced it. */
export async function latestCall(executor: Executor, run: string, n: number): Promise<Call | undefined> {
  const row = await select(executor)
    .where('run', '=', run)
    .where('n', '=', n)
    .orderBy('calls.order', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toCall(row);
}

export async function insertCall(executor: Executor, call: Call, by: string): Promise<Call> {
  await executor
    .insertInto('calls')
    .values({
      id: call.id,
      method: call.method,
      run: call.run,
      ticket: call.ticket,
      n: call.n,
      prefix: call.prefix,
      tool: call.tool,
      arguments: JSON.stringify(call.arguments),
      origins: JSON.stringify(call.origins),
      hash: call.hash,
      configuration: call.configuration,
      definition: call.definition,
      listed: call.listed ? 1 : 0,
      state: call.state,
      round: call.round,
      money: JSON.stringify(call.money),
      asks: call.asks,
      text: call.text,
      structured: call.structured === null ? null : JSON.stringify(call.structured),
      detail: call.detail,
      ms: call.ms,
      created_at: call.created_at,
      settled_at: call.settled_at,
    })
    .execute();
  return logged(executor, call.id, null, by, call.created_at);
}

export interface CallChange {
  round?: number;
  text?: string | null;
  structured?: Json | null;
  detail?: string | null;
  ms?: number | null;
  settled_at?: string;
}

/** Moves a call on if it is still in one of `from`, with its row in the log; undefined where it is not. */
export async function moveCall(
  executor: Executor,
  id: string,
  from: CallState,
  to: CallState,
  step: { by: string; at: string; change?: CallChange },
): Promise<Call | undefined> {
  const { structured, ...plain } = step.change ?? {};
  const result = await executor
    .updateTable('calls')
    .set({
      state: to,
      ...plain,
      ...(structured === undefined ? {} : { structured: structured === null ? null : JSON.stringify(structured) }),
    })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) return undefined;
  return logged(executor, id, from, step.by, step.at);
}

export interface ConsentRecord extends Consent {
  call: string;
  hash: string;
  at: string;
}
export async function insertConsent(executor: Executor, consent: ConsentRecord): Promise<void> {
  await executor
    .insertInto('consents')
    .values({ ...consent, scripted: consent.scripted ? 1 : 0, spent_at: null })
    .execute();
}

/** True once per consent: it must say run, be for this hash and be unspent. */
export async function spendConsent(executor: Executor, call: string, hash: string, at: string): Promise<boolean> {
  const result = await executor
    .updateTable('consents')
    .set({ spent_at: at })
    .where('call', '=', call)
    .where('hash', '=', hash)
    .where('answer', '=', 'run')
    .where('spent_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** A consent whose sending surely ran nothing counts again. */
export async function restoreConsent(executor: Executor, call: string, hash: string): Promise<void> {
  await executor
    .updateTable('consents')
    .set({ spent_at: null })
    .where('call', '=', call)
    .where('hash', '=', hash)
    .execute();
}

/** `state` null: the server gave none, so none is sent back. */
export async function saveRequestState(
  executor: Executor,
  call: string,
  round: number,
  state: string | null,
): Promise<void> {
  // JSON-encoded: a TEXT column alone would change half surrogate pairs (spec host §19).
  const encoded = state === null ? null : JSON.stringify(state);
  await executor.insertInto('call_secrets').values({ call, round, request_state: encoded }).execute();
}

/** For the resume of a call and nothing else: no route, log or trace may read it. */
export async function requestStateOf(executor: Executor, call: string, round: number): Promise<string | null> {
  const row = await executor
    .selectFrom('call_secrets')
    .select('request_state')
    .where('call', '=', call)
    .where('round', '=', round)
    .executeTakeFirst();
  return row?.request_state == null ? null : readJson(z.string(), row.request_state, 'state of a question');
}
export async function dropRequestStates(executor: Executor, call: string): Promise<void> {
  await executor.deleteFrom('call_secrets').where('call', '=', call).execute();
}

/** Hash of one row of the log over everything in it but the payload itself, of which it takes the hash. */
function eventHash(event: Omit<EventRow, 'hash' | 'payload'>): string {
  const { seq, call, from_state, to_state, payload_hash, previous_hash, at, by } = event;
  const parts = [seq, call, from_state, to_state, payload_hash, previous_hash, at, by];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
function payloadHash(payload: string): string {
  return createHash('sha256').update(payload).digest('hex');
}

/** What the log holds of a call: all of it but how far it is, and what people answered to its questions. */
async function payloadOf(executor: Executor, stored: Call): Promise<string> {
  const call: Call = { ...stored };
  delete call.progress;
  delete call.task;
  const answers = await executor
    .selectFrom('questions')
    .select(['round', 'key', 'by', 'answer', 'scripted'])
    .where('call', '=', call.id)
    .where('state', '=', 'answered')
    .orderBy('round')
    .orderBy('key')
    .execute();
  return JSON.stringify(answers.length === 0 ? call : { ...call, answers });
}

/** Appends the call, as it is stored now, to the log and returns it. */
export async function logged(
  executor: Executor,
  id: string,
  from: CallState | null,
  by: string,
  at: string,
): Promise<Call> {
  const call = await findCall(executor, id);
  if (!call) throw new Error(`call ${id} vanished inside its own transaction`);
  const head = await executor.selectFrom('chain_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  const payload = await payloadOf(executor, call);
  const event = {
    seq: head.seq + 1,
    call: id,
    from_state: from,
    to_state: call.state,
    payload_hash: payloadHash(payload),
    previous_hash: head.hash,
    at,
    by,
  };
  const hash = eventHash(event);
  await executor
    .insertInto('call_events')
    .values({ ...event, payload, hash })
    .execute();
  await executor.updateTable('chain_head').set({ seq: event.seq, hash }).execute();
  return call;
}

export interface CallEvent {
  seq: number;
  call: string;
  from: CallState | null;
  to: CallState;
  at: string;
  by: string;
}
export async function eventsOf(executor: Executor, call: string): Promise<CallEvent[]> {
  const rows = await executor.selectFrom('call_events').selectAll().where('call', '=', call).orderBy('seq').execute();
  return rows.map((row) => ({
    seq: row.seq,
    call: row.call,
    from: row.from_state === null ? null : callState.parse(row.from_state),
    to: callState.parse(row.to_state),
    at: row.at,
    by: row.by,
  }));
}

/**
 * Takes what settled calls of before `before` held (arguments, answers, messages on the wire, the recording of their
 * run) out of the log and the tables; hashes and steps stay, so the chain still proves itself. Returns how many calls were erased.
 */
export async function erasePayloads(
  executor: Executor,
  before: string,
  step: { by: string; at: string },
): Promise<number> {
  const old = await executor
    .selectFrom('calls')
    .select(['id', 'run'])
    .where('settled_at', '<', before)
    .where('arguments', '!=', erased)
    // A run that waits for a person needs its words to go on.
    .where('run', 'not in', (waiting) =>
      waiting.selectFrom('runs').select('id').where('state', 'in', ['waiting', 'running']),
    )
    .orderBy('order')
    .execute();
  for (const { id, run } of old) {
    // The recording of its run holds the same words.
    await executor.updateTable('runs').set({ turns: '[]', kept: null, tape: null }).where('id', '=', run).execute();
    await executor.deleteFrom('drafts').where('run', '=', run).execute();
    await executor.updateTable('call_events').set({ payload: null }).where('call', '=', id).execute();
    await executor.deleteFrom('wire').where('call', '=', id).execute();
    await executor.deleteFrom('progress').where('call', '=', id).execute();
    await executor.updateTable('questions').set({ request: '{}', answer: null }).where('call', '=', id).execute();
    const call = await executor
      .updateTable('calls')
      .set({ arguments: erased, origins: '{}', text: null, structured: null, detail: 'Erased.' })
      .where('id', '=', id)
      .returning('state')
      .executeTakeFirstOrThrow();
    await logged(executor, id, callState.parse(call.state), step.by, step.at);
  }
  if (old.length > 0) await dropLooseTexts(executor);
  return old.length;
}
/** What stands in the place of erased arguments. */
const erased = JSON.stringify({ erased: true });

/** What is wrong with the log, one sentence each; empty where it is whole (spec trust, invariant 6). */
export async function chainProblems(executor: Executor): Promise<string[]> {
  const problems: string[] = [];
  const last = new Map<string, EventRow>();
  const unread = new Map<string, number[]>();
  const spends = new Set<string>();
  let previous = { seq: 0, hash: '' };
  const events = await executor.selectFrom('call_events').selectAll().orderBy('seq').execute();
  for (const event of events) {
    if (event.seq !== previous.seq + 1) problems.push(`Log rows ${previous.seq + 1} to ${event.seq - 1} are missing.`);
    else if (event.previous_hash !== previous.hash)
      problems.push(`Log row ${event.seq} does not follow the one before.`);
    if (eventHash(event) !== event.hash) problems.push(`Log row ${event.seq} was changed.`);
    if (event.payload === null) unread.set(event.call, [...(unread.get(event.call) ?? []), event.seq]);
    else if (payloadHash(event.payload) !== event.payload_hash)
      problems.push(`What log row ${event.seq} holds was changed.`);
    // Only an erasure that is itself in the log explains rows without their words.
    else if (isErasure(event)) unread.delete(event.call);
    if (event.to_state === 'sending') spends.add(event.call);
    previous = event;
    last.set(event.call, event);
  }
  for (const rows of unread.values())
    problems.push(`What log row ${rows.join(', ')} held is gone, and no erasure says so.`);
  const head = await executor.selectFrom('chain_head').select(['seq', 'hash']).executeTakeFirst();
  if (head?.seq !== previous.seq || head.hash !== previous.hash)
    problems.push(`The log ends at row ${previous.seq}, but ${head?.seq ?? 'no row'} was written last.`);
  const unspent = await executor.selectFrom('consents').select('call').where('spent_at', 'is', null).execute();
  for (const { call } of unspent)
    if (spends.has(call)) problems.push(`The consent of call ${call} was used, but its record says it was not.`);
  for (const call of await listCalls(executor, {})) {
    const event = last.get(call.id);
    if (!event) problems.push(`Call ${call.id} has no row in the log.`);
    else if (!sameAsLogged(await payloadOf(executor, call), event))
      problems.push(`Call ${call.id} differs from log row ${event.seq}.`);
  }
  return problems;
}

function isErasure(event: EventRow): boolean {
  return event.from_state === event.to_state && event.payload?.includes(`"arguments":${erased}`) === true;
}

/** Fields added to calls later are absent from old payloads, so only what the payload has is compared. */
function sameAsLogged(stored: string, event: EventRow): boolean {
  if (event.payload === null) return true; // said above
  try {
    const then = readJson(jsonObject, event.payload, 'log');
    const now = new Map<string, unknown>(Object.entries(readJson(jsonObject, stored, 'call')));
    return Object.entries(then).every(([key, value]) => JSON.stringify(now.get(key)) === JSON.stringify(value));
  } catch {
    return false;
  }
}
