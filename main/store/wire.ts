/** SQL of the messages of each call as they stood on the wire, redacted before they get here (spec host §24). */
import { z } from 'zod';
import type { WireMessage } from '../../shared/calls.ts';
import type { Executor } from './tables.ts';

const direction = z.enum(['in', 'out']);

export async function insertWire(executor: Executor, call: string, message: WireMessage): Promise<void> {
  await executor
    .insertInto('wire')
    .values({ call, ...message })
    .execute();
}
/** In the order they went. */
export async function wireOf(executor: Executor, call: string): Promise<WireMessage[]> {
  const rows = await executor.selectFrom('wire').selectAll().where('call', '=', call).orderBy('seq').execute();
  return rows.map((row) => ({
    round: row.round,
    direction: direction.parse(row.direction),
    text: row.text,
    at: row.at,
  }));
}
/** Traces are kept for a time only (spec trust, invariant 6). `before` is ISO 8601. */
export async function dropWire(executor: Executor, before: string): Promise<void> {
  await executor.deleteFrom('wire').where('at', '<', before).execute();
}
