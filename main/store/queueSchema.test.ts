import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './migrations.ts';
import { openStore, type Store } from './open.ts';
import { countRows, findRow } from './queue.ts';
import { searchRows } from './search.ts';
import { insertRun, saveDraft } from './runs.ts';
import Driver from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Tables } from './tables.ts';

let folder: string;
let store: Store | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-schema-'));
});
afterEach(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const received_at = '2026-11-20T10:00:00.000Z';
const ticket = { customer: 'C-1', subject: 'Pan', channel: null, source: 'sample', version: 1 } as const;
const came = { received_at, record: '{}', imported_at: received_at };
const run = { batch: null, why: null, ask: null, model: 'm', playbook: null, settings: {}, turns: [], ms: null };

describe('a database of before the queue', () => {
  it('has every ticket in the queue and in the search afterwards, with the draft it had', async () => {
    const file = path.join(folder, 'desk.db');
    const before = await openStore(file, migrations.slice(0, 2));
    for (const id of ['T-1', 'T-2', 'T-3'])
      await before.db
        .insertInto('tickets')
        .values({
          ...ticket,
          ...came,
          source_id: id,
          id,
          body: `first\nwords of ${id}`,
          state: id === 'T-3' ? 'ready' : 'open',
        })
        .execute();
    const of = { ticket: 'T-3', ticket_version: 1 };
    await insertRun(before.db, { ...run, ...of, id: 'r-1', state: 'ready', started_at: received_at, ended_at: null });
    const draft = { run: 'r-1', ...of, text: 'Hello', claims: [], blocked: false, skeleton: null, at: received_at };
    await saveDraft(before.db, draft);
    await before.close();

    store = await openStore(file);
    expect(await countRows(store.db)).toMatchObject({ unassigned: 3, all: 3, unbacked: 0 });
    expect((await findRow(store.db, 'T-3'))?.row).toMatchObject({
      draft: 'ready',
      state: 'ready',
      words: 'first words of T-3',
    });
    expect((await findRow(store.db, 'T-1'))?.row).toMatchObject({ draft: 'none', edition: 1, priority: 'normal' });

    const database = new Driver(file);
    database.function('going', { varargs: true }, () => 1);
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
    const query = { match: '"words" *', view: 'all', by: '', filter: {}, after: null, limit: 9 } as const;
    const ids = (await searchRows(db, query)).found.map(({ row }) => row.id);
    expect(ids.sort()).toEqual(['T-1', 'T-2', 'T-3']);
    await db.destroy();
  });
});
