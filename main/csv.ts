// Tables for spreadsheets (RFC 4180, UTF-8 with a byte order mark): a cell that a spreadsheet would take for a formula is marked
// as text by an apostrophe.
export type Cell = string | number | boolean | null;

export const csvBegin = '\ufeff';

export function csvLine(cells: Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** Also the wide forms of the signs, which some spreadsheets read alike. */
const formula = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
