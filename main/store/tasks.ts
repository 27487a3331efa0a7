/**
 * SQL of calls that run as tasks, and of how far calls are (spec host §22). A handle is as secret as a request state: no
 * route, export, log or trace reads it.
 */
import { z } from 'zod';
import type { CallProgress } from '../../shared/calls.ts';
import { readJson } from './json.ts';
import type { Executor } from './tables.ts';

export interface Task {
  call: string;
  handle: string;
  began_at: string;
  ends_at: string;
  every_ms: number;
  stop_by: string | null;
}

/** False where the call is not on its way any more: what ended it stands. */
export async function insertTask(executor: Executor, { handle, ...task }: Task): Promise<boolean> {
  const call = await executor.selectFrom('calls').select('state').where('id', '=', task.call).executeTakeFirst();
  if (call?.state !== 'sending') return false;
  // JSON-encoded: a TEXT column alone would change half surrogate pairs.
  await executor
    .insertInto('tasks')
    .values({ ...task, handle: JSON.stringify(handle) })
    .execute();
  return true;
}
export async function findTask(executor: Executor, call: string): Promise<Task | undefined> {
  const row = await executor.selectFrom('tasks').selectAll().where('call', '=', call).executeTakeFirst();
  return row && { ...row, handle: readJson(z.string(), row.handle, 'handle of a task') };
}
/** Calls with a task, the oldest first. */
export async function callsWithTasks(executor: Executor): Promise<string[]> {
  const rows = await executor.selectFrom('tasks').select('call').orderBy('began_at').orderBy('call').execute();
  return rows.map(({ call }) => call);
}
export async function updateTask(
  executor: Executor,
  call: string,
  change: Partial<Pick<Task, 'every_ms' | 'stop_by'>>,
): Promise<void> {
  await executor.updateTable('tasks').set(change).where('call', '=', call).execute();
}
export async function dropTask(executor: Executor, call: string): Promise<void> {
  await executor.deleteFrom('tasks').where('call', '=', call).execute();
}

/** Takes the place of what was said before. */
export async function saveProgress(
  executor: Executor,
  call: string,
  progress: CallProgress,
  at: string,
): Promise<void> {
  await executor
    .insertInto('progress')
    .values({ call, ...progress, at })
    .onConflict((known) => known.column('call').doUpdateSet({ ...progress, at }))
    .execute();
}
