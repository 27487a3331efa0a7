/** Opens the one database of a data folder: checked, migrated, with the pragmas every connection needs. */
import { chmodSync, existsSync, mkdirSync, openSync, closeSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { Failure, reason } from '../../shared/failures.ts';
import { checkKnown, migrate, migrations, type Migration } from './migrations.ts';
import type { Executor, Tables } from './tables.ts';

export type { Executor } from './tables.ts';
export interface Store {
  db: Executor;
  file: string;
  /** Where a damaged database was put aside at this start, or null. */
  kept: string | null;
  close(): Promise<void>;
}

async function driver() {
  // Older Node versions die inside the native part instead of saying what is missing.
  if (Number(process.versions.napi) < 10)
    throw new Failure(
      'store.node',
      `The database needs Node 24 or newer; this is ${process.version}. Start the desk with "npm start" or "npm run desk".`,
    );
  return (await import('better-sqlite3')).default;
}
type Driver = Awaited<ReturnType<typeof driver>>;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** What is wrong with the file, or null. Read-only, so that a newer or foreign database stays as it is. */
function damage(driver: Driver, file: string, known: readonly Migration[]): string | null {
  let database: Database | undefined;
  try {
    database = new driver(file, { readonly: true, timeout: 5_000 });
    // Each table but the search index's face: a whole check reads every word of it, two seconds at 100,000 tickets.
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'virtual'")
      .all();
    for (const { name } of tables) {
      const found = database.pragma(`quick_check("${name.replaceAll('"', '""')}")`, { simple: true });
      if (found !== 'ok') return String(found);
    }
    checkKnown(database, known);
    return null;
  } catch (error) {
    if (isDamage(error)) return reason(error);
    throw error;
  } finally {
    database?.close();
  }
}

function putAside(file: string, at: string): string {
  const aside = `${file}.damaged-${at.replaceAll(':', '-')}`;
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  return aside;
}

function setPragmas(database: Database): void {
  database.pragma('journal_mode = WAL');
  // Per connection, and WAL alone means NORMAL: a power cut could then take back an acknowledged consent.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
}

function prepareFolder(folder: string): void {
  // One at a time: Node's recursive making never ends where a folder can be neither made nor found (/proc).
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const one of missing.reverse()) mkdirSync(one, { mode: 0o700 });
  chmodSync(folder, 0o700);
}

/**
 * Opens `file`, making its folder. A damaged database is renamed aside, a new one begun and `kept` says where the old
 * one is. Failures: `store.node`, `store.newer`, `store.migrations`, `store.foreign`, `store.unreadable`.
 */
export async function openStore(file: string, known: readonly Migration[] = migrations): Promise<Store> {
  const Driver = await driver();
  const at = new Date().toISOString();
  let kept: string | null = null;
  let database: Database | undefined;
  try {
    prepareFolder(dirname(file));
    if (existsSync(file) && damage(Driver, file, known) !== null) kept = putAside(file, at);
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    database = new Driver(file);
    setPragmas(database);
    migrate(database, known, at);
  } catch (error) {
    database?.close();
    if (error instanceof Failure) throw error;
    throw new Failure(
      'store.unreadable',
      `The database ${file} cannot be opened: ${reason(error)}. Check the folder's rights and free space, or choose another with --data.`,
    );
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepingStatements(database) }) });
  const opened = database;
  return {
    db,
    file,
    kept,
    async close() {
      await db.destroy();
      // Kysely closes only what it has used at least once.
      if (opened.open) opened.close();
    },
  };
}

const mostStatements = 200;
/** Statements stay prepared: with the queue's triggers to compile, preparing an insert takes longer than running it. */
function keepingStatements(database: Database): SqliteDatabase {
  const kept = new Map<string, Statement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = kept.get(sql) ?? database.prepare(sql);
      // The one used last stands at the end, the one not used longest goes first.
      kept.delete(sql);
      kept.set(sql, statement);
      const [oldest] = kept.keys();
      if (kept.size > mostStatements && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
  };
}

export interface FolderLock {
  release(): void;
}

/**
 * Takes the data folder for this process: an operating-system lock, so a killed process never leaves it behind.
 * Failures `store.locked` while another process has it, `store.unreadable`.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const Driver = await driver();
  let database: Database;
  try {
    prepareFolder(folder);
    database = new Driver(join(folder, 'lock.db'), { timeout: 0 });
  } catch (error) {
    throw new Failure(
      'store.unreadable',
      `The data folder ${folder} cannot be used: ${reason(error)}. Check its rights, or choose another with --data.`,
    );
  }
  try {
    chmodSync(join(folder, 'lock.db'), 0o600);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    throw new Failure(
      'store.locked',
      `Another desk is using the data folder ${folder}. Close it, or choose another folder with --data.`,
    );
  }
  return { release: () => database.close() };
}
