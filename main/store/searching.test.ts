import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from './open.ts';
import type { SearchQuery } from './search.ts';
import { createSearching } from './searching.ts';
import { insertTicket } from './tickets.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-search-'));
  store = await openStore(path.join(folder, 'desk.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
/** Long enough for a machine that stalls. */
const patient = { ms: 60_000 };
const all: SearchQuery = { match: '"pan" *', view: 'all', by: 'ines', filter: {}, after: null, limit: 200 };

async function bring(count: number): Promise<void> {
  const more = { customer: null, customer_name: null, machine: false, subject: '', channel: null } as const;
  const fixed = { source: 'import', state: 'open', version: 1 } as const;
  await store.db.transaction().execute(async (trx) => {
    for (let at = 0; at < count; at++) {
      const received_at = new Date(1_760_000_000_000 + (at % 7) * 1_000).toISOString();
      const ticket = { ...more, ...fixed, id: `T-${at}`, body: `pan ${at}`, received_at };
      await insertTicket(trx, ticket, { sourceId: `${at}`, record: '{}', at: received_at });
    }
  });
}

describe('the search thread (layout "Processes")', () => {
  it('sees what was written, each page going on where the last one ended', async () => {
    await bring(100);
    const searching = createSearching(store.file, patient);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await searching.search({ ...all, after, limit: 30 });
      seen.push(...page.found.map(({ row }) => row.id));
      after = page.after;
    } while (after !== null);
    expect(new Set(seen).size).toBe(100);
    await searching.close();
  });

  it('is killed when one search takes too long; the next one has a new thread', async () => {
    await bring(2_500);
    const searching = createSearching(store.file, { ms: 1 });
    // Takes many seconds: every row is looked at for every word.
    const long = Array.from({ length: 40_000 }, (_, at) => `("pan" * NOT "x${at}")`).join(' OR ');
    await expect(searching.search({ ...all, match: long })).rejects.toMatchObject({ code: 'tickets.slow' });
    await searching.close();
    const next = createSearching(store.file, patient);
    const [first, second] = [next.search(all), next.search({ ...all, match: '"2499"' })];
    expect((await first).found).toHaveLength(200);
    expect((await second).found.map(({ row }) => row.id)).toEqual(['T-2499']);
    await next.close();
  });

  it('says in words what the index cannot read, and goes on', async () => {
    await bring(1);
    const searching = createSearching(store.file, patient);
    await expect(searching.search({ ...all, match: '"' })).rejects.toMatchObject({ code: 'tickets.search' });
    expect((await searching.search(all)).found).toHaveLength(1);
    const stop = new AbortController();
    stop.abort(new Error('gone'));
    await expect(searching.search(all, stop.signal)).rejects.toThrow('gone');
    await searching.close();
  });
});
