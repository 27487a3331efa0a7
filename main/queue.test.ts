import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { belongs } from '../shared/belongs.ts';
import {
  draftStates,
  priorities,
  ticketStatuses,
  ticketViews,
  type TicketFilter,
  type TicketView,
} from '../shared/queue.ts';
import { insertMessage } from './store/messages.ts';
import { nextVersion } from './store/queue.ts';
import { insertRun, updateRun } from './store/runs.ts';
import { openQueueTrial, type QueueTrial } from './queueTrial.ts';

let trial: QueueTrial;
beforeEach(async () => {
  trial = await openQueueTrial();
});
afterEach(() => trial.end());

const never = new AbortController().signal;
async function view(name: TicketView, more: object = {}, by = trial.ines): Promise<string[]> {
  const asked = { view: name, filter: {}, after: null, limit: 200, ...more };
  return (await trial.queue.page(asked, by, never)).rows.map((row) => row.id);
}
async function edition(id: string): Promise<{ id: string; edition: number }> {
  return { id, edition: (await trial.queue.row(id)).edition };
}

describe('the views (ui "Queue")', () => {
  it('hold who has a ticket, what waits and what is done, each ticket where it belongs', async () => {
    await trial.bring('one', 'two', 'three', 'four', 'five');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'claim' });
    await trial.queue.change(await edition('T-2'), trial.tom, { kind: 'claim' });
    await trial.queue.change(await edition('T-3'), trial.ines, { kind: 'done', done: true });
    await trial.queue.change(await edition('T-4'), trial.ines, { kind: 'snooze', until: '2026-11-21T00:00:00Z' });
    expect(await view('mine')).toEqual(['T-1']);
    expect(await view('mine', {}, trial.tom)).toEqual(['T-2']);
    expect(await view('unassigned')).toEqual(['T-5']);
    expect(await view('done')).toEqual(['T-3']);
    expect(await view('snoozed')).toEqual(['T-4']);
    expect(await view('all')).toEqual(['T-5', 'T-4', 'T-3', 'T-2', 'T-1']);
    expect(await trial.queue.counts()).toEqual({
      mine: { ines: 1, tom: 1 },
      unassigned: 1,
      waiting: 0,
      lead: 0,
      unbacked: 0,
      snoozed: 1,
      done: 1,
      all: 5,
    });
  });

  it('follow the runs, calls and questions of a ticket, whoever writes them', async () => {
    await trial.bring('one', 'two', 'three');
    const { db } = trial.store;
    const run = { batch: null, why: null, ask: null, model: 'm', playbook: null, settings: {}, turns: [] };
    const rest = { ...run, started_at: '2026-11-20T10:00:00.000Z', ended_at: null, ms: null, ticket_version: 1 };
    await insertRun(db, { ...rest, id: 'r-1', ticket: 'T-1', state: 'running' });
    expect((await trial.queue.row('T-1')).draft).toBe('working');
    const call = { run: 'r-1', ticket: 'T-1', n: 1, prefix: 'shop', tool: 'shop.issue_refund', arguments: '{}' };
    const more = { origins: '{}', hash: 'h', configuration: 'c', definition: 'd', listed: 0, round: 0 };
    const created = { created_at: rest.started_at, method: 'tools/call' };
    await db
      .insertInto('calls')
      .values({ id: 'c-1', state: 'asking', ...call, ...more, ...created })
      .execute();
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'asks you', waits: 'staff' });
    expect(await view('waiting')).toEqual(['T-1']);
    await db.updateTable('calls').set({ state: 'asked' }).execute();
    const question = { id: 'q-1', call: 'c-1', round: 1, key: 'k', request: '{}', role: 'lead', pushed: 0 };
    await db
      .insertInto('questions')
      .values({ ...question, state: 'open', scripted: 0, asked_at: rest.started_at })
      .execute();
    expect(await view('waiting')).toEqual([]);
    expect(await view('lead')).toEqual(['T-1']);
    expect(await trial.queue.counts()).toMatchObject({ waiting: 0, lead: 1 });
    await db.updateTable('questions').set({ state: 'answered' }).execute();
    await db.updateTable('calls').set({ state: 'result' }).execute();
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'working', waits: null });
    await updateRun(db, 'r-1', { state: 'failed' });
    expect((await trial.queue.row('T-1')).draft).toBe('none');
    await trial.draft('T-2', 'We have refunded €500.00 today.');
    await trial.draft('T-3', 'Thank you.');
    expect(await view('unbacked')).toEqual(['T-2']);
    expect((await trial.queue.row('T-3')).draft).toBe('ready');
    expect((await trial.queue.row('T-2')).unbacked).toBeGreaterThan(0);
  });

  it('show the most urgent first in open views and go by time alone in the others', async () => {
    await trial.bring('one', 'two', 'three');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'priority', priority: 'urgent' });
    await trial.queue.change(await edition('T-3'), trial.ines, { kind: 'priority', priority: 'low' });
    expect(await view('unassigned')).toEqual(['T-1', 'T-2', 'T-3']);
    expect(await view('all')).toEqual(['T-3', 'T-2', 'T-1']);
  });

  it('filter by customer, priority, draft and state', async () => {
    await trial.bring('one', { id: 'T-2', body: 'two', customer: 'C-9' }, 'three');
    await trial.draft('T-3', 'Thank you.');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'priority', priority: 'high' });
    expect(await view('all', { filter: { customer: 'C-9' } })).toEqual(['T-2']);
    expect(await view('all', { filter: { priorities: ['high'] } })).toEqual(['T-1']);
    expect(await view('unassigned', { filter: { drafts: ['ready'] } })).toEqual(['T-3']);
    expect(await view('unassigned', { filter: { states: ['failed'] } })).toEqual([]);
  });

  it('hold the very rows a page on screen would keep (shared/belongs.ts), whatever a row is, under each filter', async () => {
    const kinds = ticketStatuses.flatMap((status) =>
      draftStates.flatMap((draft) =>
        ([null, 'staff', 'lead', 'admin'] as const).flatMap((waits) =>
          [null, 'ines', 'tom'].map((owner) => ({ status, draft, waits, owner })),
        ),
      ),
    );
    await trial.bring(...kinds.map((_, n) => ({ id: `T-${n}`, body: 'one', customer: n % 7 === 0 ? 'C-9' : 'C-1' })));
    for (const [n, kind] of kinds.entries()) {
      const more = { priority: n % priorities.length, unbacked: n % 3, state: n % 5 === 0 ? 'failed' : 'open' };
      await trial.store.db
        .updateTable('queue')
        .set({ ...kind, ...more })
        .where('ticket', '=', `T-${n}`)
        .execute();
    }
    const filters: TicketFilter[] = [
      {},
      { customer: 'C-9' },
      { states: ['failed'] },
      ...priorities.map((priority) => ({ priorities: [priority] })),
      ...draftStates.map((draft) => ({ drafts: [draft] })),
      { priorities: ['high', 'urgent'], drafts: ['none', 'ready'] },
    ];
    const rows = await Promise.all(kinds.map((_, n) => trial.queue.row(`T-${n}`)));
    expect(rows.length).toBeLessThan(200);
    const asked = { after: null, limit: 200 };
    for (const name of ticketViews)
      for (const filter of filters) {
        const held = (await trial.queue.page({ view: name, filter, ...asked }, trial.ines, never)).rows;
        const kept = rows.filter((row) => belongs(row, name, filter, 'ines'));
        expect(held.map(({ id }) => id).sort(), `${name} ${JSON.stringify(filter)}`).toEqual(
          kept.map(({ id }) => id).sort(),
        );
      }
  });

  it('come in pages that neither lose nor repeat a ticket while others come and go', async () => {
    await trial.bring(...Array.from({ length: 25 }, (_, n) => `number ${n}`));
    const asked = { view: 'unassigned', filter: {}, limit: 10 } as const;
    const first = await trial.queue.page({ ...asked, after: null }, trial.ines, never);
    await trial.bring({ id: 'new', body: 'late' });
    await trial.queue.change(await edition(first.rows[3]?.id ?? ''), trial.ines, { kind: 'done', done: true });
    const second = await trial.queue.page({ ...asked, after: first.after }, trial.ines, never);
    const third = await trial.queue.page({ ...asked, after: second.after }, trial.ines, never);
    const ids = [...first.rows, ...second.rows, ...third.rows].map((row) => row.id);
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
    expect(third.after).toBeNull();
  });

  it.each(['made up', '{}', '[1,"x"]', '"0"', ''])('go on from no place like %j, and say so', async (after) => {
    await trial.bring('number one');
    const asked = { filter: {}, after, limit: 10 };
    const told = { code: 'tickets.after', message: expect.stringContaining('List it again') as string };
    await expect(trial.queue.page({ view: 'all', ...asked }, trial.ines, never)).rejects.toMatchObject(told);
    await expect(view('mine', asked)).rejects.toMatchObject(told);
    await expect(view('all', { ...asked, filter: { text: 'number' } })).rejects.toMatchObject(told);
    await expect(trial.queue.search({ text: 'number', ...asked }, trial.ines, never)).rejects.toMatchObject(told);
  });
});

