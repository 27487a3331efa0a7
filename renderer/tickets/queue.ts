// The queue as this view holds it: one view of tickets, page by page, kept true by events; what is marked; what is counted.
// A ticket that leaves the view while it is open stays in its row until the person moves on: nothing jumps.
import { createStore } from 'zustand/vanilla';
import { belongs } from '../../shared/belongs.ts';
import type { Change } from '../../shared/contract.ts';
import { reason } from '../../shared/failures.ts';
import type { TicketCounts, TicketFilter, TicketRow, TicketView } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';
import {
  grownDown,
  grownUp,
  mapped,
  noPages,
  pageRows,
  rowsOf,
  shortest,
  withRow,
  type Page,
  type Pages,
} from './pages.ts';

export interface QueueState {
  view: TicketView;
  filter: TicketFilter;
  pages: Pages;
  /** Grows with every list that is shown anew: from its beginning. */
  shown: number;
  /** Of a search: the stretch around what was found, by ticket. */
  excerpts: ReadonlyMap<string, string>;
  counts: TicketCounts | null;
  /** Rows as they were seen last, also those that left the held pages: what is done to them carries their edition. */
  marked: ReadonlyMap<string, TicketRow>;
  /** `more`: a further page is on its way. */
  state: 'loading' | 'ready' | 'more' | 'failed';
  failed: string | null;
}

