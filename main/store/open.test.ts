import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './migrations.ts';
import { lockFolder, openStore, type Store } from './open.ts';
import { saveSetting, readSetting } from './settings.ts';

let folder: string;
let file: string;
const opened: Store[] = [];
async function open(...more: [] | [Parameters<typeof openStore>[1]]): Promise<Store> {
  const store = await openStore(file, ...more);
  opened.push(store);
  return store;
}
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'desk-store-')), 'data');
  file = join(folder, 'desk.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pragma(store: Store, name: string): Promise<unknown> {
  const result = await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(store.db);
  return Object.values(result.rows[0] ?? {})[0];
}

describe('opening a data folder', () => {
  it('sets the pragmas on the connection in use: a consent survives a power cut (trust, invariant 6)', async () => {
    const store = await open();
    expect(await pragma(store, 'synchronous')).toBe(2);
    expect(await pragma(store, 'journal_mode')).toBe('wal');
    expect(await pragma(store, 'foreign_keys')).toBe(1);
    expect(await pragma(store, 'busy_timeout')).toBe(5000);
  });

  it('gives folder and files to their owner only', async () => {
    const store = await open();
    await saveSetting(store.db, 'a', 1, '2026-11-01T00:00:00.000Z');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600);
  });

  it('makes every table STRICT', async () => {
    const store = await open();
    const tables = await sql<{
      name: string;
      strict: number;
    }>`SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`.execute(store.db);
    expect(tables.rows.length).toBeGreaterThan(15);
    const own = tables.rows.filter(({ name }) => !name.startsWith('search') || name === 'search_rows');
    expect(own.filter((table) => table.strict !== 1)).toEqual([]);
  });

  it('keeps what was written when it opens again', async () => {
    const store = await open();
    await saveSetting(store.db, 'a', { b: [1, 'ü'] }, '2026-11-01T00:00:00.000Z');
    await store.close();
    const again = await open();
    expect(again.kept).toBeNull();
    expect(await readSetting(again.db, 'a')).toEqual({ b: [1, 'ü'] });
  });
});

describe('a database that cannot be used', () => {
  it('is put aside when damaged, and a new one begins', async () => {
    const store = await open();
    await saveSetting(store.db, 'a', 'x'.repeat(50_000), '2026-11-01T00:00:00.000Z');
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096);
    writeFileSync(file, bytes);
    const again = await open();
    expect(again.kept).toMatch(/desk\.db\.damaged-/);
    expect(readFileSync(again.kept ?? '')).toEqual(bytes);
    expect(await readSetting(again.db, 'a')).toBeUndefined();
  });

  it('is put aside when it is no database at all', async () => {
    await (await open()).close();
    writeFileSync(file, 'this was a database once. '.repeat(500));
    expect((await open()).kept).not.toBeNull();
  });

  it('is left untouched when a newer desk wrote it', async () => {
    const newer = [...migrations, { version: 999, name: 'later', sql: 'CREATE TABLE later (a TEXT) STRICT' }];
    await (await open(newer)).close();
    const before = readFileSync(file);
    await expect(open()).rejects.toMatchObject({ code: 'store.newer' });
    expect(readFileSync(file)).toEqual(before);
  });

  it('is refused when a released step was edited', async () => {
    await (await open()).close();
    const edited = migrations.map((step) => ({ ...step, sql: `${step.sql} ` }));
    await expect(open(edited)).rejects.toMatchObject({ code: 'store.migrations' });
  });

  it('stays at its old version when a step fails halfway', async () => {
    await (await open()).close();
    const broken = [
      ...migrations,
      { version: 998, name: 'broken', sql: 'CREATE TABLE half (a TEXT) STRICT; CREATE TABLE half (a TEXT) STRICT' },
    ];
    await expect(open(broken)).rejects.toMatchObject({ code: 'store.unreadable' });
    const store = await open();
    const half = await sql`SELECT 1 FROM sqlite_master WHERE name = 'half'`.execute(store.db);
    expect(half.rows).toEqual([]);
  });
});

describe('transactions', () => {
  it('take nothing back when they fail, and all of it', async () => {
    const store = await open();
    await expect(
      store.db.transaction().execute(async (trx) => {
        await saveSetting(trx, 'a', 1, '2026-11-01T00:00:00.000Z');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await readSetting(store.db, 'a')).toBeUndefined();
  });

  it('never settle when the outer database is used inside: why the executor is a parameter (layout, Habits)', async () => {
    const store = await open();
    let outer: Promise<unknown> | undefined;
    const inside = store.db.transaction().execute(async (trx) => {
      outer = readSetting(store.db, 'a');
      await saveSetting(trx, 'a', 1, '2026-11-01T00:00:00.000Z');
      // The outer query waits for this very transaction, so it cannot be what settles first.
      return Promise.race([outer.then(() => 'outer'), readSetting(trx, 'a').then(() => 'inner')]);
    });
    expect(await inside).toBe('inner');
    expect(await outer).toBe(1);
  });
});

describe('the lock of a data folder', () => {
  it('is refused to a second desk and free after the first one lets go', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'store.locked' });
    lock.release();
    (await lockFolder(folder)).release();
  });

  it('is free after its holder was killed', async () => {
    const code = `import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, 'open.ts'))};
      await lockFolder(${JSON.stringify(folder)}); process.send('held'); setInterval(() => {}, 1000);`;
    const script = join(folder, '..', 'holder.mjs');
    writeFileSync(script, code);
    const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'store.locked' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await lockFolder(folder)).release();
  });
});
