/** SQL of ticket runs, their drafts, and the texts they share by hash. */
import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Claim, Draft, Turn } from '../../shared/runs.ts';
import { sha256 } from '../mcp/canonical.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, Tables } from './tables.ts';

const runState = z.enum(['running', 'ready', 'waiting', 'handed over', 'failed', 'stale']);
type StoredRunState = z.infer<typeof runState>;
/** Turns and claims are written by this program only, so their outline is checked and no more. */
const turns = z.array(z.custom<Turn>((value) => jsonObject.safeParse(value).success));
const claims = z.array(z.custom<Claim>((value) => jsonObject.safeParse(value).success));

export interface StoredRun {
  id: string;
  /** The queue run it belongs to, as the run file names it. */
  batch: string | null;
  ticket: string;
  ticket_version: number;
  state: StoredRunState;
  why: string | null;
  ask: string | null;
  model: string;
  /** Hash of the playbook's text. */
  playbook: string | null;
  settings: JsonObject;
  turns: Turn[];
  started_at: string;
  ended_at: string | null;
  ms: number | null;
}

/** All but the bulk a run keeps for going on and for replay. */
const columns = [
  'id',
  'batch',
  'ticket',
  'ticket_version',
  'state',
  'why',
  'ask',
  'model',
  'playbook',
  'settings',
  'turns',
  'started_at',
  'ended_at',
  'ms',
] as const;

function toRun(row: Pick<Selectable<Tables['runs']>, (typeof columns)[number]>): StoredRun {
  return {
    ...row,
    state: runState.parse(row.state),
    settings: readJson(jsonObject, row.settings, `settings of run ${row.id}`),
    turns: readJson(turns, row.turns, `turns of run ${row.id}`),
  };
}

