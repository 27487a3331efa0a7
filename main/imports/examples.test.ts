// Five files shaped like real exports (`e2e/imports/`), through the door views use, to what stands in the database.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../shared/imports.ts';
import { createEvents } from '../events.ts';
import { messagesOf } from '../store/messages.ts';
import { openStore, type Store } from '../store/open.ts';
import { findRow } from '../store/queue.ts';
import { findTicket } from '../store/tickets.ts';
import { createImports, type Imports } from './imports.ts';

const by = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
const { signal } = new AbortController();
let folder: string;
let store: Store;
let imports: Imports;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-examples-'));
  store = await openStore(path.join(folder, 'desk.db'));
  const clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
  imports = createImports({ store, clock, random: { hex: () => 'x' }, events: createEvents() });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function example(name: string): string {
  return readFileSync(path.resolve(import.meta.dirname, '../../e2e/imports', name)).toString('base64');
}
const run = (name: string, options: ImportOptions = {}) => imports.run({ bytes: example(name), options }, by, signal);
const preview = (name: string, options: ImportOptions = {}) =>
  imports.preview({ bytes: example(name), options }, by, signal);
const stored = (id: string) => findTicket(store.db, id);
async function everything(): Promise<string> {
  const tables = ['tickets', 'messages', 'queue'] as const;
  return JSON.stringify(await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute())));
}
async function thread(id: string): Promise<[string, string, string][]> {
  return (await messagesOf(store.db, id)).map(({ kind, body, at }) => [kind, body, at]);
}

describe('a German Excel table', () => {
  it('asks for the zone of its times and stores nothing before', async () => {
    const seen = await preview('excel-german.csv');
    expect(seen).toMatchObject({
      kind: 'csv',
      encoding: { name: 'windows-1252', sure: true },
      would: null,
      records: 3,
    });
    expect(seen.questions.map(({ name }) => name)).toEqual(['zone']);
    expect(seen.questions[0]?.choices.map(({ value }) => value)).toContain('Europe/Berlin');
    await expect(run('excel-german.csv')).rejects.toMatchObject({ code: 'imports.asks', data: seen.questions });
    expect(await everything()).toBe('[[],[],[]]');
  });
  it('comes in with its letters, its cell over two lines and its times as UTC', async () => {
    const options = { zone: 'Europe/Berlin' };
    expect((await preview('excel-german.csv', options)).table?.columns.map(({ field }) => field)).toEqual([
      'id',
      'customer',
      'subject',
      'body',
      'received_at',
      'channel',
      'other',
    ]);
    expect(await run('excel-german.csv', options)).toMatchObject({ added: 3, refused: [] });
    expect(await stored('D-1001')).toMatchObject({
      customer: 'jana.oezdemir@example.com',
      subject: 'Übergröße geliefert – Umtausch?',
      body: 'Ärmel sind zu lang; bitte Größe S.\nPreis war 49,90 €.',
      received_at: '2026-11-03T13:05:00.000Z',
      channel: 'E-Mail',
    });
    expect(await stored('D-1002')).toMatchObject({
      customer: 'bjoern.straeter@example.com',
      subject: '„Ökologisch“ steht drauf',
      body: 'Öl läuft aus, 2 von 6 Flaschen.',
      received_at: '2026-11-03T08:12:00.000Z',
    });
    expect(await stored('D-1003')).toMatchObject({
      subject: '',
      body: 'Änderung der Adresse: Straße 7a, 04109 Leipzig',
      received_at: '2026-10-31T22:59:00.000Z',
    });
    const all = await everything();
    expect(all).not.toMatch(/[\u0080-\u009f\ufffdÃ]/);
    // The original record is kept, the amount as it was written.
    expect(all).toContain('1.249,00');
  });
});

describe('dates that say neither day nor month first', () => {
  it('are asked about, in words of both readings', async () => {
    const { questions } = await preview('dates-ambiguous.csv');
    expect(questions.map(({ name }) => name)).toEqual(['dates', 'zone']);
    expect(questions[0]?.choices).toEqual([
      { value: 'day first', label: 'The day first: 03/04/2026 is 3 April 2026' },
      { value: 'month first', label: 'The month first: 03/04/2026 is 4 March 2026' },
    ]);
    await expect(run('dates-ambiguous.csv', { zone: 'UTC' })).rejects.toMatchObject({ code: 'imports.asks' });
    expect(await everything()).toBe('[[],[],[]]');
  });
  it.each([
    ['day first', ['2026-04-03T06:15', '2026-06-05T07:20', '2026-11-10T17:45']],
    ['month first', ['2026-03-04T07:15', '2026-05-06T07:20', '2026-10-11T16:45']],
  ] as const)('are read as answered: %s', async (dates, expected) => {
    await run('dates-ambiguous.csv', { dates, zone: 'Europe/Berlin' });
    const times = await Promise.all(
      ['T-6', 'T-7', 'T-8'].map(async (id) => (await stored(id))?.received_at.slice(0, 16)),
    );
    expect(times).toEqual(expected);
  });
});

