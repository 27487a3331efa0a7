/** SQL of settings, each a JSON value under its name. */
import type { Json } from '../../shared/json.ts';
import { json, readJson } from './json.ts';
import type { Executor } from './tables.ts';

/** Undefined where it was never set. */
export async function readSetting(executor: Executor, key: string): Promise<Json | undefined> {
  const row = await executor.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row && readJson(json, row.value, `setting ${key}`);
}
/** `at` is ISO 8601 UTC. */
export async function saveSetting(executor: Executor, key: string, value: Json, at: string): Promise<void> {
  const row = { value: JSON.stringify(value), at };
  await executor
    .insertInto('settings')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}
