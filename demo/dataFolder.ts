/** What a server that asks people keeps: its own SQLite tables, which answers were used, and the key of its seals. */
import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runningClock } from './clock.ts';
import { readEnvironment, refuse } from './environment.ts';
import type { Asking } from './sealedQuestions.ts';
import { createSeal, sealingKey } from './shop/sealing.ts';

/**
 * Reads NAME_DATA (a folder) and, if wanted, NAME_STATE_TTL (seconds a question may wait, 14 days) and NAME_CLOCK (ISO
 * 8601, runs on from there), and opens the folder. A wrong one ends the program with one sentence.
 */
export function openDataFolder(program: string, tables: string): Asking {
  const upper = program.toUpperCase();
  const seconds = z.coerce.number('is a number of seconds').int('is a whole number').min(1, 'is at least one second');
  const environment = readEnvironment(
    program,
    z
      .object({
        [`${upper}_DATA`]: z.string().min(1, 'names a folder'),
        [`${upper}_STATE_TTL`]: seconds.default(14 * 86_400),
        [`${upper}_CLOCK`]: z.iso.datetime({ offset: true, error: 'is a time like 2026-06-30T09:00:00Z' }).optional(),
      })
      .transform((read) => ({
        folder: z.string().parse(read[`${upper}_DATA`]),
        stateSeconds: z.number().parse(read[`${upper}_STATE_TTL`]),
        clock: z.string().optional().parse(read[`${upper}_CLOCK`]),
      })),
  );
  const { folder, stateSeconds, clock } = environment;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const seal = createSeal(sealingKey(join(folder, 'sealing.key')), `${program} request state`);
    return { db: openTables(join(folder, `${program}.db`), tables), seal, now: runningClock(clock), stateSeconds };
  } catch (error) {
    return refuse(program, `${upper}_DATA cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function openTables(file: string, tables: string): Database.Database {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('busy_timeout = 5000');
  db.exec(
    `CREATE TABLE IF NOT EXISTS answered (action TEXT NOT NULL, round INTEGER NOT NULL, result TEXT, PRIMARY KEY (action, round)) STRICT; ${tables}`,
  );
  return db;
}
