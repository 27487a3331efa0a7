// The cells of a table in text (RFC 4180 and what spreadsheets make of it): quoted cells over several lines, doubled quotes,
// any line ends, a `sep=` line. The delimiter is the one that gives the most rows the width of the first.
import { unreadable } from './unreadable.ts';

const delimiters = [',', ';', '\t', '|'] as const;
type Delimiter = (typeof delimiters)[number];

export interface CsvRow {
  /** Where it begins, from 1. */
  line: number;
  cells: string[];
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
  const reader = readRows(text, delimiter);
  try {
    for (const row of reader) if (rows.push(row) >= sampled) break;
  } catch {
    // A quote that never ends with this delimiter may end with another.
    return 0;
  }
  const width = rows[0]?.cells.length ?? 0;
  if (width < 2) return 0;
  const same = rows.filter(({ cells }) => cells.length === width).length / rows.length;
  return same * same * Math.min(width, 20);
}

/** Every row that is not empty. Failure `tickets.unreadable` where a quote is never closed. */
export function* readRows(text: string, delimiter: Delimiter): Generator<CsvRow> {
  let at = sepLine(text) === null ? 0 : text.indexOf('\n') + 1;
  let line = at === 0 ? 1 : 2;
  while (at < text.length) {
    const begun = line;
    const cells: string[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quoted(text, at, begun) : bare(text, at, delimiter);
      cells.push(cell.value);
      at = cell.end;
      line += cell.lines;
      if (text[at] !== delimiter) break;
      at++;
      if (cells.length >= mostColumns) throw unreadable(`line ${begun} has more than ${mostColumns} columns`);
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    line++;
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { line: begun, cells };
  }

  /** A quoted cell, and what stands between its end and the delimiter. */
  function quoted(all: string, from: number, row: number): { value: string; end: number; lines: number } {
    let end = from + 1;
    for (;;) {
      end = all.indexOf('"', end);
      if (end < 0) throw unreadable(`the quote opened in the row that begins in line ${row} is never closed`);
      if (all[end + 1] !== '"') break;
      end += 2;
    }
    const inside = all.slice(from + 1, end);
    const rest = bare(all, end + 1, delimiter);
    return {
      value: inside.replaceAll('""', '"').replace(/\r\n?/g, '\n') + rest.value.trimEnd(),
      end: rest.end,
      lines: inside.match(/\r\n|\n|\r/g)?.length ?? 0,
    };
  }
}

function bare(text: string, from: number, delimiter: Delimiter): { value: string; end: number; lines: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(from, end), end, lines: 0 };
}
