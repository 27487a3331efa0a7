// Handing over: note, owner, whom it waits for and the retired draft come together or not at all.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TicketView } from '../shared/queue.ts';
import { handOver } from './handOver.ts';
import { openQueueTrial, type QueueTrial } from './queueTrial.ts';
import { messagesOf } from './store/messages.ts';

let trial: QueueTrial;
beforeEach(async () => {
  trial = await openQueueTrial();
  await trial.bring('Where is it?', 'Please refund it.');
});
afterEach(() => trial.end());

const never = new AbortController().signal;
async function view(name: TicketView, by = trial.ines): Promise<string[]> {
  const page = await trial.queue.page({ view: name, filter: {}, after: null, limit: 200 }, by, never);
  return page.rows.map((row) => row.id);
}
function give(to: { person: string } | { role: 'staff' | 'lead' | 'admin' }, version = 1, why = 'Above my limit.') {
  const clock = { now: () => trial.now.at };
  const deps = { store: trial.store, clock, random: { hex: () => '01' }, touched: () => undefined };
  return handOver(deps, { id: 'T-1', version, to, why }, trial.ines);
}

it('to a role: nobody has it, its view holds it, the reason is a note and the draft is retired', async () => {
  await trial.draft('T-1', 'Thank you.');
  await trial.queue.change({ id: 'T-1', edition: (await trial.queue.row('T-1')).edition }, trial.ines, {
    kind: 'claim',
  });
  const row = await give({ role: 'lead' });
  expect(row).toMatchObject({ state: 'handed over', owner: null, waits: 'lead', draft: 'none', version: 2 });
  expect(await view('lead')).toEqual(['T-1']);
  expect(await trial.queue.counts()).toMatchObject({ lead: 1, waiting: 0, unassigned: 2 });
  expect((await trial.drafts.get('T-1'))?.state).toBe('retired');
  const [note] = await messagesOf(trial.store.db, 'T-1');
  expect(note).toMatchObject({ kind: 'note', by: 'ines', body: 'Handed over to a lead.\n\nAbove my limit.' });
  // Who takes it is who it waited for.
  const taken = await trial.queue.change({ id: 'T-1', edition: row.edition }, trial.lena, { kind: 'claim' });
  expect(taken).toMatchObject({ owner: 'lena', waits: null, state: 'handed over' });
  expect(await view('lead')).toEqual([]);
});

it('to a person: it is theirs at once', async () => {
  expect(await give({ person: 'tom' })).toMatchObject({ owner: 'tom', waits: null, state: 'handed over' });
  expect(await view('mine', trial.tom)).toEqual(['T-1']);
});

it('of a thread that went on, without a reason, or to nobody: nothing is done', async () => {
  await trial.queue.note({ id: 'T-1', version: 1, text: 'She called.' }, trial.tom);
  await expect(give({ role: 'lead' })).rejects.toMatchObject({ code: 'tickets.changed', data: { by: 'tom' } });
  await expect(give({ role: 'lead' }, 2, ' ')).rejects.toMatchObject({ code: 'tickets.empty' });
  await expect(give({ person: 'nobody' }, 2)).rejects.toMatchObject({ code: 'tickets.nobody' });
  expect(await trial.queue.row('T-1')).toMatchObject({ state: 'open', owner: null, version: 2 });
});
