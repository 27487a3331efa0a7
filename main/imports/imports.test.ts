// Bringing in again what changed at its source, the forms suites write their exports in, and large files in pieces.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { createEvents } from '../events.ts';
import { insertMessage, messagesOf } from '../store/messages.ts';
import { openStore, type Store } from '../store/open.ts';
import { changeRow, findRow } from '../store/queue.ts';
import { findTicket } from '../store/tickets.ts';
import { createImports, type Imports } from './imports.ts';

const mara = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
const { signal } = new AbortController();
let folder: string;
let store: Store;
let imports: Imports;
let now: number;
let told: string[];
let events: ReturnType<typeof createEvents>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-imports-'));
  store = await openStore(path.join(folder, 'desk.db'));
  now = Date.parse('2026-11-20T10:00:00Z');
  told = [];
  events = createEvents();
  events.listen(({ feature, id }) => told.push(`${feature} ${id}`));
  let made = 0;
  imports = createImports({ store, clock: { now: () => now }, random: { hex: () => `u${made++}` }, events });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const runText = (text: string) => imports.run({ bytes: base64(text), options: {} }, mara, signal);
const run = (value: Json) => runText(JSON.stringify(value));
async function status(id: string) {
  return (await findRow(store.db, id))?.row.status;
}

const comment = (id: number, body: string, more: object = {}) => ({
  ...{ id, author_id: 5, public: true, plain_body: body, created_at: `2026-11-01T10:0${id}:00Z` },
  ...more,
});
/** A Zendesk ticket with comments, as it stood at a minute. */
function zendesk(minute: number, comments: object[], more: object = {}) {
  return {
    ...{ id: 9, requester_id: 5, subject: 'Kettle', status: 'open', created_at: '2026-11-01T10:00:00Z' },
    ...{ updated_at: `2026-11-01T11:${String(minute).padStart(2, '0')}:00Z`, comments, ...more },
  } as Json; // plain JSON by construction
}
const first = comment(1, 'It drips.');
const answer = comment(2, 'Sorry.', { author_id: 7 });
const thanks = comment(3, 'Thanks.');

describe('what changed at the source', () => {
  it('comes as a new version: new messages once, what people wrote here stays', async () => {
    await run([zendesk(0, [first])]);
    const note = {
      id: 'n',
      kind: 'note',
      body: 'mine',
      by: 'staff-0007',
      at: '2026-11-01T10:30:00Z',
      difference: null,
    };
    await insertMessage(store.db, '9', { ...note, kind: 'note' });
    expect(await run([zendesk(1, [first, answer])])).toMatchObject({ added: 0, updated: 1 });
    expect((await messagesOf(store.db, '9')).map(({ body }) => body)).toEqual(['mine', 'Sorry.']);
    expect(await findTicket(store.db, '9')).toMatchObject({ version: 2 });
    expect(await run([zendesk(1, [first, answer])])).toMatchObject({ updated: 0, unchanged: 1 });
  });
  it('does not go back: an older export changes nothing', async () => {
    await run([zendesk(5, [first, answer], { status: 'solved' })]);
    expect(await run([zendesk(1, [first])])).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await status('9')).toBe('done');
    expect(await messagesOf(store.db, '9')).toHaveLength(1);
  });
  it('closes and opens it; a status that did not change there leaves the one of here alone', async () => {
    await run([zendesk(0, [first])]);
    await run([zendesk(1, [first], { status: 'solved' })]);
    expect(await status('9')).toBe('done');
    await run([zendesk(2, [first, thanks], { status: 'open' })]);
    expect(await status('9')).toBe('open');
    const row = (await findRow(store.db, '9'))?.row;
    await changeRow(store.db, { id: '9', edition: row?.edition ?? 0, by: 'staff-0007' }, { status: 'done' });
    await run([zendesk(3, [first, thanks], { tags: ['late'] })]);
    expect(await status('9')).toBe('done');
    expect(await findTicket(store.db, '9')).toMatchObject({ version: 2 });
  });
  it('of two sources with the same ID are two tickets', async () => {
    await run([zendesk(0, [first])]);
    const own = { id: '9', body: 'Own', received_at: '2026-11-01T10:00:00Z' };
    expect((await run([own])).ids).toEqual(['import:9']);
    const chat = {
      id: 9,
      inbox_id: 1,
      created_at: 1793527200,
      messages: [{ id: 1, message_type: 0, content: 'Chat', created_at: 1793527200 }],
    };
    expect((await run([chat])).ids).toEqual(['chatwoot:9']);
    expect(await run([chat, chat])).toMatchObject({ unchanged: 1, refused: [{ line: 2 }] });
    expect((await findTicket(store.db, '9'))?.body).toBe('It drips.');
  });
});

