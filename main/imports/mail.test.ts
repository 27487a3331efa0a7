// Mails (mbox, EML) as tickets (ui "Use your own": CSV, JSON, mbox/EML; desk practice: "Thanks" does not reopen, machine mail
// never gets a draft, any message retires the draft).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../events.ts';
import { messagesOf } from '../store/messages.ts';
import { openStore, type Store } from '../store/open.ts';
import { changeRow, findRow } from '../store/queue.ts';
import { listTickets } from '../store/tickets.ts';
import { createImports, type Imports } from './imports.ts';
import { onlyThanks } from './thanks.ts';

const by = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
const { signal } = new AbortController();
let folder: string;
let store: Store;
let imports: Imports;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-mail-'));
  store = await openStore(path.join(folder, 'desk.db'));
  const clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
  imports = createImports({ store, clock, random: { hex: () => 'x' }, events: createEvents() });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const given = (file: string | Buffer) => ({ bytes: Buffer.from(file).toString('base64'), options: {} });
const run = (file: string | Buffer) => imports.run(given(file), by, signal);
type Fields = Record<string, string | null>;
const head = (minute: number, more: Fields = {}): string =>
  Object.entries<string | null>({
    From: 'Ines Duarte <Ines@Example.com>',
    To: 'help@fernhill.example',
    Subject: 'Saute pan',
    Date: `Thu, 26 Nov 2026 10:${String(minute).padStart(2, '0')}:00 +0100`,
    'Message-ID': `<m${minute}@example.com>`,
    ...more,
  })
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
    .join('\n');
const eml = (minute: number, body: string, more: Fields = {}): string => `${head(minute, more)}\n\n${body}\n`;
const mbox = (...mails: string[]): string =>
  mails.map((mail) => `From ines@example.com Thu Nov 26 10:00:00 2026\n${mail}\n`).join('');
const reply = { From: 'Help <help@fernhill.example>', To: 'ines@example.com', 'In-Reply-To': '<m1@example.com>' };
const again = { 'In-Reply-To': '<m1@example.com>', References: '<m0@example.com> <m1@example.com>' };

async function only() {
  const [ticket, ...others] = await listTickets(store.db);
  expect(others).toEqual([]);
  if (ticket === undefined) throw new Error('no ticket came in');
  return ticket;
}
async function thread(): Promise<string[]> {
  const { id } = await only();
  return (await messagesOf(store.db, id)).map(({ kind, body }) => `${kind}: ${body}`);
}
async function status() {
  return (await findRow(store.db, (await only()).id))?.row.status;
}
async function finish(): Promise<void> {
  const { id } = await only();
  const edition = (await findRow(store.db, id))?.row.edition ?? 0;
  await changeRow(store.db, { id, edition, by: by.id }, { status: 'done' });
}