describe('a change of a ticket', () => {
  it('is done by the first of two; the second is told who was first (desk-practice: conditional updates)', async () => {
    await trial.bring('one');
    const at = await edition('T-1');
    await trial.queue.change(at, trial.ines, { kind: 'claim' });
    await expect(trial.queue.change(at, trial.tom, { kind: 'claim' })).rejects.toMatchObject({
      code: 'tickets.changed',
      message: expect.stringContaining('Ines Duarte has it now') as string,
      data: { by: 'ines', row: { id: 'T-1', owner: 'ines' } },
    });
    expect((await trial.queue.row('T-1')).owner).toBe('ines');
    // Both at the same moment: exactly one of them.
    const late = await edition('T-1');
    const both = await Promise.allSettled([
      trial.queue.change(late, trial.tom, { kind: 'done', done: true }),
      trial.queue.change(late, trial.lena, { kind: 'priority', priority: 'urgent' }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('takes over from somebody only where they are named', async () => {
    await trial.bring('one');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'claim' });
    const at = await edition('T-1');
    await expect(trial.queue.change(at, trial.tom, { kind: 'claim' })).rejects.toMatchObject({ data: { by: 'ines' } });
    expect(await trial.queue.change(at, trial.tom, { kind: 'claim', from: 'ines' })).toMatchObject({ owner: 'tom' });
    expect(await trial.queue.change(await edition('T-1'), trial.tom, { kind: 'release' })).toMatchObject({
      owner: null,
    });
  });

  it('for many at once does what it can and names the rest', async () => {
    await trial.bring('one', 'two', 'three');
    const all = [await edition('T-1'), await edition('T-2'), await edition('T-3'), { id: 'T-9', edition: 1 }];
    await trial.queue.change(await edition('T-2'), trial.tom, { kind: 'claim' });
    const done = await trial.queue.bulk(all, trial.ines, { kind: 'claim' });
    expect(done.changed.map((row) => row.id)).toEqual(['T-1', 'T-3']);
    expect(done.refused).toMatchObject([
      { id: 'T-2', code: 'tickets.changed' },
      { id: 'T-9', code: 'tickets.unknown' },
    ]);
  });

  it('snoozes until a time that is still to come, and wakes by itself', async () => {
    await trial.bring('one');
    await expect(
      trial.queue.change(await edition('T-1'), trial.ines, { kind: 'snooze', until: '2026-11-20T09:00:00Z' }),
    ).rejects.toMatchObject({ code: 'tickets.past' });
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'snooze', until: '2026-11-20T12:00:00+01:00' });
    expect(await trial.queue.row('T-1')).toMatchObject({
      status: 'snoozed',
      snoozed_until: '2026-11-20T11:00:00.000Z',
    });
    trial.now.at = Date.parse('2026-11-20T11:00:01Z');
    await trial.queue.wake();
    expect(await trial.queue.row('T-1')).toMatchObject({ status: 'open', snoozed_until: null });
  });
});

describe('a thread', () => {
  it('takes a note by its version and retires the draft; the second author is stopped', async () => {
    await trial.bring('one');
    await trial.draft('T-1', 'Thank you.');
    const row = await trial.queue.note({ id: 'T-1', version: 1, text: ' Called them. ' }, trial.ines);
    expect(row).toMatchObject({ version: 2, draft: 'none' });
    await expect(trial.queue.note({ id: 'T-1', version: 1, text: 'Me too.' }, trial.tom)).rejects.toMatchObject({
      code: 'tickets.changed',
      message: expect.stringContaining('Ines Duarte') as string,
    });
    await expect(trial.queue.note({ id: 'T-1', version: 2, text: ' ' }, trial.tom)).rejects.toMatchObject({
      code: 'tickets.empty',
    });
  });

  it('opens a ticket that was done when the customer writes again', async () => {
    await trial.bring('one', 'two');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'done', done: true });
    await trial.store.db.transaction().execute(async (trx) => {
      await nextVersion(trx, { id: 'T-1', version: 1, by: null });
      const message = { id: 'm-1', kind: 'customer', body: 'Still\nbroken!', by: null, difference: null } as const;
      await insertMessage(trx, 'T-1', { ...message, at: '2026-11-20T10:05:00.000Z' });
    });
    const row = await trial.queue.row('T-1');
    expect(row).toMatchObject({
      status: 'open',
      words: 'Still broken!',
      since: '2026-11-20T10:05:00.000Z',
      version: 2,
    });
    expect(await view('unassigned')).toEqual(['T-1', 'T-2']);
  });
});

