// The list of the queue: only the rows in sight are drawn, pages come as one scrolls. Moving opens: list and ticket are one.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import { useShallow } from 'zustand/react/shallow';
import type { TicketRow } from '../../shared/queue.ts';
import { runCommand, useCommand } from '../commands/registry.ts';
import { cx } from '../classes.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { go, usePlace } from '../place.ts';
import { customerName } from './customerName.ts';
import { rowsOf } from './pages.ts';
import styles from './QueueList.module.css';
import { QueueRow } from './QueueRow.tsx';
import { queue, useQueue } from './store.ts';

const rowHeight = 58;

export function QueueList() {
  const { pages, shown, state, failed } = useQueue(
    useShallow(({ pages, shown, state, failed }) => ({ pages, shown, state, failed })),
  );
  const rows = rowsOf(pages);
  const open = usePlace((place) => place.open);
  const box = useRef<HTMLDivElement>(null);
  const ring = useRing(box, rows, open);
  useMoving({ box, rows, open, ring });
  useKeptPlace(box, shown, pages.above.length);
  const first = rows[0]?.id;
  useFirstSight(
    box,
    rows.findIndex((row) => row.id === open),
  );
  useEffect(() => {
    if (open === null && first !== undefined) go('queue', first);
  }, [open, first]);
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current || box.current === null || open === null || !rows.some(({ id }) => id === open)) return;
    // On arrival, where nothing else has it, the keyboard is in the list.
    arrived.current = true;
    if (document.activeElement === document.body) focusRow(box.current, open);
  });
  if (state === 'failed' && rows.length === 0)
    return <Failed what="The tickets could not be read." why={failed ?? ''} again={() => void queue.list()} />;
  if (state === 'loading' && rows.length === 0) return <Loading what="the tickets" />;
  if (rows.length === 0) return <NothingHere />;
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: rowHeight }}>
      <ListBox
        ref={box}
        className={styles.list ?? ''}
        aria-label="Tickets"
        items={rows}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        shouldFocusWrap={false}
        selectedKeys={open === null ? [] : [open]}
        onSelectionChange={(keys) => {
          const [id] = keys === 'all' ? [] : keys;
          if (typeof id === 'string') go('queue', id);
        }}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 30 * rowHeight) queue.down();
          else if (scrollTop < 10 * rowHeight) queue.up();
        }}
      >
        {(row: TicketRow) => (
          <ListBoxItem id={row.id} textValue={`${customerName(row)}, ${row.subject}`} className={cx(styles.item)}>
            <QueueRow row={row} />
          </ListBoxItem>
        )}
      </ListBox>
    </Virtualizer>
  );
}

function NothingHere() {
  const { view, filter } = useQueue(useShallow(({ view, filter }) => ({ view, filter })));
  if (Object.values(filter).some((one) => one !== undefined && one !== ''))
    return <Empty title="No ticket fits.">Change the search or the filter; Escape in the search box clears it.</Empty>;
  return view === 'all' ? (
    <Empty title="No tickets yet.">
      <p>This is where your customers’ letters stand.</p>
      <p>
        <Button command="tickets.import">Bring tickets in from a file</Button>
      </p>
      <p>Then press J and K to move, D to have one drafted.</p>
      <p>Every fact in a draft is linked to the call it came from.</p>
      <p>Nothing is sent before you send it.</p>
    </Empty>
  ) : (
    <Empty title="Nothing waits here.">
      <p>Choose another view above.</p>
    </Empty>
  );
}

