import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../shared/contract.ts';
import type { ReplyDraft } from '../shared/queue.ts';
import { openTicket } from './openTicket.ts';
import { openQueueTrial, type QueueTrial } from './queueTrial.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import { insertMessage, messagesOf } from './store/messages.ts';
import { nextVersion } from './store/queue.ts';
import { insertCall } from './store/calls.ts';
import { saveDraft } from './store/runs.ts';

let trial: QueueTrial;
beforeEach(async () => {
  trial = await openQueueTrial();
  await trial.bring('Hello, what did order O-2415 come to? I may want a refund.');
});
afterEach(() => trial.end());

const settled = { outcome: 'result', text: '', bound: true, trust: 'bound' } as const;
const order = { order_id: 'O-2415', customer_id: 'C-0127', status: 'delivered', total: '49.96' };
const quote = { quote_id: 'q_7f3a9c41d2', order_id: 'O-2415', amount: '23.98' };
const ledger: LedgerEntry[] = [
  { ...settled, n: 1, tool: 'shop.get_order_status', arguments: { order_id: 'O-2415' }, structured: order },
  { ...settled, n: 2, tool: 'shop.quote_refund', arguments: { order_id: 'O-2415' }, structured: quote },
];
const backed = 'Hello,\n\nthe total of O-2415 is €49.96.\n\nKind regards';
const unbacked = 'Hello,\n\nthe total of O-2415 is €49.96. We have refunded €500.00 today.\n\nKind regards';

async function draft(): Promise<ReplyDraft> {
  const found = await trial.drafts.get('T-1');
  if (found === null) throw new Error('no draft');
  return found;
}
async function at(): Promise<{ ticket: string; version: number; edition: number }> {
  const { version } = await trial.queue.row('T-1');
  const edition = (await trial.drafts.get('T-1'))?.edition ?? 0;
  return { ticket: 'T-1', version, edition };
}
async function customerWrites(body: string): Promise<void> {
  const { version } = await trial.queue.row('T-1');
  await trial.store.db.transaction().execute(async (trx) => {
    await nextVersion(trx, { id: 'T-1', version, by: null });
    const message = { id: `m-${version}`, kind: 'customer', by: null, difference: null } as const;
    await insertMessage(trx, 'T-1', { ...message, body, at: '2026-11-20T10:30:00.000Z' });
  });
}
const done = true;
function pass(ms: number): Promise<void> {
  trial.now.at += ms;
  return trial.outbox.due();
}

describe('a draft', () => {
  it('is what the model wrote until a person changes it; the change is checked again with the calls of its run', async () => {
    await trial.draft('T-1', unbacked, ledger);
    expect(await draft()).toMatchObject({ state: 'open', blocked: true, edited: null, version: 1 });
    const edited = await trial.drafts.edit({ ...(await at()), text: backed }, trial.ines);
    expect(edited).toMatchObject({ blocked: false, edited: { by: 'ines' }, model: { text: unbacked } });
    expect(edited.claims.map(({ text, verdict }) => [text, verdict])).toEqual([
      ['O-2415', 'backed'],
      ['€49.96', 'backed'],
    ]);
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'ready', unbacked: 0 });
  });

  it('marks what a person typed as theirs and still blocks the words of the model (host §15)', async () => {
    await trial.draft('T-1', unbacked, ledger);
    const more = await trial.drafts.edit({ ...(await at()), text: `${unbacked}\nIt will be €77.00.` }, trial.ines);
    expect(more.blocked).toBe(true);
    expect(more.claims.find(({ text }) => text === '€77.00')).toMatchObject({ source: 'person' });
    const own = await trial.drafts.edit({ ...(await at()), text: `${backed}\nIt will be €77.00.` }, trial.ines);
    expect(own.blocked).toBe(false);
    expect(own.claims.find(({ text }) => text === '€77.00')).toMatchObject({ source: 'person' });
  });

  it('of an older thread does not become a person’s own words by being pasted again', async () => {
    await trial.draft('T-1', unbacked, ledger);
    await trial.queue.note({ id: 'T-1', version: 1, text: 'Called.' }, trial.ines);
    expect(await draft()).toMatchObject({ state: 'retired' });
    const again = await trial.drafts.edit({ ...(await at()), text: unbacked }, trial.ines);
    expect(again).toMatchObject({ state: 'open', version: 2, blocked: true });
  });

  it('is retired by a new message and a note; a late edit is told so', async () => {
    await trial.draft('T-1', backed, ledger);
    const seen = await at();
    await customerWrites('Never mind.');
    expect(await draft()).toMatchObject({ state: 'retired', text: backed });
    expect((await trial.queue.row('T-1')).draft).toBe('none');
    await expect(trial.drafts.edit({ ...seen, text: 'Hi' }, trial.ines)).rejects.toMatchObject({
      code: 'tickets.changed',
      message: expect.stringContaining('something new came in') as string,
    });
    await expect(trial.outbox.send({ ...seen, done }, trial.ines)).rejects.toMatchObject({ code: 'tickets.changed' });
    await trial.draft('T-1', backed, ledger);
    const first = await at();
    await trial.draft('T-1', unbacked, ledger);
    await expect(trial.outbox.send({ ...first, done }, trial.tom)).rejects.toMatchObject({ code: 'tickets.changed' });
  });

  it('can be written by hand where the model has none', async () => {
    await expect(trial.outbox.send({ ...(await at()), done }, trial.ines)).rejects.toMatchObject({
      code: 'drafts.none',
    });
    const written = await trial.drafts.edit({ ...(await at()), text: 'It was €49.96.' }, trial.ines);
    expect(written).toMatchObject({ state: 'open', blocked: false, model: null });
    await expect(
      trial.drafts.edit({ ticket: 'T-1', version: 1, edition: 0, text: 'x' }, trial.tom),
    ).rejects.toMatchObject({
      code: 'tickets.changed',
    });
  });
});

