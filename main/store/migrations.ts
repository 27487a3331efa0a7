/** The schema, as numbered steps. A released step is never edited: its hash is stored and compared at every start. */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { Failure } from '../../shared/failures.ts';
import { keptSchema } from './keptSchema.ts';
import { namesSchema } from './namesSchema.ts';
import { queueSchema } from './queueSchema.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

const first = `
CREATE TABLE tickets (
  id TEXT PRIMARY KEY, source TEXT NOT NULL, source_id TEXT NOT NULL, customer TEXT, subject TEXT NOT NULL,
  body TEXT NOT NULL, received_at TEXT NOT NULL, channel TEXT, state TEXT NOT NULL, version INTEGER NOT NULL,
  record TEXT NOT NULL, imported_at TEXT NOT NULL, UNIQUE (source, source_id)
) STRICT;
CREATE INDEX tickets_by_state ON tickets (state, received_at);
CREATE TABLE labels (ticket TEXT PRIMARY KEY REFERENCES tickets (id), label TEXT NOT NULL) STRICT;
CREATE TABLE runs (
  id TEXT PRIMARY KEY, batch TEXT, ticket TEXT NOT NULL, ticket_version INTEGER NOT NULL,
  state TEXT NOT NULL, why TEXT, ask TEXT, model TEXT NOT NULL, playbook TEXT, settings TEXT NOT NULL,
  turns TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT, ms INTEGER
) STRICT;
CREATE INDEX runs_by_ticket ON runs (ticket, started_at);
CREATE INDEX runs_by_batch ON runs (batch);
CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE drafts (
  run TEXT PRIMARY KEY REFERENCES runs (id), ticket TEXT NOT NULL, ticket_version INTEGER NOT NULL, text TEXT NOT NULL,
  claims TEXT NOT NULL, blocked INTEGER NOT NULL CHECK (blocked IN (0, 1)), skeleton TEXT, at TEXT NOT NULL
) STRICT;
CREATE INDEX drafts_by_ticket ON drafts (ticket, at);
CREATE TABLE calls (
  "order" INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, ticket TEXT NOT NULL,
  n INTEGER NOT NULL, prefix TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, origins TEXT NOT NULL,
  hash TEXT NOT NULL, configuration TEXT NOT NULL, definition TEXT NOT NULL,
  listed INTEGER NOT NULL CHECK (listed IN (0, 1)), state TEXT NOT NULL, round INTEGER NOT NULL, asks TEXT, text TEXT,
  structured TEXT, detail TEXT, ms INTEGER, created_at TEXT NOT NULL, settled_at TEXT
) STRICT;
CREATE INDEX calls_by_run ON calls (run, n);
CREATE INDEX calls_by_ticket ON calls (ticket);
CREATE INDEX calls_by_state ON calls (state);
CREATE TABLE call_secrets (
  call TEXT NOT NULL REFERENCES calls (id), round INTEGER NOT NULL, request_state TEXT, PRIMARY KEY (call, round)
) STRICT;
CREATE TABLE call_events (
  seq INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES calls (id), from_state TEXT, to_state TEXT NOT NULL,
  payload TEXT, payload_hash TEXT NOT NULL, previous_hash TEXT NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL,
  by TEXT NOT NULL
) STRICT;
CREATE INDEX call_events_by_call ON call_events (call, seq);
CREATE TABLE chain_head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
INSERT INTO chain_head VALUES (1, 0, '');
CREATE TABLE consents (
  call TEXT PRIMARY KEY REFERENCES calls (id), by TEXT NOT NULL, answer TEXT NOT NULL, ms INTEGER NOT NULL,
  scripted INTEGER NOT NULL CHECK (scripted IN (0, 1)), hash TEXT NOT NULL, at TEXT NOT NULL, spent_at TEXT
) STRICT;
CREATE TABLE questions (
  id TEXT PRIMARY KEY, call TEXT NOT NULL REFERENCES calls (id), round INTEGER NOT NULL, key TEXT NOT NULL,
  request TEXT NOT NULL, role TEXT NOT NULL, pushed INTEGER NOT NULL CHECK (pushed IN (0, 1)), state TEXT NOT NULL,
  answer TEXT, by TEXT, scripted INTEGER NOT NULL CHECK (scripted IN (0, 1)), asked_at TEXT NOT NULL, answered_at TEXT,
  UNIQUE (call, round, key)
) STRICT;
CREATE INDEX questions_by_state ON questions (state, asked_at);
CREATE TABLE pins (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, prefix TEXT NOT NULL, tool TEXT NOT NULL, configuration TEXT NOT NULL,
  hash TEXT NOT NULL, raw TEXT NOT NULL, marks TEXT NOT NULL,
  no_side_effects INTEGER NOT NULL CHECK (no_side_effects IN (0, 1)),
  decision TEXT NOT NULL CHECK (decision IN ('approved', 'refused')), by TEXT NOT NULL, why TEXT, at TEXT NOT NULL
) STRICT;
CREATE INDEX pins_by_tool ON pins (prefix, tool, seq);
CREATE TABLE pin_seen (
  prefix TEXT NOT NULL, tool TEXT NOT NULL, configuration TEXT NOT NULL, hash TEXT, raw TEXT NOT NULL, problem TEXT,
  at TEXT NOT NULL, removed_at TEXT, returned_at TEXT, PRIMARY KEY (prefix, tool)
) STRICT;
CREATE TABLE eras (key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE people (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('staff', 'lead', 'admin')), secret TEXT,
  at TEXT NOT NULL
) STRICT;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL) STRICT;
`;

