// Who acts: signing in, people and their roles (spec host §25). A session belongs to one connection; it ends with it, and
// with another passphrase. The sample company's people act without a secret until an admin gives them one.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { Me, Person, PersonRow, Role } from '../shared/people.ts';
import { isPassphrase, keepPassphrase } from './passphrase.ts';
import { iso, type Clock } from './ports.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/open.ts';
import { addPerson, changePerson, listStoredPeople, type StoredPerson } from './store/people.ts';
import { createTries } from './tries.ts';
import { createTurns } from './turns.ts';

/** What a connection knows of who acts over it; changed by signing in and out. */
export interface Session {
  /** `mark`: of the passphrase at that time; null for who needs none. */
  signedIn: { id: string; mark: string | null } | null;
}

const keptKey = 'people.kept';
/** How long `desk signin` lasts. */
const keptFor = 12 * 60 * 60 * 1_000;
const kept = z.object({ id: z.string(), mark: z.string(), until: z.string() }).nullish();
/** Names that stand in the log for what nobody did. */
const reserved = new Set(['host', 'system', 'model', 'customer', 'import']);

export type People = ReturnType<typeof createPeople>;

export function createPeople(deps: {
  store: Store;
  settings: Settings;
  clock: Clock;
  /** Of a company whose people act without a secret, these. */
  open: { id: string }[];
  changed: (person: PersonRow) => void;
  /** What passphrases are kept by; `keepPassphrase` with less work in tests. */
  keepPassphrase?: (passphrase: string) => Promise<string>;
}) {
  const { store, settings, clock } = deps;
  const keep = deps.keepPassphrase ?? keepPassphrase;
  const open = new Set(deps.open.map(({ id }) => id));
  // Each try uses 128 MiB, and counts before the next one begins.
  const turns = createTurns();
  const tries = createTries(settings, clock);

  function rowOf({ id, name, role, secret }: StoredPerson): PersonRow {
    return { id, name, role, open: secret === null && open.has(id), signs_in: secret !== null };
  }
  async function find(id: string): Promise<StoredPerson | undefined> {
    return (await listStoredPeople(store.db)).find((one) => one.id === id);
  }
  async function known(id: string): Promise<StoredPerson> {
    const people = await listStoredPeople(store.db);
    const found = people.find((one) => one.id === id);
    if (found === undefined)
      throw new Failure(
        'people.unknown',
        `There is no person "${id}". Known: ${people.map((one) => `${one.id} (${one.role})`).join(', ')}.`,
      );
    return found;
  }
  async function signedIn({ signedIn: session }: Session): Promise<Person | null> {
    const person = session === null ? undefined : await find(session.id);
    if (session === null || person === undefined) return null;
    const still = person.secret === null ? rowOf(person).open : session.mark === markOf(person.secret);
    return still ? { id: person.id, name: person.name, role: person.role } : null;
  }
  async function me(session: Session): Promise<Me> {
    const rows = (await listStoredPeople(store.db)).map(rowOf);
    return {
      person: await signedIn(session),
      sample: rows.some((one) => one.open),
      first: !rows.some((one) => one.open || one.signs_in),
    };
  }
  /** Failures `people.wrong`, `people.wait`. */
  async function check(person: StoredPerson, passphrase: string | undefined, signal: AbortSignal): Promise<void> {
    const { id, secret } = person;
    if (secret === null)
      throw new Failure('people.none', `${id} has no passphrase yet. An admin sets one: desk people passphrase ${id}`);
    await turns.take(signal, async () => {
      await tries.allow(id);
      const right = passphrase !== undefined && (await isPassphrase(passphrase, secret));
      if (right) await tries.forget(id);
      else if (passphrase !== undefined) await tries.count(id);
      if (!right) throw new Failure('people.wrong', `This is not the passphrase of ${id}.`);
    });
  }

  return {
    list: async (): Promise<PersonRow[]> => (await listStoredPeople(store.db)).map(rowOf),
    me,
    /** Who an ID names, nothing secret in it. Failure `people.unknown`. */
    async person(id: string): Promise<Person> {
      const { name, role } = await known(id);
      return { id, name, role };
    },
    /**
     * Who acts: whoever is signed in, or whom `as` names where that one needs no secret. Failures `people.as`,
     * `people.secret`, `people.unknown`.
     */
    async acting(session: Session, as: string | undefined, does: string): Promise<Person> {
      const person = await signedIn(session);
      if (person !== null && (as === undefined || as === person.id)) return person;
      if (as === undefined) {
        if ((await me(session)).sample) throw new Failure('people.as', `Say who ${does}: --as PERSON.`);
        throw new Failure('people.secret', `Sign in first: only who is signed in ${does}. desk signin PERSON`);
      }
      const named = await known(as);
      if (rowOf(named).open) return { id: named.id, name: named.name, role: named.role };
      throw new Failure('people.secret', `${as} acts after signing in only: desk signin ${as}`);
    },
    async signIn(
      session: Session,
      { id, passphrase, keep: remember }: { id: string; passphrase?: string | undefined; keep: boolean },
      signal: AbortSignal,
    ): Promise<Me> {
      const person = await known(id);
      if (!rowOf(person).open) await check(person, passphrase, signal);
      const mark = person.secret === null ? null : markOf(person.secret);
      session.signedIn = { id, mark };
      if (remember && mark !== null) {
        const until = new Date(clock.now() + keptFor).toISOString();
        await settings.set(keptKey, { id, mark, until });
      }
      return me(session);
    },
    async signOut(session: Session): Promise<Me> {
      const remembered = kept.parse(await settings.get(keptKey));
      if (remembered?.id === session.signedIn?.id) await settings.set(keptKey, null);
      session.signedIn = null;
      return me(session);
    },
    /** As `desk signin` left it; in the sample company its first person. */
    async resume(session: Session): Promise<Me> {
      const remembered = kept.parse(await settings.get(keptKey));
      if (remembered != null && remembered.until > iso(clock)) session.signedIn = remembered;
      const first = deps.open[0];
      if ((await signedIn(session)) === null && first !== undefined) session.signedIn = { id: first.id, mark: null };
      return me(session);
    },
    /** The first admin. Failure `people.begun` once anybody can act. */
    async begin(session: Session, { id, name, passphrase }: { id: string; name: string; passphrase: string }) {
      const secret = await keep(passphrase);
      named(id);
      const done = await store.db.transaction().execute(async (trx) => {
        if ((await listStoredPeople(trx)).map(rowOf).some((one) => one.open || one.signs_in)) return false;
        const added = await addPerson(trx, { id, name, role: 'admin', secret }, iso(clock));
        if (!added) await changePerson(trx, id, { name, role: 'admin', secret });
        return true;
      });
      if (!done) throw new Failure('people.begun', 'This desk has its people already. Sign in, or ask an admin.');
      session.signedIn = { id, mark: markOf(secret) };
      return me(session);
    },
    async add({ passphrase, ...person }: Person & { passphrase: string }): Promise<PersonRow> {
      named(person.id);
      const stored = { ...person, secret: await keep(passphrase) };
      if (!(await addPerson(store.db, stored, iso(clock))))
        throw new Failure('people.taken', `There is a person ${person.id} already. Choose another ID.`);
      deps.changed(rowOf(stored));
      return rowOf(stored);
    },
    async role({ id, role }: { id: string; role: Role }): Promise<PersonRow> {
      await known(id);
      await store.db.transaction().execute(async (trx) => {
        await changePerson(trx, id, { role });
        const admins = (await listStoredPeople(trx)).map(rowOf).filter((one) => one.role === 'admin');
        if (!admins.some((one) => one.open || one.signs_in))
          throw new Failure('people.last', `${id} is the last admin who can act. Make somebody else an admin first.`);
      });
      const row = rowOf(await known(id));
      deps.changed(row);
      return row;
    },
    async passphrase(
      { id, current, passphrase }: { id: string; current?: string | undefined; passphrase: string },
      by: Person,
      signal: AbortSignal,
    ): Promise<PersonRow> {
      const person = await known(id);
      if (by.role !== 'admin' && by.id !== id)
        throw new Failure('people.role', `Only an admin sets the passphrase of somebody else; ${by.id} is ${by.role}.`);
      if (by.role !== 'admin' && person.secret === null)
        throw new Failure('people.role', `Only an admin gives ${id} a first passphrase.`);
      if (by.id === id && person.secret !== null) await check(person, current, signal);
      await changePerson(store.db, id, { secret: await turns.take(signal, () => keep(passphrase)) });
      await tries.forget(id);
      const row = rowOf(await known(id));
      deps.changed(row);
      return row;
    },
  };
}

function named(id: string): void {
  if (reserved.has(id.toLowerCase()))
    throw new Failure('people.taken', `"${id}" stands for something else in the log. Choose another ID.`);
}
/** Tells whether a passphrase is still the one it was; nothing can be made from it. */
function markOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
