/** SQL of queue runs: the ticket runs that were worked in one go. */
import { sql } from 'kysely';
import type { Executor } from './tables.ts';

export interface BatchTicket {
  batch: string;
  ticket: string;
  state: string;
  model: string;
  started_at: string;
  ended_at: string | null;
  ms: number | null;
  /** The first tool called, with its prefix. */
  tool: string | null;
  cores: number | null;
}

/** The ticket runs of the newest queue runs, oldest first; without the bulk of their turns. */
export async function listBatches(executor: Executor, most: number): Promise<BatchTicket[]> {
  const newest = await executor
    .selectFrom('runs')
    .select(({ fn }) => ['batch', fn.min('started_at').as('begun')])
    .where('batch', 'is not', null)
    .groupBy('batch')
    .orderBy('begun', 'desc')
    .limit(most)
    .execute();
  const names = newest.flatMap(({ batch }) => (batch === null ? [] : [batch]));
  if (names.length === 0) return [];
  const rows = await executor
    .selectFrom('runs')
    .leftJoin('calls', (join) => join.onRef('calls.run', '=', 'runs.id').on('calls.n', '=', 1))
    .select([
      'runs.batch',
      'runs.ticket',
      'runs.state',
      'runs.model',
      'runs.started_at',
      'runs.ended_at',
      'runs.ms',
      'calls.tool',
    ])
    .select(sql<number | null>`json_extract(runs.settings, '$.cores')`.as('cores'))
    .where('runs.batch', 'in', names)
    .orderBy('runs.started_at')
    .orderBy('runs.id')
    .execute();
  return rows.flatMap(({ batch, ...row }) => (batch === null ? [] : [{ ...row, batch }]));
}