describe('one mail (EML)', () => {
  it('is a ticket with its sender’s name and address, and the mail as it came', async () => {
    const file = eml(1, 'It came cracked.');
    expect(await imports.preview(given(file), by, signal)).toMatchObject({
      kind: 'mail',
      records: 1,
      questions: [],
      would: { added: 1 },
      samples: [{ customer: 'ines@example.com', customer_name: 'Ines Duarte', subject: 'Saute pan' }],
    });
    expect(await run(file)).toMatchObject({ added: 1, refused: [] });
    const ticket = await only();
    expect(ticket).toMatchObject({
      customer: 'ines@example.com',
      customer_name: 'Ines Duarte',
      body: 'It came cracked.',
      received_at: '2026-11-26T09:01:00.000Z',
      channel: 'email',
      machine: false,
    });
    const [kept] = await store.db.selectFrom('mails').selectAll().execute();
    expect(kept).toMatchObject({ id: 'm1@example.com', ticket: ticket.id });
    expect(Buffer.from(kept?.original ?? []).toString()).toBe(file);
    expect((await store.db.selectFrom('tickets').select('source_id').execute())[0]?.source_id).toBe(
      'mail/m1@example.com',
    );
  });
  it.each([
    ['CRLF line ends', Buffer.from(eml(1, 'Grüße\nzwei').replaceAll('\n', '\r\n')), 'Grüße\nzwei'],
    [
      'HTML alone',
      Buffer.from(
        eml(1, '<p>It&nbsp;is <b>cracked</b></p><script>x()</script><p>Ines</p>', {
          'Content-Type': 'text/html; charset=utf-8',
        }),
      ),
      'It is cracked\n\nInes',
    ],
    [
      'Latin-1 as it says',
      Buffer.from(eml(1, 'Größe', { 'Content-Type': 'text/plain; charset=iso-8859-1' }), 'latin1'),
      'Größe',
    ],
    [
      'quoted-printable windows-1252',
      Buffer.from(
        eml(1, 'Gr=F6=DFe =80 5', {
          'Content-Type': 'text/plain; charset="Windows-1252"',
          'Content-Transfer-Encoding': 'quoted-printable',
        }),
      ),
      'Größe € 5',
    ],
    [
      'an encoding nobody knows',
      Buffer.from(eml(1, 'plain words', { 'Content-Type': 'text/plain; charset=x-nobody' })),
      'plain words',
    ],
    [
      'Shift_JIS in base64',
      Buffer.from(
        eml(1, 'g3SDiYNDg3CDkw==', {
          'Content-Type': 'text/plain; charset=shift_jis',
          'Content-Transfer-Encoding': 'base64',
        }),
      ),
      'フライパン',
    ],
  ])('is read with %s', async (_, file, body) => {
    expect((await run(file)).refused).toEqual([]);
    expect((await only()).body).toBe(body);
  });
  it('with a plain and an HTML form and a file is its plain words and the file’s name', async () => {
    const part = (type: string, body: string, more = '') => `--b\nContent-Type: ${type}\n${more}\n${body}\n`;
    const inner = `${part('text/plain', 'Plain words')}${part('text/html', '<i>HTML words</i>')}${part('image/png; name="pan.png"', 'iVBOR', 'Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="pan.png"\n')}--b--`;
    await run(eml(1, inner, { 'Content-Type': 'multipart/mixed; boundary=b' }));
    const { body } = await only();
    expect(body).toMatch(/^Plain words/);
    expect(body).toMatch(/\[Attachment: pan\.png\]$/);
    expect(body).not.toContain('<i>');
  });
  it('has its encoded subject and name in letters, on one line', async () => {
    await run(
      eml(1, 'x', {
        Subject: '=?utf-8?B?R3LDtsOfZQ==?=\n =?iso-8859-1?Q?_ge=E4ndert?=',
        From: '=?utf-8?Q?In=C3=AAs?= <ines@example.com>',
      }),
    );
    expect(await only()).toMatchObject({ subject: 'Größe geändert', customer_name: 'Inês' });
  });
  it('without a Message-ID is the same mail the second time', async () => {
    const file = eml(1, 'x', { 'Message-ID': null });
    await run(file);
    expect(await run(file)).toMatchObject({ added: 0, unchanged: 1 });
  });
});

describe('a file of mails (mbox)', () => {
  it('is one ticket a thread, whatever order its mails stand in', async () => {
    const other = eml(9, 'Something else', { From: 'Tom <tom@example.com>' });
    const file = mbox(eml(3, 'And the lid?', again), other, eml(2, 'Sorry!', reply), eml(1, 'It came cracked.'));
    expect(await run(file)).toMatchObject({ added: 2, refused: [] });
    const tickets = await listTickets(store.db);
    expect(tickets.map(({ body }) => body)).toEqual(['It came cracked.', 'Something else']);
    const messages = await messagesOf(store.db, tickets[0]?.id ?? '');
    expect(messages.map(({ kind, body }) => `${kind}: ${body}`)).toEqual(['reply: Sorry!', 'customer: And the lid?']);
    expect(await run(file)).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
  });
  it('gives a line that began with From back, and is not cut at one', async () => {
    const body =
      '>From Monday on I am away.\n>>From quoted\n\nFrom what I see, it is cracked.\nFrom 10:30 to 11:00 I am in.';
    await run(mbox(eml(1, body), eml(9, 'y', { From: 'tom@example.com' })));
    const [first, second] = await listTickets(store.db);
    expect(first?.body).toBe(
      'From Monday on I am away.\n>From quoted\n\nFrom what I see, it is cracked.\nFrom 10:30 to 11:00 I am in.',
    );
    expect(second?.body).toBe('y');
  });
  it('says which mails stay out, by number and reason, and takes one that stands twice once', async () => {
    const file = mbox(
      eml(1, 'x'),
      eml(2, 'x', { From: null }),
      eml(3, '   '),
      eml(4, 'x', { Date: 'yesterday' }),
      eml(1, 'x'),
    );
    const done = await run(file);
    expect(done.added).toBe(1);
    expect(done.refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '2 it does not say who wrote it',
      '3 it has no words',
      '4 it has no date this desk can read',
    ]);
    expect(done.notes).toEqual(['Mail 5 is the same as mail 1: it comes in once.']);
  });
  it('names whose words they are where somebody else wrote into the thread', async () => {
    await run(mbox(eml(1, 'x'), eml(2, 'I am her brother.', { ...again, From: 'Rui <rui@example.com>' })));
    expect(await thread()).toEqual(['customer: [From: Rui <rui@example.com>]\nI am her brother.']);
  });
});

