import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from './store/open.ts';
import { createTickets, type Tickets } from './tickets.ts';

let folder: string;
let store: Store;
let tickets: Tickets;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-tickets-'));
  store = await openStore(join(folder, 'desk.db'));
  tickets = createTickets(store, { now: () => Date.parse('2026-11-20T10:00:00Z') });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const label = { kind: 'refund', first_tool: 'quote_refund', refund: { amount: '23.98', due: true } };
function record(id: unknown, more: object = {}): object {
  return { id, customer: 'C-1', subject: 'Hello', body: 'Where is it?', received_at: '2026-11-03T13:05:00Z', ...more };
}
function lines(...all: (object | string)[]): string {
  return all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
}
const from = { source: 'import' } as const;
async function bring(text: string) {
  return tickets.importText(text, from);
}

describe('a tickets file', () => {
  it('comes in as an array or as lines, with a byte order mark or any line ends', async () => {
    const text = `\ufeff${lines(record('A'), record('B')).replaceAll('\n', '\r\n')}\r\n\r\n`;
    expect(await bring(text)).toMatchObject({ added: 2, refused: [], ids: ['A', 'B'] });
    expect(await bring(`\ufeff [${JSON.stringify(record('C'))}]`)).toMatchObject({ added: 1 });
    expect((await tickets.list()).map((one) => one.id)).toEqual(['A', 'B', 'C']);
  });

  it('names a bad record by line and reason, and brings in the others', async () => {
    const text = lines(record('A'), '{"id": "B", "bo', record(''), record('D', { body: null }), '"E"', '', record('F'));
    const result = await bring(text);
    expect(result).toMatchObject({ added: 2, ids: ['A', 'F'] });
    expect(result.refused.map(({ line, id }) => [line, id])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, 'D'],
      [5, undefined],
    ]);
    expect(result.refused[2]?.reason).toContain('body');
  });

  it('names the place in an array', async () => {
    const result = await bring(JSON.stringify([record('A'), 7, record('A', { body: 'other' })]));
    expect(result.refused.map((one) => one.line)).toEqual([2, 3]);
    expect(result.added).toBe(1);
  });

  for (const [what, text] of Object.entries({
    'is cut off': `[${JSON.stringify(record('A'))},`,
    'is empty': ' \n',
    'is something else': 'id;subject\n1;Hello',
  }))
    it(`stores nothing when it ${what}`, async () => {
      await expect(bring(text)).rejects.toMatchObject({ code: 'tickets.unreadable' });
      expect(await tickets.list()).toEqual([]);
    });

  it('stores nothing when it is no UTF-8', async () => {
    const file = join(folder, 'latin.json');
    writeFileSync(file, Buffer.from(JSON.stringify([record('A', { body: 'Größe' })]), 'latin1'));
    await expect(tickets.importFile(file, from)).rejects.toMatchObject({ code: 'tickets.unreadable' });
    expect(await tickets.list()).toEqual([]);
  });

  it('reads times with one meaning as UTC and refuses the rest', async () => {
    const times = ['2026-04-03T08:15:00+02:00', 1_775_196_900, 1_775_196_900_000, '1775196900'];
    const wrong = ['2026-02-31T10:00:00Z', '2026-04-03T08:15:00', '3.4.2026', -1, '1969-12-31T23:59:59Z', 9e17, null];
    const all = [...times, ...wrong].map((received_at, index) => record(`T${index}`, { received_at }));
    const result = await bring(lines(...all));
    const got = (await tickets.list()).map((one) => one.received_at);
    expect(got).toEqual(times.map(() => '2026-04-03T06:15:00.000Z'));
    expect(result.refused.map((one) => one.line)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps odd values from doing harm', async () => {
    const odd = '{"id":"P","__proto__":{"polluted":true},"body":"kept","received_at":"2026-11-15T08:00:00Z"}';
    const half = record(1008, { body: 'before\u0000middle\ud83dafter', customer: 'Kara <kara@example.com>' });
    const result = await bring(`${odd}\n${JSON.stringify(half)}\n{"id":9007199254740993,"body":"x"}`);
    expect(result).toMatchObject({ added: 2, refused: [{ line: 3 }] });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await tickets.find('1008')).toMatchObject({
      body: 'before\u0000middle\ufffdafter',
      customer: 'kara@example.com',
    });
    expect((await bring(odd)).unchanged).toBe(1);
  });

  it('comes in whole when it is larger than one transaction', async () => {
    const all = Array.from({ length: 1_203 }, (_, index) => record(`N-${index}`));
    expect(await bring(JSON.stringify(all))).toMatchObject({ added: 1_203 });
    expect(await tickets.list()).toHaveLength(1_203);
  });
});

describe('the same file again', () => {
  const text = lines(record('A', { label }), record('B'));

  it('changes nothing', async () => {
    await bring(text);
    const before = await tickets.list();
    expect(await bring(text)).toMatchObject({ added: 0, updated: 0, unchanged: 2, ids: ['A', 'B'] });
    expect(await tickets.list()).toEqual(before);
  });

  it('with another text makes a new version of that ticket only', async () => {
    await bring(text);
    expect(await bring(lines(record('A', { label }), record('B', { body: 'Second thoughts.' })))).toMatchObject({
      updated: 1,
      unchanged: 1,
    });
    expect(await tickets.find('B')).toMatchObject({ version: 2, body: 'Second thoughts.' });
    expect(await tickets.find('A')).toMatchObject({ version: 1 });
  });

  it('with another label leaves the version alone', async () => {
    await bring(text);
    expect(await bring(lines(record('A', { label: { ...label, kind: 'other' } })))).toMatchObject({ updated: 1 });
    expect(await tickets.find('A')).toMatchObject({ version: 1 });
    expect((await tickets.labels()).get('A')?.kind).toBe('other');
  });

  it('from another source is another ticket', async () => {
    await tickets.importText(text, { source: 'sample' });
    expect((await bring(text)).ids).toEqual(['import:A', 'import:B']);
    expect((await bring(text)).unchanged).toBe(2);
    expect(await tickets.list()).toHaveLength(4);
  });
});

describe('a dry run', () => {
  it('says what would happen and stores nothing', async () => {
    await bring(lines(record('A')));
    const text = lines(record('A', { body: 'new' }), record('B', { label }), record(''));
    const tried = await tickets.importText(text, { ...from, dryRun: true });
    expect(tried).toMatchObject({ added: 1, updated: 1, refused: [{ line: 3 }] });
    expect(await tickets.list()).toHaveLength(1);
    expect((await tickets.labels()).size).toBe(0);
    expect(await bring(text)).toEqual(tried);
  });
});

describe('labels (cli, "Files")', () => {
  it('are kept apart from ticket and record: only the score meets them', async () => {
    await bring(lines(record('A', { label })));
    expect((await tickets.labels()).get('A')).toEqual(label);
    const rows = JSON.stringify(await store.db.selectFrom('tickets').selectAll().execute());
    expect(rows).toContain('Where is it?');
    expect(rows).not.toContain('quote_refund');
  });
});
