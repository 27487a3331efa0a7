import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../shared/contract.ts';
import { connectDesk, type Desk } from './client.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-queue-routes-'));
const profileFile = path.resolve(import.meta.dirname, '../demo/profile.json');
const stop = new AbortController();
let mara: Desk;
let tomas: Desk;
beforeAll(async () => {
  const options = { data: path.join(folder, 'data'), profileFile, signal: stop.signal, say: () => undefined };
  mara = await connectDesk({ ...options, as: 'staff-0007' });
  tomas = await connectDesk({ ...options, as: 'staff-0002' });
});
afterAll(async () => {
  await tomas.close();
  await mara.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The next change that fits. */
function next(desk: Desk, fits: (event: Event) => boolean): Promise<Event> {
  return new Promise((resolve) => {
    const deaf = desk.events((event) => {
      if (!fits(event)) return;
      deaf();
      resolve(event);
    });
  });
}

describe('two people at the queue', () => {
  it('see the same, change it one after the other, and are told of what the other does', async () => {
    const { rows } = await mara.request('tickets.page', { view: 'unassigned' });
    expect(rows).toHaveLength(48);
    const [first] = rows;
    if (first === undefined) throw new Error('the queue is empty');
    const told = next(tomas, (event) => event.feature === 'tickets' && event.id === first.id);
    const counted = next(tomas, (event) => event.feature === 'views');
    // The answer to it shows that the host knows by now that he listens.
    await tomas.request('doctor.about', {});
    const at = { id: first.id, edition: first.edition };
    expect(await mara.request('tickets.claim', at)).toMatchObject({ owner: 'staff-0007' });
    await expect(tomas.request('tickets.claim', at)).rejects.toMatchObject({
      code: 'tickets.changed',
      data: { by: 'staff-0007' },
    });
    expect(await told).toMatchObject({ entity: { owner: 'staff-0007' } });
    expect(await counted).toMatchObject({ entity: { mine: { 'staff-0007': 1 }, unassigned: 47 } });
    expect((await tomas.request('tickets.page', { view: 'mine' })).rows).toEqual([]);
  });

  it('write a reply by hand; only a lead may override', async () => {
    const { row } = await mara.request('tickets.get', { id: 'T-0005' });
    const at = { ticket: row.id, version: row.version };
    const written = await mara.request('drafts.edit', { ...at, edition: 0, text: 'Thank you, we look into it.' });
    expect(written).toMatchObject({ state: 'open', blocked: false, edited: { by: 'staff-0007' } });
    const { edition } = written;
    await expect(mara.request('drafts.override', { ...at, edition, why: 'I say so.' })).rejects.toMatchObject({
      code: 'people.role',
    });
    await expect(tomas.request('drafts.override', { ...at, edition, why: 'I say so.' })).rejects.toMatchObject({
      code: 'drafts.unblocked',
    });
    const sending = await mara.request('drafts.send', { ...at, edition });
    expect(Date.parse(sending.undo_until ?? '') - Date.now()).toBeLessThanOrEqual(8_000);
    await expect(tomas.request('drafts.send', { ...at, edition })).rejects.toMatchObject({ code: 'tickets.changed' });
    expect(await mara.request('drafts.undo', { ticket: row.id })).toMatchObject({ state: 'open' });
  });

  it('search and look at a ticket that is not there', async () => {
    const { hits } = await mara.request('tickets.search', { text: 'O-1942' });
    expect(hits.map(({ row }) => row.id)).toContain('T-0003');
    expect(hits[0]?.excerpt).toContain('O-1942');
    await expect(mara.request('tickets.search', { text: 'x' })).rejects.toMatchObject({ code: 'tickets.short' });
    await expect(mara.request('tickets.get', { id: 'T-9999' })).rejects.toMatchObject({ code: 'tickets.unknown' });
  });
});
