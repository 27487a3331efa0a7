// Tables as spreadsheets and suites write them, and the damage they come with.
import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../shared/imports.ts';
import { readImport } from './readImport.ts';

const head = 'id,customer,subject,body,received_at';
const read = (text: string, options: ImportOptions = {}) => readImport(Buffer.from(text), { zone: 'UTC', ...options });
/** A table of one ticket whose time is given. */
const at = (time: string, options: ImportOptions = {}) => read(`${head}\nT-1,a@example.com,x,hello,"${time}"`, options);
const timeOf = (time: string, options: ImportOptions = {}) => at(time, options).incoming[0]?.ticket.received_at;

describe('delimiters', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ])('%s', (_, sign) => {
    const text = `${head.replaceAll(',', sign)}\nT-1${sign}a@example.com${sign}x${sign}"one, two; three | four\tfive"${sign}2026-11-03T10:00:00Z\n`;
    expect(read(text)).toMatchObject({
      table: { delimiter: sign },
      questions: [],
      incoming: [{ line: 2, ticket: { id: 'T-1', body: 'one, two; three | four\tfive' } }],
    });
  });
  it('as Excel says them in a first line', () => {
    const text = `sep=;\r\n${head.replaceAll(',', ';')}\r\nT-1;a;x;"a,b,c,d,e,f";2026-11-03T10:00:00Z`;
    expect(read(text)).toMatchObject({
      table: { delimiter: ';' },
      incoming: [{ line: 3, ticket: { body: 'a,b,c,d,e,f' } }],
    });
  });
});

describe('cells', () => {
  it.each(['\n', '\r\n', '\r'])('over lines that end in %j keep their line numbers', (end) => {
    const text = [
      head,
      'T-1,a,x,"one',
      'two ""three""",2026-11-03T10:00:00Z',
      '',
      'T-2,a,x,four,2026-11-03T10:00:00Z',
      '',
    ].join(end);
    expect(read(text).incoming.map(({ line, ticket }) => [line, ticket.body])).toEqual([
      [2, 'one\ntwo "three"'],
      [5, 'four'],
    ]);
  });
  it('too few or too many refuse their row alone', () => {
    const text = `${head}\nT-1,a,x,hello\nT-2,a,x,hello, there,2026-11-03T10:00:00Z\nT-3,a,x,hello,2026-11-03T10:00:00Z,,\n`;
    const { incoming, refused } = read(text);
    expect(incoming.map(({ ticket }) => ticket.id)).toEqual(['T-3']);
    expect(refused).toEqual([
      { line: 2, id: 'T-1', reason: 'it has 4 cells where there are 5 columns' },
      { line: 3, id: 'T-2', reason: 'it has 6 cells where there are 5 columns' },
    ]);
  });
  describe('whose quotes are doubtful refuse their row alone, and the next line begins another', () => {
    const time = '2026-11-03T10:00:00Z';
    const good = `T-2,a,"Subject, ""two""","Body\ntwo",${time}`;
    it.each([
      ['a quote that closes in the next row', `T-1,a,"unclosed, body,${time}`, 'not closed, or not doubled'],
      ['a quote that is not doubled', `T-1,a,"a "good" pan",body,${time}`, '“good" pan"” comes after one'],
    ])('%s', (_, row, words) => {
      const { incoming, refused, records } = read([head, row, good, `T-3,a,x,three,${time}`].join('\n'));
      expect(incoming.map(({ line, ticket }) => [line, ticket.id, ticket.subject, ticket.body])).toEqual([
        [3, 'T-2', 'Subject, "two"', 'Body\ntwo'],
        [5, 'T-3', 'x', 'three'],
      ]);
      expect(refused).toEqual([{ line: 2, id: 'T-1', reason: expect.stringContaining(words) as string }]);
      expect(records).toBe(3);
    });
    it.each(['\n', '\r\n', '\r'])('a quote open to the end of a file whose lines end in %j', (end) => {
      const rows = [head, good.replace('\n', end), 'T-4,a,x,"open', `T-3,a,x,three,${time}`, 'not a row'];
      const { incoming, refused } = read(rows.join(end));
      expect(incoming.map(({ line, ticket }) => [line, ticket.id])).toEqual([
        [2, 'T-2'],
        [5, 'T-3'],
      ]);
      expect(refused).toEqual([
        { line: 4, id: 'T-4', reason: 'a quotation mark is not closed' },
        { line: 6, id: 'not a row', reason: 'it has 1 cells where there are 5 columns' },
      ]);
    });
    it('a row of more lines with too few cells names them all', () => {
      const { incoming, refused } = read([head, 'T-1,"x', `T-2,a,5",body,${time}`, good].join('\n'));
      expect(incoming.map(({ line }) => line)).toEqual([4]);
      expect(refused).toEqual([
        {
          line: 2,
          id: 'T-1',
          reason: 'it has 4 cells where there are 5 columns, and takes lines 2 to 3: is a quotation mark not closed?',
        },
      ]);
    });
    it('blanks after a quote are none of it', () => {
      expect(read(`${head}\nT-1 ,a, x,"hello" \t,${time}`).incoming).toMatchObject([{ ticket: { body: 'hello' } }]);
    });
  });
  it('without ID or text, or with an ID that stood before, refuse their row alone', () => {
    const row = (id: string, body: string) => `${id},a,x,${body},2026-11-03T10:00:00Z`;
    const { incoming, refused } = read(
      [head, row('', 'x'), row('T-1', ' '), row('T-2', 'x'), row('T-2', 'y')].join('\n'),
    );
    expect(incoming).toHaveLength(1);
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'it has no ID'],
      [3, 'it has no text'],
      [5, 'the id already stands at 4'],
    ]);
  });
  it('keep the record as it came, whatever the columns are called', () => {
    const { incoming } = read(`${head},__proto__,Amount,Amount\nT-1,a,x,hello,2026-11-03T10:00:00Z,p,"1.249,00",`);
    expect(incoming[0]?.record).toContain('"__proto__":"p","Amount":"1.249,00","Amount (2)":""');
  });
});

