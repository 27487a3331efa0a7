import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PersonRow } from '../shared/people.ts';
import { createPeople, type People, type Session } from './people.ts';
import { keepPassphrase } from './passphrase.ts';
import { createSettings } from './settings.ts';
import { openStore, type Store } from './store/open.ts';
import { addPerson, listStoredPeople } from './store/people.ts';

const quick = { keepPassphrase: (passphrase: string) => keepPassphrase(passphrase, 1_024) };
const { signal } = new AbortController();
const long = 'correct horse battery';
let folder: string;
let store: Store;
let now: number;
let told: PersonRow[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-people-'));
  store = await openStore(join(folder, 'desk.db'));
  now = Date.parse('2026-11-20T10:00:00Z');
  told = [];
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
const nobody = (): Session => ({ signedIn: null });

function desk(open: { id: string }[] = [], more: { keepPassphrase?: typeof keepPassphrase } = quick): People {
  const clock = { now: () => now };
  const changed = (person: PersonRow): unknown => told.push(person);
  return createPeople({ store, settings: createSettings(store, clock), clock, open, changed, ...more });
}
/** A desk with its admin `ada` and `sam` of the staff. */
async function staffed(): Promise<People> {
  const people = desk();
  await people.begin(nobody(), { id: 'ada', name: 'Ada', passphrase: long });
  await people.add({ id: 'sam', name: 'Sam', role: 'staff', passphrase: `${long} two` });
  return people;
}
const signin = (people: People, session: Session, id: string, passphrase?: string, keep = false) =>
  people.signIn(session, { id, passphrase, keep }, signal);

describe('signing in (host §25)', () => {
  it('with the passphrase, over one connection, until signed out', async () => {
    const people = await staffed();
    const [mine, other] = [nobody(), nobody()];
    expect(await signin(people, mine, 'sam', `${long} two`)).toMatchObject({ person: { id: 'sam', role: 'staff' } });
    expect(await people.acting(mine, undefined, 'works')).toMatchObject({ id: 'sam' });
    await expect(people.acting(other, undefined, 'works')).rejects.toMatchObject({ code: 'people.secret' });
    await expect(people.acting(other, 'sam', 'works')).rejects.toMatchObject({ code: 'people.secret' });
    await expect(people.acting(mine, 'ada', 'works')).rejects.toMatchObject({ code: 'people.secret' });
    expect((await people.signOut(mine)).person).toBeNull();
    await expect(people.acting(mine, undefined, 'works')).rejects.toMatchObject({ code: 'people.secret' });
  });
  it('not with another, none, or as somebody unknown', async () => {
    const people = await staffed();
    const mine = nobody();
    await expect(signin(people, mine, 'sam', long)).rejects.toMatchObject({ code: 'people.wrong' });
    await expect(signin(people, mine, 'sam')).rejects.toMatchObject({ code: 'people.wrong' });
    await expect(signin(people, mine, 'eve', long)).rejects.toMatchObject({ code: 'people.unknown' });
    expect(mine.signedIn).toBeNull();
  });
  it('however the keyboard composes letters', async () => {
    const people = desk();
    await people.begin(nobody(), { id: 'ada', name: 'Ada', passphrase: 'gr\u00fc\u00dfe aus Bern' });
    expect((await signin(people, nobody(), 'ada', 'gru\u0308\u00dfe aus Bern')).person?.id).toBe('ada');
  });
  it('ends where the passphrase changes, and the role is the one of now', async () => {
    const people = await staffed();
    const mine = nobody();
    await signin(people, mine, 'sam', `${long} two`);
    await people.role({ id: 'sam', role: 'lead' });
    const sam = await people.acting(mine, undefined, 'works');
    expect(sam.role).toBe('lead');
    await people.passphrase({ id: 'sam', current: `${long} two`, passphrase: `${long} three` }, sam, signal);
    await expect(people.acting(mine, undefined, 'works')).rejects.toMatchObject({ code: 'people.secret' });
  });
  it('keeps only what scrypt with N = 2^17, r 8, p 1 makes of a passphrase, each with its own salt', async () => {
    const people = desk([], {});
    await people.begin(nobody(), { id: 'ada', name: 'Ada', passphrase: long });
    await people.add({ id: 'tom', name: 'Tom', role: 'staff', passphrase: long });
    const secrets = (await listStoredPeople(store.db)).map(({ secret }) => secret);
    expect(secrets.every((secret) => secret?.startsWith('scrypt$131072$8$1$'))).toBe(true);
    expect(new Set(secrets).size).toBe(2);
    expect((await signin(people, nobody(), 'tom', long)).person?.id).toBe('tom');
    expect(JSON.stringify([await people.list(), told])).not.toMatch(/scrypt|secret/);
  });
});

describe('wrong passphrases', () => {
  it('wait after five in a row, longer each time, also for the right one and in another process', async () => {
    const people = await staffed();
    for (let n = 0; n < 5; n++)
      await expect(signin(people, nobody(), 'sam', `wrong one ${n}`)).rejects.toMatchObject({ code: 'people.wrong' });
    const wait = (seconds: number) => ({ code: 'people.wait', data: { seconds } });
    await expect(signin(people, nobody(), 'sam', `${long} two`)).rejects.toMatchObject(wait(30));
    await expect(signin(desk(), nobody(), 'sam', `${long} two`)).rejects.toMatchObject(wait(30));
    expect((await signin(people, nobody(), 'ada', long)).person?.id).toBe('ada');
    now += 30_000;
    await expect(signin(people, nobody(), 'sam', 'wrong again')).rejects.toMatchObject({ code: 'people.wrong' });
    await expect(signin(people, nobody(), 'sam', `${long} two`)).rejects.toMatchObject(wait(60));
    now += 60_000;
    expect((await signin(people, nobody(), 'sam', `${long} two`)).person?.id).toBe('sam');
    await expect(signin(people, nobody(), 'sam', 'wrong')).rejects.toMatchObject({ code: 'people.wrong' });
  });
  it('are counted one after the other, however many come at once', async () => {
    const people = await staffed();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => signin(people, nobody(), 'sam', 'wrong')));
    const codes = tries.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'in'));
    expect(codes).toEqual([...Array<string>(5).fill('people.wrong'), ...Array<string>(3).fill('people.wait')]);
  });
});

