// A table's rows as tickets: which column is which, how its times are meant, and what must be asked about both.
import { Failure } from '../../shared/failures.ts';
import type { ImportColumn, ImportField, ImportOptions, ImportQuestion } from '../../shared/imports.ts';
import { columnFields, columnNames, looksLikeNames, needed } from './columns.ts';
import { readRows, sniffDelimiter, type CsvRow } from './csvText.ts';
import { readOwn } from './own.ts';
import { readPriority } from './priorities.ts';
import { nameIn, type Read } from './record.ts';
import { askAboutTimes } from './timeQuestions.ts';
import { readTime, settle, type DayOrder, type Written } from './times.ts';
import { unreadable } from './unreadable.ts';

interface TableRecord {
  line: number;
  read: Read;
  /** JSON of the row as it came, by column name. */
  record: string;
}
export interface ReadTable {
  delimiter: string;
  columns: ImportColumn[];
  questions: ImportQuestion[];
  /** As far as can be read while questions are open. */
  records: TableRecord[];
  notes: string[];
}

/** Failures `tickets.unreadable`, `imports.option`. */
export function readTable(text: string, options: ImportOptions): ReadTable {
  const delimiter = options.delimiter ?? sniffDelimiter(text);
  if (delimiter === null)
    throw unreadable(
      'it is no JSON, and no comma, semicolon, tab or bar parts its rows into columns. It must be a table (CSV), a JSON array, or one JSON object a line',
    );
  const rows = [...readRows(text, delimiter)];
  const [first] = rows;
  if (first === undefined) throw unreadable('it is empty');
  if (first.broken !== undefined) throw unreadable(`in line ${first.line}, ${first.broken}`);
  const named = options.header === undefined ? looksLikeNames(first.cells) : options.header === 'names';
  const names = columnNames(named || options.header === undefined ? first.cells : first.cells.map(() => ''));
  checkColumns(names, options.columns ?? {});
  const fields = columnFields(names, options.columns ?? {});
  const body = named ? rows.slice(1) : rows;
  if (body.length === 0) throw unreadable('it has the names of columns and no row below them');
  const written = timesOf(body, fields);
  const { questions: timeQuestions, order } = askAboutTimes(written, options);
  const headerQuestion = named || options.header !== undefined ? [] : [askHeader(first)];
  return {
    delimiter,
    columns: names.map((name, index) => ({ name, field: fields[index] ?? 'other', values: firstValues(body, index) })),
    questions: [...headerQuestion, ...askColumns(names, fields), ...timeQuestions],
    records: body.map((row, index) =>
      recordOf(row, names, fields, { time: written[index] ?? { kind: 'none' }, order, zone: options.zone ?? null }),
    ),
    notes: strangePriorities(body, fields),
  };
}

function checkColumns(names: string[], given: Record<string, ImportField>): void {
  const strange = Object.keys(given).find((name) => !names.includes(name));
  if (strange !== undefined)
    throw new Failure('imports.option', `There is no column "${strange}". Columns: ${names.join(', ')}.`);
  const fields = Object.values(given).filter((field) => field !== 'other');
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) throw new Failure('imports.option', `Two columns cannot both hold ${twice}.`);
}

function askHeader({ cells }: CsvRow): ImportQuestion {
  return {
    name: 'header',
    text: `The first row does not look like names of columns: ${cells.slice(0, 4).join(' · ').slice(0, 200)}. What is it?`,
    choices: [
      { value: 'names', label: 'Names of the columns' },
      { value: 'ticket', label: 'The first ticket' },
    ],
  };
}

const words = { id: "the ticket's ID", body: 'what the customer wrote', received_at: 'when it came' };
function askColumns(names: string[], fields: ImportField[]): ImportQuestion[] {
  const missing = needed.filter((field) => !fields.includes(field));
  if (missing.length === 0) return [];
  const asked = missing.map((field) => `${words[field]} (${field})`).join(', and which ');
  return [{ name: 'columns', text: `Which column holds ${asked}? Columns: ${names.join(', ')}.`, choices: [] }];
}

function timesOf(rows: CsvRow[], fields: ImportField[]): Written[] {
  const column = fields.indexOf('received_at');
  return rows.map(({ cells }) => readTime(cells[column] ?? ''));
}
function strangePriorities(rows: CsvRow[], fields: ImportField[]): string[] {
  const column = fields.indexOf('priority');
  if (column === -1) return [];
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const cell = cells[column]?.trim() ?? '';
    if (readPriority(cell) === null) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
  return most.map(
    ([cell, count]) =>
      `“${cell.slice(0, 40)}” is no priority this desk knows: ${count === 1 ? '1 ticket comes' : `${count} tickets come`} in as normal; the word stays in the original record.`,
  );
}
function firstValues(rows: CsvRow[], column: number): string[] {
  const values: string[] = [];
  for (const { cells } of rows) {
    const value = cells[column]?.trim() ?? '';
    if (value !== '') values.push(value.slice(0, 120));
    if (values.length === 3) break;
  }
  return values;
}

function recordOf(
  { line, last, cells, broken }: CsvRow,
  names: string[],
  fields: ImportField[],
  { time, order, zone }: { time: Written; order: DayOrder | null; zone: string | null },
): TableRecord {
  const record = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
  const cell = (field: ImportField): string => cells[fields.indexOf(field)]?.trim() ?? '';
  const id = cell('id').slice(0, 128);
  const refuse = (why: string): TableRecord => ({
    line,
    record,
    read: { ok: false, ...(id === '' ? {} : { id }), why },
  });
  if (broken !== undefined) return refuse(broken);
  if (cells.length < names.length || cells.slice(names.length).some((one) => one.trim() !== '')) {
    const lines = last === line ? '' : `, and takes lines ${line} to ${last}: is a quotation mark not closed?`;
    return refuse(`it has ${cells.length} cells where there are ${names.length} columns${lines}`);
  }
  if (id === '') return refuse('it has no ID');
  if (cell('body') === '') return refuse('it has no text');
  const received = settle(time, order, zone);
  if (received === null) return refuse(`“${cell('received_at').slice(0, 60)}” is no time this desk can read`);
  const given = { id: cell('id'), subject: cell('subject'), body: cell('body'), received_at: received };
  const optional = {
    customer: cell('customer') || null,
    customer_name: nameIn(cell('customer_name')),
    channel: cell('channel') || null,
    priority: readPriority(cell('priority')),
  };
  return { line, record, read: readOwn({ ...given, ...optional }) };
}
