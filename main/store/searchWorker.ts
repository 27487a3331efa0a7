// The thread of full-text search: a read-only connection of its own, so that no search holds up the host's writes.
import { parentPort, workerData } from 'node:worker_threads';
import Driver from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { reason } from '../../shared/failures.ts';
import { searchRows, type FoundTickets, type SearchQuery } from './search.ts';
import type { Tables } from './tables.ts';

export type Searched = { found: FoundTickets } | { problem: string };

// What `searching.ts` starts it with.
const { file } = workerData as { file: string };
const database = new Driver(file, { readonly: true, timeout: 1_000 });
// Asked of every row: a thread is only killed where it comes by JavaScript.
database.function('going', { deterministic: false, varargs: true }, () => 1);
const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });

async function search(query: SearchQuery): Promise<Searched> {
  try {
    return { found: await searchRows(db, query) };
  } catch (error) {
    return { problem: reason(error) };
  }
}
parentPort?.on('message', (query: SearchQuery) => {
  void search(query).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage('ready');