describe('a table that cannot be read as a whole', () => {
  it.each([
    ['a quote in its names that is never closed', `id,"customer,body\nT-1,a,hello\nT-2,a,there`],
    ['one column', 'hello\nthere'],
    ['names and no row', head],
    ['blank lines', '\n\n  \n'],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow('Nothing was stored.');
  });
});

describe('columns', () => {
  it.each([
    ['Ticketnummer;Kunde;Betreff;Beschreibung;Erstellt am', ['id', 'customer', 'subject', 'body', 'received_at']],
    ['N° de ticket;Adresse e-mail;Objet;Message;Créé le', ['other', 'customer', 'subject', 'body', 'received_at']],
    ['Ticket ID;From;Title;Text;Date', ['id', 'customer', 'subject', 'body', 'received_at']],
    ['Datum;Erstellt am;ID;Ticket ID;Nachricht', ['other', 'received_at', 'id', 'other', 'body']],
  ])('%s', (names, fields) => {
    expect(read(`${names}\n1;2;3;4;5`).table?.columns.map(({ field }) => field)).toEqual(fields);
  });
  it('of priorities are read in the words of several languages; what is none comes in as normal and is said', () => {
    const words = ['Urgent', 'hoch', 'Élevée', 'P4', '', 'Sev 2', 'Sev 2'];
    const rows = words.map((word, n) => `T-${n},a,x,hello,2026-11-03T10:00:00Z,${word}`);
    const { incoming, notes } = read([`${head},Priorität`, ...rows].join('\n'));
    expect(incoming.map(({ ticket }) => ticket.priority)).toEqual([
      ...['urgent', 'high', 'high', 'low'],
      ...['normal', 'normal', 'normal'],
    ]);
    expect(notes).toEqual([
      '“Sev 2” is no priority this desk knows: 2 tickets come in as normal; the word stays in the original record.',
    ]);
  });
  it('that are missing are asked, and answered by their names', () => {
    const text = 'Foo,Bar,When\nT-1,hello,2026-11-03T10:00:00Z';
    const asked = read(text);
    expect(asked.questions).toMatchObject([
      { name: 'columns', text: expect.stringContaining('Foo, Bar, When') as string },
    ]);
    const columns = { Foo: 'id', Bar: 'body', When: 'received_at' } as const;
    expect(read(text, { columns })).toMatchObject({
      questions: [],
      incoming: [{ ticket: { id: 'T-1', body: 'hello' } }],
    });
    expect(() => read(text, { columns: { Nope: 'id' } })).toThrow('no column "Nope"');
    expect(() => read(text, { columns: { Foo: 'id', Bar: 'id' } })).toThrow('Two columns');
  });
  it('without names: a first row that looks like a ticket is asked about, and is one if a person says so', () => {
    const text = 'T-1,a@example.com,hello,2026-11-03 10:00\nT-2,b@example.com,there,2026-11-03 11:00';
    expect(read(text).questions[0]?.name).toBe('header');
    const columns = { 'Column 1': 'id', 'Column 3': 'body', 'Column 4': 'received_at' } as const;
    const { incoming } = read(text, { header: 'ticket', columns });
    expect(incoming.map(({ line, ticket }) => [line, ticket.id])).toEqual([
      [1, 'T-1'],
      [2, 'T-2'],
    ]);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-03T14:05:00+02:00', '2026-11-03T12:05:00.000Z'],
    ['2026-11-03 14:05', '2026-11-03T13:05:00.000Z'],
    ['2026/11/3 14:05:06', '2026-11-03T13:05:06.000Z'],
    ['03.11.2026 14:05', '2026-11-03T13:05:00.000Z'],
    ['3.11.26', '2026-11-02T23:00:00.000Z'],
    ['31/10/2026 2:05 PM', '2026-10-31T13:05:00.000Z'],
    ['10/31/2026 12:05 AM', '2026-10-30T23:05:00.000Z'],
    ['3 Nov 2026 14:05', '2026-11-03T13:05:00.000Z'],
    ['Nov 3, 2026 2:05 PM', '2026-11-03T13:05:00.000Z'],
    ['Dienstag, 3. November 2026, 14:05 Uhr', '2026-11-03T13:05:00.000Z'],
    ['Tue, 03 Nov 2026 14:05:00 +0100 (CET)', '2026-11-03T13:05:00.000Z'],
    ['2026-11-03 14:05:00 UTC', '2026-11-03T14:05:00.000Z'],
    ['1775196900', '2026-04-03T06:15:00.000Z'],
    ['1775196900000', '2026-04-03T06:15:00.000Z'],
    // The hour that comes twice is the first of the two.
    ['25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
  ])('%s', (written, instant) => {
    expect(timeOf(written, { zone: 'Europe/Berlin' })).toBe(instant);
  });
  it.each([
    '31.02.2026 10:00',
    '2026-02-29 10:00',
    '29.03.2026 02:30',
    '2026-11-03 25:00',
    '13:05 PM',
    '46329.58',
    '2026-11-03 14:05 EST',
    '13/13/2026',
    '31.12.1969',
    '-1',
    'yesterday',
    '',
  ])('%j is none: its row is refused by what stood there', (written) => {
    const { incoming, refused } = at(written, { zone: 'Europe/Berlin', dates: 'day first' });
    expect([incoming, refused]).toEqual([
      [],
      [{ line: 2, id: 'T-1', reason: `“${written}” is no time this desk can read` }],
    ]);
  });
  it('with a day above twelve say the order for the whole file', () => {
    const rows = (...times: string[]) => [head, ...times.map((time, n) => `T-${n},a,x,hello,${time}`)].join('\n');
    const first = (text: string) => read(text).incoming[0]?.ticket.received_at.slice(0, 10);
    expect(first(rows('03/04/2026', '13/04/2026'))).toBe('2026-04-03');
    expect(first(rows('03/04/2026', '04/13/2026'))).toBe('2026-03-04');
    expect(first(rows('04/04/2026', '05/05/2026'))).toBe('2026-04-04');
    const mixed = rows('13/04/2026', '04/13/2026');
    expect(read(mixed).questions.map(({ name }) => name)).toEqual(['dates']);
    expect(read(mixed, { dates: 'day first' })).toMatchObject({ incoming: [{ line: 2 }], refused: [{ line: 3 }] });
  });
  it('of a zone that is none are not read', () => {
    expect(() => at('2026-11-03 10:00', { zone: 'Mars/Olympus' })).toThrow('no time zone "Mars/Olympus"');
  });
});