export function createQueue(deps: {
  desk: Pick<Desk, 'ask'>;
  me: () => string | null;
  /** The ticket that is open. */
  open: () => string | null;
  soon?: (work: () => void) => void;
}) {
  const { desk, soon = later } = deps;
  const store = createStore<QueueState>(() => ({
    view: 'unassigned',
    filter: {},
    pages: noPages,
    shown: 0,
    excerpts: new Map(),
    counts: null,
    marked: new Map(),
    state: 'loading',
    failed: null,
  }));
  let turn = 0;
  /** Ends what is asked for a list that is no longer wanted. */
  let asking = new AbortController();
  let loading: Promise<void> = Promise.resolve();
  let dirty = false;
  /** What is to be listed is not what the held pages are of. */
  let another = false;

  function searched(): string | null {
    const text = store.getState().filter.text?.trim() ?? '';
    return text.length >= shortest ? text : null;
  }
  function begin(): number {
    asking.abort();
    asking = new AbortController();
    return ++turn;
  }
  async function fetchPage(from: string | null): Promise<Page> {
    const { signal } = asking;
    const { view, filter } = store.getState();
    const rest = { ...filter };
    delete rest.text;
    const text = searched();
    const paging = { filter: rest, after: from, limit: pageRows };
    if (text === null) {
      const { rows, after } = await desk.ask('tickets.page', { view, ...paging }, { signal });
      return { from, rows, next: after };
    }
    const { hits, after } = await desk.ask('tickets.search', { text, ...paging }, { signal });
    const excerpts = new Map(store.getState().excerpts);
    for (const { row, excerpt } of hits) excerpts.set(row.id, excerpt);
    store.setState({ excerpts });
    return { from, rows: hits.map(({ row }) => row), next: after };
  }
  /** Reads the held pages anew, in their places; the rows so far stay until then. Another list is read from its beginning. */
  function list(): Promise<void> {
    loading = read();
    return loading;
  }
  async function read(): Promise<void> {
    const mine = begin();
    dirty = false;
    const pages = another ? noPages : store.getState().pages;
    try {
      const held: Page[] = [];
      let from = pages.held[0]?.from ?? null;
      do {
        const page = await fetchPage(from);
        if (mine !== turn) return;
        held.push(page);
        from = page.next;
      } while (held.length < pages.held.length && from !== null);
      const shown = store.getState().shown + (another ? 1 : 0);
      const listed = { above: pages.above, held };
      const now = another ? listed : withOpen(listed);
      another = false;
      const marked = seen(store.getState().marked, rowsOf(now));
      store.setState({ pages: now, marked, shown, state: 'ready', failed: null });
    } catch (error) {
      // Rows of the list before would be taken for this one's.
      if (mine === turn) store.setState({ ...(another ? { pages } : {}), state: 'failed', failed: reason(error) });
    }
  }
  /** The open ticket stays in its row, though the host lists it in this view no longer. */
  function withOpen(now: Pages): Pages {
    const before = rowsOf(store.getState().pages);
    const at = before.findIndex(({ id }) => id === deps.open());
    const row = before[at];
    if (row === undefined || rowsOf(now).some(({ id }) => id === row.id)) return now;
    // One that fits may stand further down.
    return fits(row) && now.held.at(-1)?.next !== null ? now : withRow(now, row, at);
  }
  async function grow(from: string | null, add: (pages: Pages, page: Page) => Pages): Promise<void> {
    const mine = begin();
    store.setState({ state: 'more' });
    try {
      const page = await fetchPage(from);
      if (mine === turn) store.setState(({ pages }) => ({ pages: add(pages, page), state: 'ready' }));
    } catch (error) {
      if (mine === turn) store.setState({ state: 'failed', failed: reason(error) });
    }
  }
  function show(given: Partial<Pick<QueueState, 'view' | 'filter'>>): void {
    // What stood there stays until the new rows come: nothing jumps.
    store.setState({ ...given, marked: new Map(), excerpts: new Map(), state: 'loading', failed: null });
    another = true;
    void list();
  }
  function fits(row: TicketRow): boolean {
    const { view, filter } = store.getState();
    return belongs(row, view, filter, deps.me());
  }
  function stays(row: TicketRow): boolean {
    return row.id === deps.open() || searched() !== null || fits(row);
  }
  function listSoon(): void {
    if (dirty) return;
    dirty = true;
    soon(() => {
      if (dirty) void list();
    });
  }
  function take(row: TicketRow): void {
    const { pages, marked } = store.getState();
    if (marked.has(row.id)) store.setState({ marked: seen(marked, [row]) });
    const next = mapped(pages, (old) => (old.id !== row.id ? old : stays(row) ? row : null));
    if (next !== pages) store.setState({ pages: next });
    else if (pages.above.length === 0 && searched() === null && fits(row)) listSoon();
  }

  return {
    store,
    list,
    rows: () => rowsOf(store.getState().pages),
    show,
    /** Resolves when what was last to be shown is there, or failed. */
    async loaded(): Promise<void> {
      for (let last: unknown; last !== loading; await last) last = loading;
    },
    take,
    async count(): Promise<void> {
      const counts = await desk.ask('tickets.counts', {}).catch(() => null);
      if (counts !== null) store.setState({ counts });
    },
    counted: (counts: TicketCounts) => store.setState({ counts }),
    change(change: Change<'tickets'>): void {
      if ('entity' in change) take(change.entity);
      else listSoon();
    },
    /** The next page, where there is one and none is on its way. */
    down(): void {
      const { pages, state } = store.getState();
      const next = pages.held.at(-1)?.next ?? null;
      if (state === 'ready' && next !== null) void grow(next, grownDown);
    },
    up(): void {
      const { pages, state } = store.getState();
      if (state === 'ready' && pages.above.length > 0) void grow(pages.above.at(-1) ?? null, grownUp);
    },
    /** The person moved on: what has left the view goes. */
    settle(): void {
      store.setState(({ pages }) => ({ pages: mapped(pages, (row) => (stays(row) ? row : null)) }));
    },
    mark(row: TicketRow): void {
      store.setState(({ marked }) => {
        const next = new Map(marked);
        if (!next.delete(row.id)) next.set(row.id, row);
        return { marked: next };
      });
    },
    /** These, or all. */
    unmark(ids?: readonly string[]): void {
      store.setState(({ marked }) => ({
        marked: new Map(ids === undefined ? [] : [...marked].filter(([id]) => !ids.includes(id))),
      }));
    },
    /** What an act is for: the marked tickets, wherever they stand; else the open one. */
    chosen(open: TicketRow | undefined): TicketRow[] {
      const { marked } = store.getState();
      return marked.size > 0 ? [...marked.values()] : open === undefined ? [] : [open];
    },
    /** Where a person is once these left the view: the ticket after the open one, or before it; null where they stay. */
    after(leaving: readonly string[], open: string | null): string | null {
      if (open === null || !leaving.includes(open)) return null;
      const rows = rowsOf(store.getState().pages);
      const at = rows.findIndex(({ id }) => id === open);
      const rest = (part: TicketRow[]) => part.filter(({ id }) => !leaving.includes(id));
      return at === -1 ? null : ((rest(rows.slice(at + 1))[0] ?? rest(rows.slice(0, at)).at(-1))?.id ?? null);
    },
  };
}

/** Marked rows as they are now. */
function seen(marked: QueueState['marked'], rows: readonly TicketRow[]): QueueState['marked'] {
  const now = new Map(rows.map((row) => [row.id, row]));
  return new Map([...marked].map(([id, row]) => [id, now.get(id) ?? row]));
}

function later(work: () => void): void {
  setTimeout(work, 300);
}