describe('people', () => {
  it('begin with an admin, once', async () => {
    const people = desk();
    const mine = nobody();
    expect(await people.me(mine)).toEqual({ person: null, sample: false, first: true });
    expect(await people.begin(mine, { id: 'ada', name: 'Ada', passphrase: long })).toEqual({
      person: { id: 'ada', name: 'Ada', role: 'admin' },
      sample: false,
      first: false,
    });
    const second = people.begin(nobody(), { id: 'eve', name: 'Eve', passphrase: long });
    await expect(second).rejects.toMatchObject({ code: 'people.begun' });
  });
  it.each(['short', '           ', 'elevenchars', '💂'.repeat(11)])(
    'have no passphrase like “%s”',
    async (passphrase) => {
      const begun = desk().begin(nobody(), { id: 'ada', name: 'Ada', passphrase });
      await expect(begun).rejects.toMatchObject({ code: 'people.short' });
      expect(await listStoredPeople(store.db)).toEqual([]);
    },
  );
  it('have IDs of their own', async () => {
    const people = await staffed();
    for (const id of ['sam', 'host', 'Model'])
      await expect(people.add({ id, name: 'X', role: 'staff', passphrase: long })).rejects.toMatchObject({
        code: 'people.taken',
      });
    expect(told.map(({ id }) => id)).toEqual(['sam']);
  });
  it('always have an admin who can act', async () => {
    const people = await staffed();
    await expect(people.role({ id: 'ada', role: 'lead' })).rejects.toMatchObject({ code: 'people.last' });
    await people.role({ id: 'sam', role: 'admin' });
    expect(await people.role({ id: 'ada', role: 'lead' })).toMatchObject({ role: 'lead' });
  });
  it('change their own passphrase with the one so far; an admin sets anybody’s', async () => {
    const people = await staffed();
    const [ada, sam] = [
      { id: 'ada', name: 'Ada', role: 'admin' },
      { id: 'sam', name: 'Sam', role: 'staff' },
    ] as const;
    const change = (id: string, by: typeof ada | typeof sam, current?: string) =>
      people.passphrase({ id, current, passphrase: `${long} new` }, by, signal);
    await expect(change('ada', sam)).rejects.toMatchObject({ code: 'people.role' });
    await expect(change('sam', sam)).rejects.toMatchObject({ code: 'people.wrong' });
    await expect(change('ada', ada)).rejects.toMatchObject({ code: 'people.wrong' });
    await change('sam', ada);
    expect((await signin(people, nobody(), 'sam', `${long} new`)).person?.id).toBe('sam');
  });
});