const second = `
ALTER TABLE runs ADD COLUMN kept TEXT;
ALTER TABLE runs ADD COLUMN tape TEXT;
ALTER TABLE calls ADD COLUMN method TEXT NOT NULL DEFAULT 'tools/call';
CREATE TABLE wire (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, call TEXT NOT NULL REFERENCES calls (id), round INTEGER NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('in', 'out')), text TEXT NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX wire_by_call ON wire (call, seq);
DELETE FROM settings WHERE key LIKE 'run.%';
`;

const fourth = `
CREATE TABLE acts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, by TEXT NOT NULL, route TEXT NOT NULL, about TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;
`;

const seventh = `
CREATE TABLE tasks (
  call TEXT PRIMARY KEY REFERENCES calls (id), handle TEXT NOT NULL, began_at TEXT NOT NULL, ends_at TEXT NOT NULL,
  every_ms INTEGER NOT NULL, stop_by TEXT
) STRICT;
CREATE TABLE progress (
  call TEXT PRIMARY KEY REFERENCES calls (id), done REAL, total REAL, message TEXT, at TEXT NOT NULL
) STRICT;
`;

export const migrations: readonly Migration[] = [
  { version: 1, name: 'first', sql: first },
  { version: 2, name: 'kept runs, requests other than tools, wire', sql: second },
  { version: 3, name: 'queue, threads, replies, search', sql: queueSchema },
  { version: 4, name: 'who did what', sql: fourth },
  { version: 5, name: 'names of customers, mails, money of calls', sql: namesSchema },
  { version: 7, name: 'calls that run as tasks, and how far calls are', sql: seventh },
  { version: 8, name: 'replies of people stand over drafts', sql: keptSchema },
];

function hashOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}

interface Applied {
  version: number;
  hash: string;
}

/** The steps a database already has; none for an empty one. Failure `store.foreign` where the tables are not ours. */
function applied(database: Database): Applied[] {
  const names = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (names.length === 0) return [];
  if (!names.some((table) => table.name === 'migrations'))
    throw new Failure(
      'store.foreign',
      `${database.name} is a database of another program. Choose another data folder with --data.`,
    );
  return database.prepare<[], Applied>('SELECT version, hash FROM migrations ORDER BY version').all();
}

/** Compares what a database has with what this program knows. Failures `store.newer` and `store.migrations`. */
export function checkKnown(database: Database, known: readonly Migration[]): void {
  for (const step of applied(database)) {
    const ours = known.find((migration) => migration.version === step.version);
    if (ours === undefined)
      throw new Failure(
        'store.newer',
        `The data in ${database.name} was written by a newer desk (step ${step.version}). Nothing was changed: start that version, or choose another folder with --data.`,
      );
    if (hashOf(ours) !== step.hash)
      throw new Failure(
        'store.migrations',
        `Step ${step.version} of the database ${database.name} is not the one this desk was built with. Nothing was changed: restore the matching version of the desk.`,
      );
  }
}

/** Applies the missing steps, each in its own transaction. `at` is ISO 8601 UTC. */
export function migrate(database: Database, known: readonly Migration[], at: string): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL) STRICT',
  );
  const done = new Set(applied(database).map((step) => step.version));
  const step = database.transaction((migration: Migration) => {
    database.exec(migration.sql);
    database
      .prepare('INSERT INTO migrations (version, name, hash, at) VALUES (?, ?, ?, ?)')
      .run(migration.version, migration.name, hashOf(migration), at);
  });
  for (const migration of known) if (!done.has(migration.version)) step.immediate(migration);
}
