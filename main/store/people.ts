/** SQL of people: who may sign in and act. */
import { z } from 'zod';
import type { Person } from '../../shared/people.ts';
import type { Executor } from './tables.ts';

const role = z.enum(['staff', 'lead', 'admin']);

export async function listPeople(executor: Executor): Promise<Person[]> {
  const rows = await executor.selectFrom('people').select(['id', 'name', 'role']).orderBy('id').execute();
  return rows.map((row) => ({ ...row, role: role.parse(row.role) }));
}
/** Adds or changes a person; a sign-in secret already there stays. */
export async function savePerson(executor: Executor, person: Person, at: string): Promise<void> {
  await executor
    .insertInto('people')
    .values({ ...person, secret: null, at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: person.name, role: person.role }))
    .execute();
}