describe('the sample company', () => {
  const open = [{ id: 'staff-1' }, { id: 'boss' }];
  beforeEach(async () => {
    await addPerson(store.db, { id: 'boss', name: 'Boss', role: 'admin', secret: null }, '');
    await addPerson(store.db, { id: 'staff-1', name: 'One', role: 'staff', secret: null }, '');
  });
  it('has people who act without a secret and can be switched', async () => {
    const people = desk(open);
    const mine = nobody();
    await expect(people.acting(mine, undefined, 'works')).rejects.toMatchObject({ code: 'people.as' });
    expect(await people.acting(mine, 'boss', 'works')).toMatchObject({ role: 'admin' });
    await signin(people, mine, 'staff-1');
    expect(await people.acting(mine, undefined, 'works')).toMatchObject({ id: 'staff-1' });
    expect((await signin(people, mine, 'boss')).person?.id).toBe('boss');
    expect((await people.resume(nobody())).person?.id).toBe('staff-1');
  });
  it('those whom an admin gives a passphrase need it, and who was added always did', async () => {
    const people = desk(open);
    const mine = nobody();
    await signin(people, mine, 'staff-1');
    const boss = await people.acting(nobody(), 'boss', 'works');
    const one = { id: 'staff-1', name: 'One', role: 'staff' } as const;
    await expect(people.passphrase({ id: 'staff-1', passphrase: long }, one, signal)).rejects.toMatchObject({
      code: 'people.role',
    });
    await people.passphrase({ id: 'staff-1', passphrase: long }, boss, signal);
    await people.add({ id: 'new', name: 'New', role: 'lead', passphrase: long });
    for (const id of ['staff-1', 'new'])
      await expect(people.acting(mine, id, 'works')).rejects.toMatchObject({ code: 'people.secret' });
    await expect(people.acting(mine, undefined, 'works')).rejects.toMatchObject({ code: 'people.as' });
  });
  it('elsewhere those without a passphrase do not act', async () => {
    const people = desk();
    await expect(people.acting(nobody(), 'boss', 'works')).rejects.toMatchObject({ code: 'people.secret' });
    await expect(signin(people, nobody(), 'boss')).rejects.toMatchObject({ code: 'people.none' });
  });
});

describe('the command line', () => {
  it('goes on as who signed in to stay, for twelve hours, until signed out or given another passphrase', async () => {
    const people = await staffed();
    await signin(people, nobody(), 'ada', long);
    expect((await people.resume(nobody())).person).toBeNull();
    await signin(people, nobody(), 'sam', `${long} two`, true);
    const later = nobody();
    expect((await people.resume(later)).person?.id).toBe('sam');
    now += 12 * 60 * 60 * 1_000 + 1;
    expect((await people.resume(nobody())).person).toBeNull();
    await signin(people, nobody(), 'sam', `${long} two`, true);
    await people.signOut(later);
    expect((await people.resume(nobody())).person).toBeNull();
    await signin(people, nobody(), 'sam', `${long} two`, true);
    const ada = { id: 'ada', name: 'Ada', role: 'admin' } as const;
    await people.passphrase({ id: 'sam', passphrase: `${long} three` }, ada, signal);
    expect((await people.resume(nobody())).person).toBeNull();
  });
});
