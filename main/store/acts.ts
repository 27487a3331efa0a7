/** SQL of who did what, for changes that have no log of their own. */
import type { Act } from '../../shared/people.ts';
import type { Executor } from './tables.ts';

export async function insertAct(executor: Executor, act: Omit<Act, 'seq'>): Promise<void> {
  await executor.insertInto('acts').values(act).execute();
}
/** Newest first; those before `before`. */
export async function listActs(executor: Executor, before: number | null, limit: number): Promise<Act[]> {
  let query = executor.selectFrom('acts').selectAll().orderBy('seq', 'desc').limit(limit);
  if (before !== null) query = query.where('seq', '<', before);
  return query.execute();
}
