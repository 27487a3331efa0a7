import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepRetention } from './retention.ts';
import { createSettings } from './settings.ts';
import { openStore, type Store } from './store/open.ts';
import { insertRun, keptOf, saveKept } from './store/runs.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-retention-'));
  store = await openStore(join(folder, 'desk.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('drops recordings after 90 days or what is set, never that of a waiting run (trust, invariant 6)', async () => {
  const clock = { now: () => Date.parse('2026-06-30T00:00:00Z') };
  const ages = {
    old: '2026-03-01T00:00:00.000Z',
    recent: '2026-05-01T00:00:00.000Z',
    waits: '2026-03-01T00:00:00.000Z',
  };
  for (const [id, started_at] of Object.entries(ages)) {
    const fixed = {
      batch: null,
      ticket: 'T-1',
      ticket_version: 1,
      why: null,
      ask: null,
      model: 'none',
      playbook: null,
    };
    const state = id === 'waits' ? ('waiting' as const) : ('ready' as const);
    await insertRun(store.db, { id, ...fixed, state, settings: {}, turns: [], started_at, ended_at: null, ms: null });
    await saveKept(store.db, id, { id });
  }
  const left = async () => {
    const all = await Promise.all(Object.keys(ages).map((id) => keptOf(store.db, id)));
    return all.flatMap((kept) => (kept === undefined ? [] : [kept]));
  };
  const settings = createSettings(store, clock);
  await keepRetention(store, settings, clock);
  expect(await left()).toEqual([{ id: 'recent' }, { id: 'waits' }]);
  await settings.set('retention.days', 30);
  await keepRetention(store, settings, clock);
  expect(await left()).toEqual([{ id: 'waits' }]);
});
