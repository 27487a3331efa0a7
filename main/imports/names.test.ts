// What customers are called, from every kind of file to the row, the search and the filter (ui "Queue": the row shows the customer).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../shared/imports.ts';
import { createEvents } from '../events.ts';
import { openStore, type Store } from '../store/open.ts';
import { findRow, pageRows } from '../store/queue.ts';
import { createSearching } from '../store/searching.ts';
import { findTicket } from '../store/tickets.ts';
import { createImports, type Imports } from './imports.ts';

const by = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
const { signal } = new AbortController();
let folder: string;
let store: Store;
let imports: Imports;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-names-'));
  store = await openStore(path.join(folder, 'desk.db'));
  const clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
  imports = createImports({ store, clock, random: { hex: () => 'x' }, events: createEvents() });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (text: string, options: ImportOptions = {}) =>
  imports.run({ bytes: Buffer.from(text).toString('base64'), options }, by, signal);
async function named(id: string): Promise<[string | null, string | null]> {
  const { row } = (await findRow(store.db, id)) ?? {};
  const ticket = await findTicket(store.db, id);
  expect(row?.customer_name).toBe(ticket?.customer_name);
  return [row?.customer ?? null, row?.customer_name ?? null];
}
const at = '2026-11-03T13:05:00Z';
const own = (more: object) => JSON.stringify([{ id: 'A-1', body: 'Hello', received_at: at, ...more }]);

describe('the name of a customer', () => {
  it.each([
    [{ customer: 'C-0062', customer_name: 'Ines Duarte' }, ['C-0062', 'Ines Duarte']],
    [{ customer: '"Duarte, Ines" <ines@example.com>' }, ['ines@example.com', 'Duarte, Ines']],
    [{ customer: 'ines@example.com' }, ['ines@example.com', null]],
    [{ customer: 'C-0062', customer_name: '  Ines\n Duarte ' }, ['C-0062', 'Ines Duarte']],
    [{ customer_name: '' }, [null, null]],
  ])('comes in our own JSON: %j', async (more, expected) => {
    expect((await run(own(more))).refused).toEqual([]);
    expect(await named('A-1')).toEqual(expected);
  });
  it('longer than 200 letters is refused in our own JSON, by its field', async () => {
    const { refused } = await run(own({ customer_name: 'x'.repeat(201) }));
    expect(refused[0]?.reason).toContain('customer_name');
  });
  it.each([
    ['Ticket ID,Name,Email,Message,Created', ['ines@example.com', 'Ines Duarte']],
    ['Ticket ID,Customer name,Customer email,Message,Created', ['ines@example.com', 'Ines Duarte']],
    ['Ticket ID,Requester,Requester email,Message,Created', ['ines@example.com', 'Ines Duarte']],
    ['Ticketnummer,Kunde,E-Mail,Nachricht,Eingegangen am', ['ines@example.com', 'Ines Duarte']],
  ])('comes in a table with the columns %s', async (head, expected) => {
    await run(`${head}\nD-1,Ines Duarte,ines@example.com,Hello,${at}\n`);
    expect(await named('D-1')).toEqual(expected);
  });
  it('may be a column somebody chose', async () => {
    const options = { columns: { Wer: 'customer_name', Email: 'customer' } } as const;
    await run(`id,Wer,Email,body,received_at\nD-1,Ines Duarte,ines@example.com,Hello,${at}\n`, options);
    expect(await named('D-1')).toEqual(['ines@example.com', 'Ines Duarte']);
  });
  it('is the requester’s in Zendesk’s export: of the users beside, of the ticket, or of the mail', async () => {
    const ticket = { created_at: at, requester_id: 7, raw_subject: 'Pan', description: 'It broke' };
    const users = [{ id: 7, name: 'Ines Duarte', email: 'ines@example.com', role: 'end-user' }];
    const inside = { ...ticket, id: 2, requester_id: 8, requester: { name: 'Tom Okafor', email: 'tom@example.com' } };
    const via = { channel: 'email', source: { from: { address: 'ana@example.com', name: 'Ana Ruiz' } } };
    const mail = { ...ticket, id: 3, requester_id: 9, via };
    await run(JSON.stringify({ tickets: [{ ...ticket, id: 1 }, inside, mail], users }));
    expect(await Promise.all(['1', '2', '3'].map(named))).toEqual([
      ['ines@example.com', 'Ines Duarte'],
      ['tom@example.com', 'Tom Okafor'],
      ['ana@example.com', 'Ana Ruiz'],
    ]);
  });
  it('is the contact’s in Chatwoot’s export, else the sender’s of the first message', async () => {
    const message = { id: 1, content: 'Hello', message_type: 0, created_at: 1_793_700_000 };
    const one = { inbox_id: 1, meta: { sender: { name: 'Ines Duarte', email: 'ines@example.com' } } };
    const two = { inbox_id: 1, meta: { channel: 'Channel::Email' } };
    await run(
      JSON.stringify([
        { ...one, id: 1, messages: [message] },
        { ...two, id: 2, messages: [{ ...message, sender: { name: 'Tom Okafor' } }] },
      ]),
    );
    expect(await Promise.all(['1', '2'].map(named))).toEqual([
      ['ines@example.com', 'Ines Duarte'],
      [null, 'Tom Okafor'],
    ]);
  });
});

describe('a name in the queue', () => {
  it('is found by the search and by the filter, as the ID is', async () => {
    await run(own({ customer: 'C-0062', customer_name: 'Inês Duarte' }));
    const view = { view: 'all', by: by.id, after: null, limit: 9 } as const;
    for (const customer of ['Inês Duarte', 'C-0062'])
      expect((await pageRows(store.db, { ...view, filter: { customer } })).rows).toHaveLength(1);
    expect((await pageRows(store.db, { ...view, filter: { customer: 'Duarte' } })).rows).toEqual([]);
    const searching = createSearching(store.file);
    try {
      const { found } = await searching.search({ ...view, match: '"ines" *', filter: {} }, signal);
      expect(found.map(({ row }) => row.customer_name)).toEqual(['Inês Duarte']);
    } finally {
      await searching.close();
    }
  });
  it('that comes later is taken over without retiring a draft: the thread is the same', async () => {
    await run(own({ customer: 'C-0062' }));
    expect(await run(own({ customer: 'C-0062', customer_name: 'Ines Duarte' }))).toMatchObject({ updated: 1 });
    expect(await findTicket(store.db, 'A-1')).toMatchObject({ customer_name: 'Ines Duarte', version: 1 });
    expect(await named('A-1')).toEqual(['C-0062', 'Ines Duarte']);
  });
});
