/** SQL of people: who may act. What their passphrases became stays in here and in `main/people.ts`. */
import { z } from 'zod';
import type { Person, Role } from '../../shared/people.ts';
import type { Executor } from './tables.ts';

const role = z.enum(['staff', 'lead', 'admin']);

export interface StoredPerson extends Person {
  /** What the passphrase became (`main/passphrase.ts`); null for who has none. */
  secret: string | null;
}

export async function listStoredPeople(executor: Executor): Promise<StoredPerson[]> {
  const rows = await executor.selectFrom('people').select(['id', 'name', 'role', 'secret']).orderBy('id').execute();
  return rows.map((row) => ({ ...row, role: role.parse(row.role) }));
}
export async function listPeople(executor: Executor): Promise<Person[]> {
  return (await listStoredPeople(executor)).map(({ id, name, role: is }) => ({ id, name, role: is }));
}
/** A person's name; the ID where there is none of it. */
export async function nameOf(executor: Executor, id: string): Promise<string> {
  return (await listPeople(executor)).find((person) => person.id === id)?.name ?? id;
}
/** False where the ID is taken; nothing is changed then. */
export async function addPerson(executor: Executor, person: StoredPerson, at: string): Promise<boolean> {
  const result = await executor
    .insertInto('people')
    .values({ ...person, at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
export async function changePerson(
  executor: Executor,
  id: string,
  change: { role?: Role; name?: string; secret?: string },
): Promise<void> {
  await executor.updateTable('people').set(change).where('id', '=', id).execute();
}
