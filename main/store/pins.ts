/** SQL of pins: decisions are only ever added, and what servers offer now is kept beside them. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Definition, Mark, Pin } from '../../shared/pins.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor, PinRow, SeenRow } from './tables.ts';

const marks: z.ZodType<Record<string, Mark>> = z.record(z.string(), z.enum(['prose', 'reference']));
const decision = z.enum(['approved', 'refused']);

function toPin(row: Selectable<PinRow>): Pin {
  return {
    prefix: row.prefix,
    tool: row.tool,
    configuration: row.configuration,
    hash: row.hash,
    raw: readJson(jsonObject, row.raw, `definition of ${row.prefix}.${row.tool}`),
    marks: readJson(marks, row.marks, `marks of ${row.prefix}.${row.tool}`),
    no_side_effects: row.no_side_effects === 1,
    decision: decision.parse(row.decision),
    by: row.by,
    why: row.why,
    at: row.at,
  };
}

/** Every decision on one tool, or on one server, the oldest first. */
export async function pinHistory(executor: Executor, prefix: string, tool?: string): Promise<Pin[]> {
  let query = executor.selectFrom('pins').selectAll().where('prefix', '=', prefix).orderBy('seq');
  if (tool !== undefined) query = query.where('tool', '=', tool);
  return (await query.execute()).map(toPin);
}
/** The decisions in force, by tool. */
export async function latestPins(executor: Executor, prefix: string): Promise<Map<string, Pin>> {
  return new Map((await pinHistory(executor, prefix)).map((pin) => [pin.tool, pin]));
}
export async function insertPin(executor: Executor, pin: Pin): Promise<void> {
  await executor
    .insertInto('pins')
    .values({
      ...pin,
      raw: JSON.stringify(pin.raw),
      marks: JSON.stringify(pin.marks),
      no_side_effects: pin.no_side_effects ? 1 : 0,
    })
    .execute();
}

export interface Seen {
  prefix: string;
  definition: Definition;
  configuration: string;
  at: string;
  removed_at: string | null;
  returned_at: string | null;
}
function toSeen(row: Selectable<SeenRow>): Seen {
  const { prefix, configuration, at, removed_at, returned_at } = row;
  const raw = readJson(jsonObject, row.raw, `definition of ${prefix}.${row.tool}`);
  return {
    prefix,
    definition: { name: row.tool, raw, hash: row.hash, problem: row.problem },
    configuration,
    at,
    removed_at,
    returned_at,
  };
}
/** What a server offered when it was last looked at, removed tools included. */
export async function seenOf(executor: Executor, prefix: string): Promise<Map<string, Seen>> {
  const rows = await executor.selectFrom('pin_seen').selectAll().where('prefix', '=', prefix).execute();
  return new Map(rows.map((row) => [row.tool, toSeen(row)]));
}
export async function saveSeen(executor: Executor, seen: Seen): Promise<void> {
  const { name, raw, hash, problem } = seen.definition;
  const { prefix, configuration, at, removed_at, returned_at } = seen;
  const rest = { configuration, hash, raw: JSON.stringify(raw), problem, at, removed_at, returned_at };
  await executor
    .insertInto('pin_seen')
    .values({ prefix, tool: name, ...rest })
    .onConflict((conflict) => conflict.columns(['prefix', 'tool']).doUpdateSet(rest))
    .execute();
}
/** A decision clears the mark of a tool that came back. */
export async function clearReturned(executor: Executor, prefix: string, tool: string): Promise<void> {
  await executor
    .updateTable('pin_seen')
    .set({ returned_at: null })
    .where('prefix', '=', prefix)
    .where('tool', '=', tool)
    .execute();
}