describe('a reply that a person kept', () => {
  const mine = { state: 'open', kept: true, text: 'Mine.', edited: { by: 'ines' } };

  it('stands over a draft that comes later, which is there once the reply is discarded', async () => {
    const written = await trial.drafts.edit({ ...(await at()), text: 'Mine.' }, trial.ines);
    await trial.draft('T-1', unbacked, ledger);
    expect(await draft()).toEqual(written);
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'ready', unbacked: 0 });
    const stands = await trial.drafts.discard(await at(), trial.tom);
    expect(stands).toMatchObject({ state: 'open', kept: false, text: unbacked, edited: null });
    expect(trial.told.drafts.at(-1)).toEqual(stands);
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'blocked' });
  });

  it('leaves nothing where it is discarded and the model has nothing; who saw another is told so', async () => {
    const seen = await at();
    await trial.drafts.edit({ ...seen, text: 'Mine.' }, trial.ines);
    await expect(trial.drafts.discard(seen, trial.tom)).rejects.toMatchObject({ code: 'tickets.changed' });
    expect(await trial.drafts.discard(await at(), trial.ines)).toBeNull();
    expect(await trial.queue.row('T-1')).toMatchObject({ draft: 'none' });
  });

  it('goes on from the draft it began with: a newer one makes no claim of the model a person’s', async () => {
    const run = await trial.draft('T-1', unbacked, ledger);
    await trial.drafts.edit({ ...(await at()), text: `${unbacked}\nRegards, Ines` }, trial.ines);
    await trial.draft('T-1', backed, ledger);
    const again = await trial.drafts.edit({ ...(await at()), text: `${unbacked}\nBest, Ines` }, trial.ines);
    expect(again).toMatchObject({ blocked: true, model: { run } });
  });

  it('is kept from a run over an older thread', async () => {
    const run = await trial.draft('T-1', backed, ledger);
    await customerWrites('One more thing.');
    await trial.drafts.edit({ ...(await at()), text: 'Mine.' }, trial.ines);
    const late = { run, ticket: 'T-1', ticket_version: 1, claims: [], blocked: false, skeleton: '' };
    await saveDraft(trial.store.db, { ...late, text: 'Of before.', at: '2026-11-20T11:00:00.000Z' });
    expect(await draft()).toMatchObject({ ...mine, version: 2 });
  });

  it('and sent stands again once it is taken back, whatever was drafted before and after that', async () => {
    await trial.drafts.edit({ ...(await at()), text: 'Mine.' }, trial.ines);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await trial.draft('T-1', backed, ledger);
    expect(await trial.outbox.undo('T-1', trial.ines)).toMatchObject(mine);
    await trial.draft('T-1', backed, ledger);
    expect(await draft()).toMatchObject(mine);
  });

  it('and so does a draft that was sent as it was', async () => {
    await trial.draft('T-1', backed, ledger);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await trial.outbox.undo('T-1', trial.ines);
    await trial.draft('T-1', unbacked, ledger);
    expect(await draft()).toMatchObject({ state: 'open', kept: true, text: backed, edited: null });
  });

  it('is retired by a new message', async () => {
    await trial.drafts.edit({ ...(await at()), text: 'Mine.' }, trial.ines);
    await customerWrites('Never mind.');
    expect(await draft()).toMatchObject({ ...mine, state: 'retired', kept: false });
  });
});