describe('search', () => {
  async function search(text: string, more: object = {}): Promise<string[]> {
    const page = await trial.queue.search({ text, filter: {}, after: null, limit: 200, ...more }, trial.ines, never);
    return page.hits.map(({ row }) => row.id);
  }

  it('finds subject, customer, ID, first message and later ones, newest first, the last word as a beginning', async () => {
    await trial.bring(
      { id: 'T-1', body: 'My muffin tray is bent', subject: 'Refund please' },
      { id: 'T-2', body: 'Where is order O-2415?', customer: 'mara@example.com' },
      { id: 'T-3', body: 'The café tray arrived' },
    );
    await trial.queue.note({ id: 'T-2', version: 1, text: 'Carrier lost the tray.' }, trial.ines);
    expect(await search('tray')).toEqual(['T-2', 'T-3', 'T-1']);
    expect(await search('muffin tr')).toEqual(['T-1']);
    expect(await search('O-2415')).toEqual(['T-2']);
    expect(await search('cafe')).toEqual(['T-3']);
    expect(await search('refund')).toEqual(['T-1']);
    expect(await search('mara@example')).toEqual(['T-2']);
    expect(await search('t-3')).toEqual(['T-3']);
    expect(await search('"tray" OR NOT*( NEAR')).toEqual([]);
    const { hits } = await trial.queue.search({ text: 'lost', filter: {}, after: null, limit: 9 }, trial.ines, never);
    expect(hits).toMatchObject([{ row: { id: 'T-2' }, excerpt: 'Carrier lost the tray.' }]);
  });

  it('names a ticket once, also over pages', async () => {
    await trial.bring('alpha one', 'alpha two', 'alpha three');
    for (const id of ['T-1', 'T-2', 'T-3']) {
      await trial.queue.note({ id, version: 1, text: 'alpha again' }, trial.ines);
      trial.now.at += 1_000;
    }
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await trial.queue.search({ text: 'alpha', filter: {}, after, limit: 2 }, trial.ines, never);
      seen.push(...page.hits.map(({ row }) => row.id));
      after = page.after;
    } while (after !== null);
    expect(seen).toEqual(['T-3', 'T-2', 'T-1']);
  });

  it('keeps in step with a ticket that changes', async () => {
    const ticket = { id: 'T-1', customer: 'C-1', subject: 'Hi', received_at: '2026-11-20T08:00:00Z' };
    await trial.tickets.importText(JSON.stringify([{ ...ticket, body: 'kettle' }]), { source: 'import' });
    await trial.tickets.importText(JSON.stringify([{ ...ticket, body: 'teapot' }]), { source: 'import' });
    expect(await search('kettle')).toEqual([]);
    expect(await search('teapot')).toEqual(['T-1']);
  });

  it('works within a view with its filters', async () => {
    await trial.bring('pan one', 'pan two', 'pan three', 'pot');
    await trial.queue.change(await edition('T-1'), trial.ines, { kind: 'claim' });
    await trial.queue.change(await edition('T-2'), trial.ines, { kind: 'done', done: true });
    expect(await view('mine', { filter: { text: 'pan' } })).toEqual(['T-1']);
    expect(await view('unassigned', { filter: { text: 'pan' } })).toEqual(['T-3']);
    expect(await view('done', { filter: { text: 'pan' } })).toEqual(['T-2']);
    expect(await view('all', { filter: { text: 'pan', drafts: ['ready'] } })).toEqual([]);
    await expect(view('all', { filter: { text: 'p' } })).rejects.toMatchObject({ code: 'tickets.short' });
    await expect(search(' " - ')).rejects.toMatchObject({ code: 'tickets.short' });
  });
});
