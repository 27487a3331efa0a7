// The cells of a table in text (RFC 4180 and what spreadsheets make of it): quoted cells over several lines, doubled quotes,
// any line ends, a `sep=` line. The delimiter is the one that gives the most rows the width of the first. A row whose quotes
// make no cells is told as broken, and the next line begins another.
import { unreadable } from './unreadable.ts';

const delimiters = [',', ';', '\t', '|'] as const;
type Delimiter = (typeof delimiters)[number];

export interface CsvRow {
  /** Where it begins and where it ends, from 1. */
  line: number;
  last: number;
  cells: string[];
  /** Why there are no more cells than these. */
  broken?: string;
}

/** Rows looked at to find the delimiter. */
const sampled = 100;
const mostColumns = 500;

/** The delimiter, and where the table begins; null where none makes two columns. */
export function sniffDelimiter(text: string): Delimiter | null {
  const said = sepLine(text);
  if (said !== null) return said;
  const scored = delimiters.map((delimiter) => ({ delimiter, score: fit(text, delimiter) }));
  const best = scored.reduce((one, two) => (two.score > one.score ? two : one));
  return best.score > 0 ? best.delimiter : null;
}
/** Excel's own first line `sep=;`. */
function sepLine(text: string): Delimiter | null {
  const found = /^"?sep=(.)"?\r?\n/i.exec(text)?.[1];
  return delimiters.find((one) => one === found) ?? null;
}

/** Columns of the first row, weighed by how many rows have as many. */
function fit(text: string, delimiter: Delimiter): number {
  const rows: CsvRow[] = [];
  for (const row of readRows(text, delimiter)) if (rows.push(row) >= sampled) break;
  const whole = rows.filter(({ broken }) => broken === undefined);
  const width = whole[0]?.cells.length ?? 0;
  if (width < 2) return 0;
  const same = whole.filter(({ cells }) => cells.length === width).length / rows.length;
  return same * same * Math.min(width, 20);
}

/** Every row that is not empty. Failure `tickets.unreadable` where one has too many columns. */
export function* readRows(text: string, delimiter: Delimiter): Generator<CsvRow> {
  let at = sepLine(text) === null ? 0 : text.indexOf('\n') + 1;
  let line = at === 0 ? 1 : 2;
  while (at < text.length) {
    const { end, ...row } = rowAt(text, at, line, delimiter);
    at = end;
    line = row.last + 1;
    if (row.broken !== undefined || row.cells.length > 1 || row.cells[0]?.trim() !== '') yield row;
  }
}

/** The row that begins here, and where the next one does; of a broken one that is the next line. */
function rowAt(text: string, from: number, line: number, delimiter: Delimiter): CsvRow & { end: number } {
  const cells: string[] = [];
  let at = from;
  let last = line;
  for (;;) {
    const cell = text[at] === '"' ? quoted(text, at, delimiter) : bare(text, at, delimiter);
    if ('broken' in cell) return { line, last: line, cells, ...cell, end: nextLine(text, bare(text, from).end) };
    cells.push(cell.value);
    at = cell.end;
    last += cell.lines;
    if (text[at] !== delimiter) return { line, last, cells, end: nextLine(text, at) };
    at++;
    if (cells.length >= mostColumns) throw unreadable(`line ${line} has more than ${mostColumns} columns`);
  }
}
function nextLine(text: string, at: number): number {
  const end = text[at] === '\r' ? at + 1 : at;
  return text[end] === '\n' ? end + 1 : end;
}

interface Cell {
  value: string;
  end: number;
  lines: number;
}
/** A quoted cell. Blanks may stand between its end and the delimiter. */
function quoted(text: string, from: number, delimiter: Delimiter): Cell | { broken: string } {
  let end = from + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) return { broken: 'a quotation mark is not closed' };
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const rest = bare(text, end + 1, delimiter);
  if (rest.value.trim() !== '')
    return {
      broken: `a quotation mark is not closed, or not doubled within a cell: “${rest.value.slice(0, 40).toWellFormed()}” comes after one`,
    };
  const inside = text.slice(from + 1, end);
  return {
    value: inside.replaceAll('""', '"').replace(/\r\n?/g, '\n'),
    end: rest.end,
    lines: inside.match(/\r\n|\n|\r/g)?.length ?? 0,
  };
}

/** What stands here up to the delimiter or the line's end. */
function bare(text: string, from: number, delimiter?: Delimiter): Cell {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(from, end), end, lines: 0 };
}
