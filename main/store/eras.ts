/** SQL of cached protocol eras, one per server configuration (spec host §2). */
import type { JsonObject } from '../../shared/json.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor } from './tables.ts';

/** Key and value of every era. */
export async function listEras(executor: Executor): Promise<[string, JsonObject][]> {
  const rows = await executor.selectFrom('eras').select(['key', 'value']).execute();
  return rows.map((row) => [row.key, readJson(jsonObject, row.value, 'era of a server')]);
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
