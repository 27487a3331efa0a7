import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from './open.ts';
import {
  dropLooseTexts,
  findRun,
  insertRun,
  latestDraft,
  listRuns,
  readText,
  saveDraft,
  saveKept,
  saveText,
  updateRun,
  type StoredRun,
} from './runs.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-runs-'));
  store = await openStore(join(folder, 'desk.db'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(id: string, minute: number): StoredRun {
  return {
    id,
    batch: 'queue-1',
    ticket: 'T-0001',
    ticket_version: 1,
    state: 'running',
    why: null,
    ask: null,
    model: 'none',
    playbook: null,
    settings: { seed: 7 },
    turns: [],
    started_at: `2026-11-20T10:0${minute}:00.000Z`,
    ended_at: null,
    ms: null,
  };
}

describe('ticket runs', () => {
  it('are kept with their settings and turns, and change in place', async () => {
    await insertRun(store.db, run('b', 2));
    await insertRun(store.db, run('a', 1));
    await updateRun(store.db, 'b', { state: 'ready', why: 'done', ms: 41 });
    expect(await findRun(store.db, 'b')).toEqual({ ...run('b', 2), state: 'ready', why: 'done', ms: 41 });
    expect((await listRuns(store.db, { ticket: 'T-0001' })).map((one) => one.id)).toEqual(['a', 'b']);
    expect((await listRuns(store.db, { state: 'running', batch: 'queue-1' })).map((one) => one.id)).toEqual(['a']);
  });

  it('name the damage when a stored column was broken', async () => {
    await insertRun(store.db, run('a', 1));
    await store.db.updateTable('runs').set({ turns: '[' }).execute();
    await expect(findRun(store.db, 'a')).rejects.toMatchObject({ code: 'store.damaged' });
  });

  it('have one draft each, the newest of a ticket is found', async () => {
    const draft = { ticket: 'T-0001', ticket_version: 1, claims: [], blocked: true, skeleton: null };
    await insertRun(store.db, run('a', 1));
    await insertRun(store.db, run('b', 2));
    await saveDraft(store.db, { ...draft, run: 'b', text: 'second', at: '2026-11-20T10:02:00.000Z' });
    await saveDraft(store.db, { ...draft, run: 'a', text: 'first', at: '2026-11-20T10:01:00.000Z' });
    await saveDraft(store.db, { ...draft, run: 'b', text: 'third', at: '2026-11-20T10:03:00.000Z' });
    expect(await latestDraft(store.db, 'T-0001')).toMatchObject({ run: 'b', text: 'third', blocked: true });
    expect(await latestDraft(store.db, 'T-0002')).toBeUndefined();
  });

  it('share texts by hash', async () => {
    const hash = await saveText(store.db, 'prompt 😀');
    expect(await saveText(store.db, 'prompt 😀')).toBe(hash);
    expect(await readText(store.db, hash)).toBe('prompt 😀');
    expect(await readText(store.db, 'none')).toBeUndefined();
  });

  it('give up the texts of their documents with their recording (trust, invariant 6)', async () => {
    const own = await saveText(store.db, 'an order of this ticket');
    const both = await saveText(store.db, 'a policy');
    const settings = { resources: { both }, added: [{ sha256: own }] };
    await insertRun(store.db, { ...run('a', 1), settings });
    await insertRun(store.db, { ...run('b', 2), settings: { resources: { both } } });
    for (const id of ['a', 'b']) await saveKept(store.db, id, {});
    await dropLooseTexts(store.db);
    expect(await readText(store.db, own)).toBe('an order of this ticket');
    await store.db.updateTable('runs').set({ kept: null }).where('id', '=', 'a').execute();
    await dropLooseTexts(store.db);
    expect([await readText(store.db, own), await readText(store.db, both)]).toEqual([undefined, 'a policy']);
  });
});