describe('a later mail of a thread that is here', () => {
  it('is a new message of its ticket, a new version, and opens it again', async () => {
    await run(eml(1, 'It came cracked.'));
    await finish();
    expect(await run(eml(3, 'And the lid?', again))).toMatchObject({ added: 0, updated: 1 });
    expect(await thread()).toEqual(['customer: And the lid?']);
    expect((await only()).version).toBe(2);
    expect(await status()).toBe('open');
    expect(await run(eml(3, 'And the lid?', again))).toMatchObject({ updated: 0, unchanged: 1 });
    expect((await only()).version).toBe(2);
  });
  it('of ours is a reply and opens nothing', async () => {
    await run(eml(1, 'It came cracked.'));
    await finish();
    await run(eml(2, 'Sorry!', reply));
    expect(await thread()).toEqual(['reply: Sorry!']);
    expect(await status()).toBe('done');
  });
  it('that only thanks opens nothing (desk practice)', async () => {
    await run(eml(1, 'It came cracked.'));
    await finish();
    await run(eml(3, 'Thank you so much!\n\nInes\n\nOn Thu, 26 Nov 2026, Help wrote:\n> Sorry, is it?', again));
    expect(await status()).toBe('done');
    await run(eml(4, 'Thanks, but it is still cracked', again));
    expect(await status()).toBe('open');
  });
  it.each([
    ['Thanks!', true],
    ['Vielen Dank für die schnelle Antwort\nMit freundlichen Grüßen\nInes Duarte', true],
    ['Thanks, the parcel arrived', false],
    ['Thanks?', false],
    ['Ok', false],
    ['Thank you, Bob', false],
  ])('thanks and nothing else: %j %s', (body, expected) => {
    expect(onlyThanks(body, 'Ines Duarte')).toBe(expected);
  });
});

describe('mail of a machine (RFC 3834)', () => {
  it.each([
    ['Auto-Submitted', 'auto-replied'],
    ['Precedence', 'bulk'],
    ['List-Id', '<news.example.com>'],
    ['Return-Path', '<>'],
  ])('comes in and is told apart by %s: %s', async (name, value) => {
    await run(eml(1, 'I am on holiday.', { [name]: value }));
    expect((await only()).machine).toBe(true);
    expect((await findRow(store.db, (await only()).id))?.row.machine).toBe(true);
  });
  it('is not what says "Auto-Submitted: no" or has a return path', async () => {
    await run(eml(1, 'x', { 'Auto-Submitted': 'no', 'Return-Path': '<ines@example.com>' }));
    expect((await only()).machine).toBe(false);
  });
  it('opens nothing again; a person who answers it makes it a person’s', async () => {
    await run(eml(1, 'It came cracked.'));
    await finish();
    await run(eml(3, 'I am on holiday.', { ...again, 'Auto-Submitted': 'auto-replied' }));
    expect(await status()).toBe('done');
    await store.db.updateTable('tickets').set({ machine: 1 }).execute();
    await run(eml(4, 'I am back.', again));
    expect(await only()).toMatchObject({ machine: false });
  });
});