describe('our own lines, one doubtful value each', () => {
  it('come in where they have one meaning; the others are named', async () => {
    const done = await run('own-types.jsonl');
    expect(done).toMatchObject({
      added: 8,
      ids: ['1001', '1002', '1003', '1004', '9007199254740993', '1008', '1009', '1013'],
    });
    expect(done.refused.map(({ line, id }) => [line, id])).toEqual([
      [5, '1005'],
      [6, '1006'],
      [10, '1010'],
      [11, '1011'],
      [12, undefined],
    ]);
    for (const id of ['1001', '1002', '1003', '1004'])
      expect((await stored(id))?.received_at).toBe('2026-04-03T06:15:00.000Z');
    expect(await stored('9007199254740993')).toMatchObject({ body: 'id ends in 993' });
    expect(await stored('1008')).toMatchObject({ body: 'before\u0000middle\ufffdafter' });
    expect(await stored('1009')).toMatchObject({ subject: 'Odd keys', body: 'kept' });
    expect(await stored('1013')).toMatchObject({ customer: 'kara@example.com', body: 'kept' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('Zendesk’s incremental export', () => {
  it('comes in as threads: each ticket once, its newest copy, private comments as notes', async () => {
    const done = await run('zendesk-incremental.json');
    expect(done).toMatchObject({ added: 3, ids: ['35001', '35003', '35004'] });
    expect(done.refused).toEqual([{ line: 2, id: '35002', reason: 'it was deleted at the source' }]);
    expect(done.notes).toEqual([expect.stringContaining('35001 stands at 1 and 4')]);
    expect(await stored('35001')).toMatchObject({
      customer: 'ana.costa@example.com',
      subject: 'Kettle drips',
      body: 'My kettle drips. Order 4820.',
      received_at: '2026-10-30T09:12:44.000Z',
      channel: 'email',
    });
    expect(await thread('35001')).toEqual([
      ['note', 'Internal: third drip report this week, supplier batch 7.', '2026-10-30T09:40:00.000Z'],
      ['reply', 'Sorry about that. A new kettle is on its way.', '2026-10-30T09:55:10.000Z'],
      ['customer', 'It arrived, thank you!', '2026-11-02T15:58:31.000Z'],
    ]);
    expect((await findRow(store.db, '35001'))?.row).toMatchObject({
      status: 'done',
      since: '2026-11-02T15:58:31.000Z',
    });
    expect(await stored('35003')).toMatchObject({ customer: null, subject: '', body: 'Where is my parcel?' });
    expect((await findRow(store.db, '35003'))?.row.status).toBe('open');
    expect(await stored('35004')).toMatchObject({ subject: 'Pot & pan', body: 'Is the pot < 5 kg?\n\nThanks\nAna' });
    expect(await thread('35003')).toEqual([]);
    // What the system wrote is no message of anybody.
    expect(await thread('35001')).not.toContainEqual(expect.arrayContaining(['SLA target missed.']));
  });
});

describe('Chatwoot’s conversations', () => {
  it('come in as threads in the order of their times, files named, activities left out', async () => {
    const done = await run('chatwoot-conversations.json');
    expect(done).toMatchObject({ added: 2, ids: ['77', '78'], refused: [{ line: 3, id: '79' }] });
    expect(await stored('77')).toMatchObject({
      customer: 'dora.ek@example.com',
      subject: 'Gasket missing',
      body: 'The gasket was not in the box.',
      received_at: '2026-11-01T10:00:00.000Z',
      channel: 'email',
    });
    expect(await thread('77')).toEqual([
      ['note', 'Note: check with the warehouse first', '2026-11-01T10:05:00.000Z'],
      ['reply', 'We ship it today.', '2026-11-01T10:20:00.000Z'],
      ['customer', '[Attachment: box.jpg]', '2026-11-01T10:20:00.000Z'],
    ]);
    expect((await findRow(store.db, '77'))?.row.status).toBe('done');
    expect(await stored('78')).toMatchObject({
      customer: 'eda@example.com',
      subject: 'Spout loose',
      body: 'The spout is loose.',
      received_at: '2026-11-01T10:20:00.000Z',
    });
    expect((await findRow(store.db, '78'))?.row).toMatchObject({ status: 'open', priority: 'high' });
  });
});

describe.each([
  ['excel-german.csv', { zone: 'Europe/Berlin' }],
  ['dates-ambiguous.csv', { zone: 'Europe/Berlin', dates: 'day first' }],
  ['own-types.jsonl', {}],
  ['zendesk-incremental.json', {}],
  ['chatwoot-conversations.json', {}],
] as const)('%s', (name, options) => {
  it('brought in again changes nothing', async () => {
    const first = await run(name, options);
    const before = await everything();
    expect(await preview(name, options)).toMatchObject({ would: { added: 0, updated: 0, unchanged: first.added } });
    const again = await run(name, options);
    expect(again).toEqual({ ...first, added: 0, updated: 0, unchanged: first.added });
    expect(await everything()).toBe(before);
  });
  it('is only looked at by a preview, which says what a run does', async () => {
    const seen = await preview(name, options);
    expect(await everything()).toBe('[[],[],[]]');
    const done = await run(name, options);
    expect(seen.would).toEqual({ added: done.added, updated: done.updated, unchanged: done.unchanged });
    expect(seen.refused).toEqual(done.refused);
  });
});
