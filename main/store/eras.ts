/** SQL of cached protocol eras, one per server configuration (spec host §2). */
import type { JsonObject } from '../../shared/json.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor } from './tables.ts';

export async function findEra(executor: Executor, key: string): Promise<JsonObject | undefined> {
  const row = await executor.selectFrom('eras').select('value').where('key', '=', key).executeTakeFirst();
  return row && readJson(jsonObject, row.value, 'era of a server');
}
/** `at` is ISO 8601 UTC. */
export async function saveEra(executor: Executor, key: string, value: JsonObject, at: string): Promise<void> {
  const row = { value: JSON.stringify(value), at };
  await executor
    .insertInto('eras')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}
export async function dropEra(executor: Executor, key: string): Promise<void> {
  await executor.deleteFrom('eras').where('key', '=', key).execute();
}