/** Gives a row the focus; one that was out of sight once it is drawn, unless the person went elsewhere meanwhile. */
function focusRow(list: HTMLElement, id: string): void {
  const find = () => list.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`);
  const now = find();
  const before = document.activeElement;
  if (now !== null) now.focus();
  else
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement === before) find()?.focus();
      }),
    );
}

interface Ring {
  /** Where the open ticket is not in the list, the keyboard is at the ticket. */
  leave: () => void;
  /** Whether that is where it is. */
  left: () => boolean;
}

/** The ring is on the open ticket's row, or on none. */
function useRing(box: React.RefObject<HTMLDivElement | null>, rows: readonly TicketRow[], open: string | null): Ring {
  const at = useRef<Element | null>(null);
  const left = (): boolean => at.current !== null && at.current === document.activeElement;
  function leave(): void {
    const { activeElement } = document;
    if (!runCommand('tickets.open') && activeElement instanceof HTMLElement) activeElement.blur();
    at.current = document.activeElement;
  }
  useEffect(() => {
    const list = box.current;
    if (list === null) return;
    const keep = ({ target }: FocusEvent): void => {
      const id = target instanceof HTMLElement ? target.dataset['key'] : undefined;
      const now = usePlace.getState().open;
      if (id === undefined || id === now) return;
      // The row that had it went away, and the list gave it to another.
      if (now !== null && queue.rows().some((row) => row.id === now)) focusRow(list, now);
      else leave();
    };
    list.addEventListener('focusin', keep);
    return () => list.removeEventListener('focusin', keep);
  });
  const there = rows.some((row) => row.id === open);
  useEffect(() => {
    if (!there || open === null) return;
    if (box.current !== null && at.current === document.activeElement) focusRow(box.current, open);
    at.current = null;
  }, [box, there, open]);
  return { leave, left };
}

interface Moving {
  box: React.RefObject<HTMLDivElement | null>;
  rows: readonly TicketRow[];
  open: string | null;
  ring: Ring;
}

/** J and K move, wherever the keyboard is; the row comes into sight and, where the list has the focus, gets it. */
function useMoving({ box, rows, open, ring }: Moving): void {
  function reveal(index: number, focus: boolean): void {
    const list = box.current;
    if (list === null) return;
    const top = index * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    const id = queue.rows()[index]?.id;
    if (!focus || id === undefined) return;
    focusRow(list, id);
  }
  function move(by: number): void {
    const at = rows.findIndex((row) => row.id === open);
    const index = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by));
    const next = rows[index];
    if (next === undefined) return;
    const inside = box.current?.contains(document.activeElement) ?? false;
    const lost = document.activeElement === null || document.activeElement === document.body;
    const focus = inside || lost || ring.left();
    go('queue', next.id);
    reveal(index, focus);
    if (!focus) announce(`${customerName(next)}, ${next.subject || next.words}`);
    if (index > rows.length - 30) queue.down();
  }
  /** The open ticket's row. Those just searched for may not be drawn yet. */
  function toList(): void {
    const index = queue.rows().findIndex((row) => row.id === usePlace.getState().open);
    if (index === -1) ring.leave();
    else reveal(index, true);
  }
  const some = rows.length > 0;
  useCommand('tickets.next', () => move(1), some);
  useCommand('tickets.previous', () => move(-1), some);
  useCommand('tickets.list', toList, some);
}

/** On arrival the open ticket is brought into sight, once. */
function useFirstSight(box: React.RefObject<HTMLDivElement | null>, index: number): void {
  const done = useRef(false);
  useEffect(() => {
    const list = box.current;
    if (done.current || list === null || index === -1) return;
    done.current = true;
    // The list knows its height only after it was drawn once.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if ((index + 1) * rowHeight > list.clientHeight) list.scrollTop = (index - 2) * rowHeight;
      }),
    );
  });
}

/**
 * A list shown anew is seen from its beginning. A page that came or went above moves what is in sight by as much: the rows
 * stay where they are for the eye.
 */
function useKeptPlace(box: React.RefObject<HTMLDivElement | null>, shown: number, above: number): void {
  const before = useRef({ shown, above });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { shown, above };
    const list = box.current;
    if (list === null) return;
    // Where the new rows are fewer, the list first goes to the last of them by itself.
    if (was.shown !== shown) queueMicrotask(() => (list.scrollTop = 0));
    else list.scrollTop += (was.above - above) * 200 * rowHeight;
  }, [box, shown, above]);
}
