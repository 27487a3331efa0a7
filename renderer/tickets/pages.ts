// The stretch of a view that is held: at most ten pages of 200 rows. Pages that fell out at the top are known by where they
// began, those at the end by where the last one ends.
import type { TicketFilter, TicketRow } from '../../shared/queue.ts';

export interface Page {
  /** Where it begins, as the page before gave it. */
  from: string | null;
  rows: readonly TicketRow[];
  /** Where the next one begins; null at the end of the view. */
  next: string | null;
}
export interface Pages {
  /** Beginnings of the pages above the held ones. */
  above: readonly (string | null)[];
  held: readonly Page[];
}

export const pageRows = 200;
/** A search of fewer letters is none. */
export const shortest = 2;
const mostPages = 10;

export const noPages: Pages = { above: [], held: [] };

/** With one more page at the end; the first is let go where there are too many. */
export function grownDown({ above, held }: Pages, page: Page): Pages {
  const [first, ...rest] = held;
  return held.length < mostPages || first === undefined
    ? { above, held: [...held, page] }
    : { above: [...above, first.from], held: [...rest, page] };
}

/** With the page above the held ones again; the last is let go where there are too many. */
export function grownUp({ above, held }: Pages, page: Page): Pages {
  return { above: above.slice(0, -1), held: [page, ...held.slice(0, mostPages - 1)] };
}

export function rowsOf({ held }: Pages): TicketRow[] {
  return held.flatMap(({ rows }) => rows);
}

/** With one more row at a place among the held ones, or at their end. */
export function withRow({ above, held }: Pages, row: TicketRow, at: number): Pages {
  let before = 0;
  let put = false;
  const pages = held.map((page, n) => {
    const place = at - before;
    before += page.rows.length;
    if (put || (place > page.rows.length && n < held.length - 1)) return page;
    put = true;
    return { ...page, rows: page.rows.toSpliced(place, 0, row) };
  });
  return { above, held: pages };
}

interface Narrowed {
  filter: TicketFilter;
  pages: Pages;
  state: string;
}
function soFar(pages: Pages): string {
  const rows = pages.above.length * pageRows + rowsOf(pages).length;
  return `${rows}${(pages.held.at(-1)?.next ?? null) === null ? '' : '+'}`;
}
/** How many a search has found so far; null without one. */
export function foundWords({ filter, pages, state }: Narrowed): string | null {
  if ((filter.text?.trim() ?? '').length < shortest) return null;
  return state === 'loading' ? 'Searching…' : `${soFar(pages)} found`;
}
/** How many of a view a filter leaves, as far as they are listed; null without one. */
export function leftWords({ filter, pages, state }: Narrowed): string | null {
  if (Object.entries(filter).every(([name, one]) => name === 'text' || one === undefined)) return null;
  return state === 'loading' ? 'Looking…' : `${soFar(pages)} with this filter`;
}

/** Each row as `change` gives it, null to leave it out; the same pages where nothing came of it. */
export function mapped(pages: Pages, change: (row: TicketRow) => TicketRow | null): Pages {
  const touched = new Set<Page>();
  const held = pages.held.map((page) => {
    const rows = page.rows.map(change);
    if (rows.every((row, index) => row === page.rows[index])) return page;
    touched.add(page);
    return { ...page, rows: rows.filter((row) => row !== null) };
  });
  return touched.size > 0 ? { ...pages, held } : pages;
}