export async function insertRun(executor: Executor, run: StoredRun): Promise<void> {
  await executor
    .insertInto('runs')
    .values({ ...run, settings: JSON.stringify(run.settings), turns: JSON.stringify(run.turns) })
    .execute();
}
export async function updateRun(
  executor: Executor,
  id: string,
  change: Partial<Pick<StoredRun, 'state' | 'why' | 'ask' | 'turns' | 'ended_at' | 'ms'>>,
): Promise<void> {
  const { turns: all, ...rest } = change;
  await executor
    .updateTable('runs')
    .set({ ...rest, ...(all ? { turns: JSON.stringify(all) } : {}) })
    .where('id', '=', id)
    .execute();
}
/** Plain JSON of what a waiting run needs to go on; undefined where nothing is kept. */
export async function keptOf(executor: Executor, id: string): Promise<Json | undefined> {
  const row = await executor.selectFrom('runs').select('kept').where('id', '=', id).executeTakeFirst();
  return row?.kept == null ? undefined : readJson(z.json(), row.kept, `kept state of run ${id}`);
}
export async function saveKept(executor: Executor, id: string, kept: Json): Promise<void> {
  await executor
    .updateTable('runs')
    .set({ kept: JSON.stringify(kept) })
    .where('id', '=', id)
    .execute();
}
/** Plain JSON of what a run's model was asked and answered; undefined where nothing is kept. */
export async function tapeOf(executor: Executor, id: string): Promise<Json | undefined> {
  const row = await executor.selectFrom('runs').select('tape').where('id', '=', id).executeTakeFirst();
  return row?.tape == null ? undefined : readJson(z.json(), row.tape, `tape of run ${id}`);
}
export async function saveTape(executor: Executor, id: string, tape: Json): Promise<void> {
  await executor
    .updateTable('runs')
    .set({ tape: JSON.stringify(tape) })
    .where('id', '=', id)
    .execute();
}
export async function findRun(executor: Executor, id: string): Promise<StoredRun | undefined> {
  const row = await executor.selectFrom('runs').select(columns).where('id', '=', id).executeTakeFirst();
  return row && toRun(row);
}
/** The last that began over a ticket. */
export async function latestRun(executor: Executor, ticket: string): Promise<StoredRun | undefined> {
  const row = await executor
    .selectFrom('runs')
    .select(columns)
    .where('ticket', '=', ticket)
    .orderBy('started_at', 'desc')
    .orderBy(sql`rowid`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toRun(row);
}
/** Oldest first. */
export async function listRuns(
  executor: Executor,
  by: { batch?: string; ticket?: string; state?: StoredRunState },
): Promise<StoredRun[]> {
  let query = executor.selectFrom('runs').select(columns).orderBy('started_at').orderBy('id');
  if (by.batch !== undefined) query = query.where('batch', '=', by.batch);
  if (by.ticket !== undefined) query = query.where('ticket', '=', by.ticket);
  if (by.state) query = query.where('state', '=', by.state);
  return (await query.execute()).map(toRun);
}

/** Recordings are kept for a time only (spec trust, invariant 6): of runs that began before, the bulk goes. */
export async function dropRecordings(executor: Executor, before: string): Promise<void> {
  await executor
    .updateTable('runs')
    .set({ kept: null, tape: null })
    .where('started_at', '<', before)
    .where('state', 'not in', ['running', 'waiting'])
    .execute();
}

/** Stores a text once and returns its SHA-256. Half surrogate pairs become U+FFFD, in the hash as in the text. */
export async function saveText(executor: Executor, text: string): Promise<string> {
  const kept = text.toWellFormed();
  const hash = sha256(kept);
  await executor
    .insertInto('texts')
    .values({ hash, text: kept })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return hash;
}
export async function readText(executor: Executor, hash: string): Promise<string | undefined> {
  const row = await executor.selectFrom('texts').select('text').where('hash', '=', hash).executeTakeFirst();
  return row?.text;
}

export interface StoredDraft extends Draft {
  run: string;
  ticket: string;
  ticket_version: number;
  at: string;
}
export async function saveDraft(executor: Executor, draft: StoredDraft): Promise<void> {
  const values = { ...draft, claims: JSON.stringify(draft.claims), blocked: draft.blocked ? 1 : 0 };
  await executor
    .insertInto('drafts')
    .values(values)
    .onConflict((conflict) => conflict.column('run').doUpdateSet(values))
    .execute();
}
function toDraft(row: Selectable<Tables['drafts']>): StoredDraft {
  return { ...row, claims: readJson(claims, row.claims, `claims of ${row.run}`), blocked: row.blocked === 1 };
}
/** The newest draft of a ticket, of whatever version of its thread. */
export async function latestDraft(executor: Executor, ticket: string): Promise<StoredDraft | undefined> {
  const row = await executor
    .selectFrom('drafts')
    .selectAll()
    .where('ticket', '=', ticket)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toDraft(row);
}
/** The draft a run ended with. */
export async function draftOfRun(executor: Executor, run: string): Promise<StoredDraft | undefined> {
  const row = await executor.selectFrom('drafts').selectAll().where('run', '=', run).executeTakeFirst();
  return row && toDraft(row);
}
/** The draft each run ended with, by run. */
export async function draftsOf(executor: Executor, runs: string[]): Promise<Map<string, Draft>> {
  const rows = await executor
    .selectFrom('drafts')
    .select(['run', 'text', 'claims', 'blocked', 'skeleton'])
    .where('run', 'in', runs)
    .execute();
  return new Map(
    rows.map(({ run, ...row }) => [
      run,
      { ...row, claims: readJson(claims, row.claims, `claims of ${run}`), blocked: row.blocked === 1 },
    ]),
  );
}

/** Texts that no run and no setting points at any more. A run whose recording is gone keeps the sums of its documents only. */
export async function dropLooseTexts(executor: Executor): Promise<void> {
  const used = new Set<string>();
  const note = (text: string | null): void => {
    for (const [hash] of (text ?? '').matchAll(/[0-9a-f]{64}/g)) used.add(hash);
  };
  for (const { kept, tape, settings } of await executor
    .selectFrom('runs')
    .select(['kept', 'tape', 'settings'])
    .execute())
    for (const text of kept === null && tape === null ? [] : [kept, tape, settings]) note(text);
  for (const { value } of await executor.selectFrom('settings').select('value').execute()) note(value);
  for (const { hash } of await executor.selectFrom('texts').select('hash').execute())
    if (!used.has(hash)) await executor.deleteFrom('texts').where('hash', '=', hash).execute();
}