describe('sending', () => {
  it('can be taken back for 8 s; then the reply is in the thread, with its difference, and the ticket done', async () => {
    await trial.draft('T-1', backed, ledger);
    await trial.drafts.edit({ ...(await at()), text: backed.replace('Hello', 'Dear Ines') }, trial.ines);
    const sending = await trial.outbox.send({ ...(await at()), done }, trial.ines);
    expect(sending).toMatchObject({ state: 'sending', by: 'ines' });
    await pass(7_000);
    expect(await trial.outbox.undo('T-1', trial.ines)).toMatchObject({ state: 'open', undo_until: null });
    await pass(10_000);
    expect(await messagesOf(trial.store.db, 'T-1')).toEqual([]);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await pass(8_000);
    const [message] = await messagesOf(trial.store.db, 'T-1');
    expect(message).toMatchObject({ kind: 'reply', by: 'ines', body: backed.replace('Hello', 'Dear Ines') });
    expect(message?.difference?.parts.filter(({ kind }) => kind !== 'kept')).toEqual([
      { kind: 'removed', text: 'Hello' },
      { kind: 'added', text: 'Dear Ines' },
    ]);
    expect(await trial.queue.row('T-1')).toMatchObject({ status: 'done', owner: 'ines', version: 2, draft: 'none' });
    expect(await trial.drafts.get('T-1')).toBeNull();
    await expect(trial.outbox.undo('T-1', trial.ines)).rejects.toMatchObject({ code: 'drafts.sent' });
    expect(trial.told.drafts.at(-1)).toBeNull();
  });

  it('by two at once is done by one; the other is told who', async () => {
    await trial.draft('T-1', backed, ledger);
    const seen = await at();
    const both = await Promise.allSettled([
      trial.outbox.send({ ...seen, done }, trial.ines),
      trial.outbox.send({ ...seen, done }, trial.tom),
    ]);
    expect(both[0].status).toBe('fulfilled');
    expect(both[1]).toMatchObject({
      reason: { code: 'tickets.changed', message: expect.stringContaining('Ines Duarte sent a reply') as string },
    });
    await pass(8_000);
    expect(await messagesOf(trial.store.db, 'T-1')).toHaveLength(1);
    await expect(trial.outbox.send({ ...seen, done }, trial.tom)).rejects.toMatchObject({ data: { by: 'ines' } });
  });

  it('is stopped by a message that comes while it can still be taken back (desk-practice)', async () => {
    await trial.draft('T-1', backed, ledger);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await customerWrites('Stop, wrong order!');
    await pass(60_000);
    expect((await messagesOf(trial.store.db, 'T-1')).map(({ kind }) => kind)).toEqual(['customer']);
    expect(await draft()).toMatchObject({ state: 'retired' });
    expect(await trial.queue.row('T-1')).toMatchObject({ status: 'open' });
  });

  it('is listed for who sent it while it can be taken back, with until when', async () => {
    await trial.draft('T-1', backed, ledger);
    const { undo_until } = await trial.outbox.send({ ...(await at()), done }, trial.ines);
    const reply = { ticket: 'T-1', customer: 'C-0127', version: 1, undo_until };
    expect(await trial.outbox.leaving(trial.ines)).toEqual([reply]);
    expect(await trial.outbox.leaving(trial.tom)).toEqual([]);
    await trial.queue.note({ id: 'T-1', version: 1, text: 'Called.' }, trial.tom);
    expect(await trial.outbox.leaving(trial.ines)).toEqual([]);
  });

  it('goes on after the desk ended, exactly once', async () => {
    await trial.draft('T-1', backed, ledger);
    await trial.outbox.send({ ...(await at()), done: false }, trial.ines);
    trial.now.at += 60_000;
    const open = await trial.again();
    expect(await messagesOf(trial.store.db, 'T-1')).toHaveLength(1);
    await open.outbox.due();
    expect(await messagesOf(trial.store.db, 'T-1')).toHaveLength(1);
    expect(await trial.queue.row('T-1')).toMatchObject({ status: 'open', version: 2 });
  });

  it('over a block is for leads (host §25)', () => {
    expect(routes['drafts.override'].least?.role).toBe('lead');
    expect(routes['drafts.send'].least?.role).toBe('staff');
  });

  it('of what nothing backs is refused with the claim, until a lead says why it may go (ui "Draft")', async () => {
    await trial.draft('T-1', unbacked, ledger);
    await expect(trial.outbox.send({ ...(await at()), done }, trial.ines)).rejects.toMatchObject({
      code: 'drafts.blocked',
      message: expect.stringContaining('is not backed') as string,
      data: { claims: expect.arrayContaining([expect.objectContaining({ text: '€500.00' })]) as unknown },
    });
    await expect(trial.drafts.override({ ...(await at()), why: ' ' }, trial.lena)).rejects.toMatchObject({
      code: 'drafts.why',
    });
    const allowed = await trial.drafts.override({ ...(await at()), why: 'Paid by bank, seen by me.' }, trial.lena);
    expect(allowed).toMatchObject({ blocked: true, override: { by: 'lena', why: 'Paid by bank, seen by me.' } });
    expect((await trial.queue.row('T-1')).draft).toBe('ready');
    // An edit takes the lead's word back: it was for the text as it stood.
    await trial.drafts.edit({ ...(await at()), text: `${unbacked} And more.` }, trial.ines);
    await expect(trial.outbox.send({ ...(await at()), done }, trial.ines)).rejects.toMatchObject({
      code: 'drafts.blocked',
    });
    await trial.drafts.override({ ...(await at()), why: 'Still.' }, trial.lena);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await pass(8_000);
    const kept = await trial.store.db.selectFrom('outbox').selectAll().where('state', '=', 'sent').execute();
    expect(kept).toMatchObject([{ override_by: 'lena', override_why: 'Still.' }]);
  });

  it('strips handles a customer must not see, whoever typed them', async () => {
    const call = {
      id: 'c-1',
      method: 'tools/call' as const,
      run: await trial.draft('T-1', backed, ledger),
      ticket: 'T-1',
      n: 2,
      prefix: 'shop',
      tool: 'shop.quote_refund',
      arguments: {},
      origins: {},
      hash: 'h',
      configuration: 'c',
      definition: 'd',
      listed: true,
      state: 'result' as const,
      round: 0,
      consent: null,
      asks: null,
      money: null,
      text: '',
      structured: quote,
      detail: null,
      ms: 1,
      created_at: '2026-11-20T10:00:00.000Z',
      settled_at: '2026-11-20T10:00:00.000Z',
    };
    await insertCall(trial.store.db, call, 'host');
    await trial.drafts.edit({ ...(await at()), text: 'Your quote (Q_7F3A9C41D2) is €23.98.' }, trial.ines);
    await trial.outbox.send({ ...(await at()), done }, trial.ines);
    await pass(8_000);
    expect(await messagesOf(trial.store.db, 'T-1')).toMatchObject([{ body: 'Your quote is €23.98.' }]);
    const open = await openTicket({ store: trial.store, playbook: trial.playbook }, 'T-1');
    expect(open.facts).toContainEqual({ call: 2, tool: 'shop.quote_refund', field: '/amount', value: '23.98' });
    expect(JSON.stringify(open.facts)).not.toContain('q_7f3a');
    // Nothing but a handle is no reply.
    await trial.drafts.edit({ ...(await at()), text: ' q_7f3a9c41d2 ' }, trial.ines);
    await expect(trial.outbox.send({ ...(await at()), done }, trial.ines)).rejects.toMatchObject({
      code: 'drafts.empty',
    });
  });
});

describe('a ticket opened', () => {
  it('shows thread, draft, run and the customer’s other tickets', async () => {
    await trial.bring('first', { id: 'T-7', body: 'earlier' });
    await trial.draft('T-7', backed, ledger);
    await trial.queue.note({ id: 'T-7', version: 1, text: 'Look.' }, trial.ines);
    const open = await openTicket({ store: trial.store, playbook: trial.playbook }, 'T-7');
    expect(open.thread.map(({ kind, body }) => [kind, body])).toEqual([
      ['customer', 'earlier'],
      ['note', 'Look.'],
    ]);
    expect(open).toMatchObject({
      run: { state: 'ready', version: 1 },
      draft: { state: 'retired' },
      earlier: { count: 1 },
    });
    await expect(openTicket({ store: trial.store, playbook: trial.playbook }, 'T-0')).rejects.toMatchObject({
      code: 'tickets.unknown',
    });
  });
});
