import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Json } from '../shared/json.ts';
import { csvLine } from './csv.ts';
import { exportPart } from './exports.ts';
import { readRows } from './imports/csvText.ts';
import { readJsonText } from './imports/readImport.ts';
import { putTickets } from './imports/putTickets.ts';
import { insertCall, saveRequestState } from './store/calls.ts';
import { openStore, type Store } from './store/open.ts';
import { insertRun, saveDraft, saveKept } from './store/runs.ts';
import { saveSetting } from './store/settings.ts';

const at = '2026-11-20T10:00:00.000Z';
const folder = mkdtempSync(path.join(tmpdir(), 'desk-exports-'));
let store: Store;
const put = (into: Store, text: string) => {
  const { kind, incoming } = readJsonText(text);
  return putTickets(into, incoming, { kind, source: 'import', by: 'ada', at, dryRun: false });
};
const ticket = (n: number, more: object = {}) => ({
  id: `N-${String(n).padStart(4, '0')}`,
  customer: 'kara@example.com',
  subject: '=HYPERLINK("http://evil.example";"x")',
  body: `Line one,\r\n"two" ${n}`,
  received_at: at,
  ...more,
});
const call: Call = {
  id: 'call-1',
  method: 'tools/call',
  run: 'run-1',
  ticket: 'N-0001',
  n: 1,
  prefix: 'shop',
  tool: 'shop.find_order',
  arguments: { note: '@SUM(A1)' },
  origins: {},
  hash: 'h',
  configuration: 'c',
  definition: 'd',
  listed: true,
  state: 'result',
  round: 0,
  consent: null,
  asks: null,
  money: null,
  text: '-2+3',
  structured: { total: '-1.00' },
  detail: null,
  ms: 12,
  created_at: at,
  settled_at: at,
};

beforeAll(async () => {
  store = await openStore(path.join(folder, 'desk.db'));
  const messages = [
    { id: '7', kind: 'reply', body: '+49 341 1', at },
    { id: '8', kind: 'note', body: 'half \ud83d and \u0000', at },
  ];
  await put(store, JSON.stringify(Array.from({ length: 1_201 }, (_, n) => ticket(n, n === 1 ? { messages } : {}))));
  const run = {
    id: 'run-1',
    batch: null,
    ticket: 'N-0001',
    ticket_version: 1,
    state: 'ready',
    why: 'done',
    ask: null,
  } as const;
  await insertRun(store.db, {
    ...run,
    model: 'm',
    playbook: null,
    settings: {},
    turns: [],
    started_at: at,
    ended_at: at,
    ms: 5,
  });
  await saveKept(store.db, 'run-1', { secret: 'kept-secret' });
  const draft = { run: 'run-1', ticket: 'N-0001', ticket_version: 1, text: 'Hello', claims: [], blocked: false };
  await saveDraft(store.db, { ...draft, skeleton: null, at });
  await insertCall(store.db, call, 'ada');
  await saveRequestState(store.db, 'call-1', 0, 'state-secret');
  await saveSetting(store.db, 'x', 'setting-secret', at);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function whole(what: 'tickets' | 'calls' | 'runs', format: 'csv' | 'json'): Promise<string> {
  let text = '';
  for (let after: string | null = null; ;) {
    const part = await exportPart(store, { what, format, after });
    text += part.text;
    if (part.next === null) return text;
    after = part.next;
  }
}
const parsed = async (what: 'tickets' | 'calls' | 'runs') => JSON.parse(await whole(what, 'json')) as Json[];

describe('a cell', () => {
  it.each(['=1', '+1', '-1', '@x', '\tx', '\rx', ' =1', '\u0000=1', '＝1', '\n=1'])('%j is no formula', (text) => {
    const [row] = [...readRows(csvLine([text, 'x']), ',')];
    expect(row?.cells[0]?.startsWith("'")).toBe(true);
  });
  it.each(['a=b', '1-2', 'x@y.example', '', 'a,b', '"q"', 'two\nlines', ' spaced '])('%j stays as it is', (text) => {
    expect([...readRows(csvLine([text, 'x']), ',')][0]?.cells).toEqual([text, 'x']);
  });
  it('a number stays a number', () => {
    expect(csvLine([-5, true, null])).toBe('-5,true,\r\n');
  });
});

describe('an export', () => {
  it('is one table, whatever parts it comes in, safe against formulas', async () => {
    const text = await whole('tickets', 'csv');
    expect(text.startsWith('\ufeffid,customer,customer_name,subject')).toBe(true);
    const rows = [...readRows(text.slice(1), ',')];
    expect(rows).toHaveLength(1_202);
    expect(new Set(rows.map(({ cells }) => cells.length)).size).toBe(1);
    expect(rows[2]?.cells.slice(0, 5)).toEqual([
      'N-0001',
      'kara@example.com',
      '',
      '\'=HYPERLINK("http://evil.example";"x")',
      'Line one,\n"two" 1',
    ]);
    const calls = await whole('calls', 'csv');
    expect(calls).toContain(",'-2+3,");
    expect([...readRows(calls.slice(1), ',')][1]?.cells).toContain('{"note":"@SUM(A1)"}');
  });
  it('is one JSON document', async () => {
    expect(await parsed('tickets')).toHaveLength(1_201);
    expect(await parsed('calls')).toEqual([call]);
    expect(await parsed('runs')).toMatchObject([{ id: 'run-1', draft: { text: 'Hello' } }]);
  });
  it('of nothing is an empty list', async () => {
    const empty = await openStore(path.join(folder, 'empty.db'));
    for (const what of ['tickets', 'calls', 'runs'] as const)
      expect(JSON.parse((await exportPart(empty, { what, format: 'json', after: null })).text)).toEqual([]);
    await empty.close();
  });
  it('holds no secret: no state of a question, no recording, no setting (trust 9)', async () => {
    for (const what of ['tickets', 'calls', 'runs'] as const)
      for (const format of ['csv', 'json'] as const) expect(await whole(what, format)).not.toContain('secret');
  });
  it('of tickets comes in again as what it was: here nothing changes, elsewhere the thread is whole', async () => {
    const text = await whole('tickets', 'json');
    const other = await openStore(path.join(folder, 'other.db'));
    expect(await put(other, text)).toMatchObject({ added: 1_201 });
    expect((await exportPart(other, { what: 'tickets', format: 'json', after: null })).text).toBe(
      (await exportPart(store, { what: 'tickets', format: 'json', after: null })).text,
    );
    await other.close();
    const before = await whole('tickets', 'json');
    await put(store, text);
    expect(await whole('tickets', 'json')).toBe(before);
  });
});