describe('the forms of suites', () => {
  const one = zendesk(0, [first]);
  const two = zendesk(0, [comment(1, 'Other')], { id: 10 });
  it.each([
    ['an envelope', JSON.stringify({ tickets: [one, two] })],
    ['an array', JSON.stringify([one, two])],
    ['lines', `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`],
    ['lines of envelopes', `${JSON.stringify({ tickets: [one] })}\r\n${JSON.stringify({ ticket: two })}`],
    ['an envelope over lines, with a mark', `\ufeff${JSON.stringify({ tickets: [one, two], users: [] }, null, 2)}`],
  ])('Zendesk: %s', async (_, text) => {
    expect((await runText(text)).ids).toEqual(['9', '10']);
  });
  it.each([
    ['payload', (all: Json[]) => JSON.stringify({ payload: all })],
    ['data.payload', (all: Json[]) => JSON.stringify({ data: { meta: {}, payload: all } })],
    ['an array', (all: Json[]) => JSON.stringify(all)],
    ['lines', (all: Json[]) => all.map((chat) => JSON.stringify(chat)).join('\n')],
  ])('Chatwoot: %s', async (_, written) => {
    const message = { id: 1, message_type: 'incoming', content: 'Hello', created_at: '2026-11-01T10:00:00Z' };
    const chat = (id: number) => ({ id, inbox_id: 1, status: 'open', created_at: 1793527200, messages: [message] });
    expect((await runText(written([chat(1), chat(2)]))).ids).toEqual(['1', '2']);
  });
  it('a record of another kind among them is refused by name, the others come in', async () => {
    const done = await run([one, { id: 'x', body: 'Own', received_at: '2026-11-01T10:00:00Z' }, 7, two]);
    expect(done.ids).toEqual(['9', '10']);
    expect(done.refused.map(({ line, id }) => [line, id])).toEqual([
      [2, 'x'],
      [3, undefined],
    ]);
  });
  it.each([
    ['{"tickets": [', 'one JSON object a line'],
    ['[1, 2', 'one JSON object a line'],
    ['{"tickets": []}', 'no record'],
  ])('%s stores nothing', async (text, words) => {
    await expect(runText(text)).rejects.toMatchObject({
      code: 'tickets.unreadable',
      message: expect.stringContaining(words) as string,
    });
  });
  const own = (id: string): string => `{"id":${id},"body":"Own","received_at":"2026-11-01T10:00:00Z"}`;
  const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}"]"${']}'.repeat(levels / 2)}`;
  const deep = (levels: number): string => own('"deep"').replace('}', `,"more":[[${nested(levels)}]]}`);
  const refused = [{ line: 2, id: 'deep', reason: 'it is nested deeper than 100 levels' }];
  it.each([100, 6_000, 200_000])('a record %i levels deep is refused by name, the others come in', async (levels) => {
    const all = [own('"A"'), deep(levels), own('9007199254740993')];
    expect(await runText(all.join('\n'))).toMatchObject({ ids: ['A', '9007199254740993'], refused });
    const whole = { bytes: base64(`[${all.join(',')}]`), options: {} };
    expect(await imports.preview(whole, mara, signal)).toMatchObject({ records: 3, refused, would: { unchanged: 2 } });
  });
  it('a record too deep is named in an envelope as well, and where there is no other', async () => {
    const [a, b] = [JSON.stringify(one), JSON.stringify(two)];
    const envelope = `{"tickets":[${a},${deep(6_000)},${b}],"meta":${nested(6_000)}}`;
    expect(await runText(envelope)).toMatchObject({ ids: ['9', '10'], refused });
    expect(await runText(deep(6_000))).toMatchObject({ added: 0, refused: [{ ...refused[0], line: 1 }] });
    expect(await runText(nested(6_000))).toMatchObject({ added: 0, refused: [{ line: 1 }] });
  });
  it('a record of a hundred levels comes in', async () => {
    const more = `${'['.repeat(99)}"[["${']'.repeat(99)}`;
    expect(await runText(own('"A"').replace('}', `,"more":${more}}`))).toMatchObject({ added: 1, refused: [] });
  });
  it('HTML comes as its words: no markup, no script, letters for entities', async () => {
    const html =
      '<style>p{}</style><p>5&nbsp;&lt;&nbsp;6 &amp;lt; &#128169;</p><!-- x --><ul><li>a<li>b</ul><script>alert(1)</script';
    await run([zendesk(0, [comment(1, '', { html_body: html })])]);
    expect((await findTicket(store.db, '9'))?.body).toBe('5 < 6 &lt; 💩\n\n- a\n- b');
  });
});

describe('a file in pieces', () => {
  const text = JSON.stringify([{ id: 'A', body: 'Größe', received_at: '2026-11-01T10:00:00Z' }]);
  const piece = (from: number, to?: number): string => Buffer.from(text).subarray(from, to).toString('base64');

  it('is looked at and brought in whole, then let go', async () => {
    const { upload } = imports.upload({ upload: null, bytes: piece(0, 20) }, mara);
    expect(imports.upload({ upload, bytes: piece(20) }, mara).size).toBe(Buffer.byteLength(text));
    expect(await imports.preview({ upload, options: {} }, mara, signal)).toMatchObject({ would: { added: 1 } });
    expect(told).toEqual([]);
    expect(await imports.run({ upload, options: {} }, mara, signal)).toMatchObject({ added: 1 });
    expect(told).toEqual(['tickets *']);
    await expect(imports.run({ upload, options: {} }, mara, signal)).rejects.toMatchObject({ code: 'imports.upload' });
  });
  it('that is large is read beside, and nobody waits for it; its faults are said as ever', async () => {
    const many = Array.from({ length: 4_000 }, (_, n) => ({
      id: `L-${n}`,
      body: 'x'.repeat(80),
      received_at: '2026-11-01T10:00:00Z',
    }));
    const whole = JSON.stringify(many);
    let turns = 0;
    const beside = setInterval(() => turns++, 1);
    const seen = await imports.preview({ bytes: base64(whole), options: {} }, mara, signal);
    clearInterval(beside);
    expect([seen.records, seen.would?.added, turns > 5]).toEqual([4_000, 4_000, true]);
    await expect(imports.run({ bytes: base64(whole.slice(0, -1)), options: {} }, mara, signal)).rejects.toMatchObject({
      code: 'tickets.unreadable',
    });
    const stop = new AbortController();
    const stopped = imports.run({ bytes: base64(whole), options: {} }, mara, stop.signal);
    setImmediate(() => stop.abort());
    await expect(stopped).rejects.toThrow('abort');
  });
  it('is kept for ten minutes, for who began it, four at once', () => {
    const begin = () => imports.upload({ upload: null, bytes: piece(0) }, mara).upload;
    const upload = begin();
    expect(() => imports.upload({ upload, bytes: '' }, { ...mara, id: 'other' })).toThrow('no longer kept');
    for (let n = 0; n < 3; n++) begin();
    expect(begin).toThrow('Other files');
    now += 11 * 60_000;
    expect(() => imports.upload({ upload, bytes: '' }, mara)).toThrow('no longer kept');
    expect(begin()).toBe('u5');
  });
  it('says how far it is, and can be stopped: what is in stays, the same file again brings the rest', async () => {
    const rows = Array.from({ length: 1_600 }, (_, n) => `N-${n},Hello ${n},2026-11-01T10:00:00Z`);
    const given = { bytes: base64(`id,body,received_at\n${rows.join('\n')}`), options: {}, watch: 'page-1' };
    const seen: number[] = [];
    const deaf = events.listen((change) => {
      if (change.feature !== 'imports' || !('entity' in change)) return;
      seen.push(change.entity.done);
      expect(change).toMatchObject({ id: 'page-1', entity: { of: 1_600 } });
      now += 1_000;
      if (change.entity.done === 1_000) expect(imports.stop('page-1', mara)).toBe(true);
    });
    expect(await imports.run(given, mara, signal)).toMatchObject({ added: 1_000, stopped: true });
    expect(seen).toEqual([200, 400, 600, 800, 1_000]);
    deaf();
    expect(imports.stop('page-1', mara)).toBe(false);
    expect(await imports.run(given, mara, signal)).toMatchObject({ added: 600, unchanged: 1_000, stopped: false });
  });
  it('comes in batches of at most 200 rows: what was stored before a stop stays', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({
      id: `N-${n}`,
      body: 'x',
      received_at: '2026-11-01T10:00:00Z',
    }));
    const stop = new AbortController();
    const bytes = base64(JSON.stringify(many));
    const stopped = imports.run({ bytes, options: {} }, mara, stop.signal);
    setImmediate(() => stop.abort());
    await expect(stopped).rejects.toThrow();
    const count = async () => (await store.db.selectFrom('tickets').select('id').execute()).length;
    expect([0, 200, 400, 600, 800, 1_000]).toContain(await count());
    expect(await imports.run({ bytes, options: {} }, mara, signal)).toMatchObject({ refused: [] });
    expect(await count()).toBe(1_200);
  });
});
