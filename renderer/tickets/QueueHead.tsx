// The head of the queue: which view with how many, what narrows it, the search.
import { useRef, useState } from 'react';
import { Button as AriaButton, Input, Menu, MenuItem, MenuTrigger, Popover, SearchField } from 'react-aria-components';
import type { DraftState, TicketView } from '../../shared/queue.ts';
import { runCommand, useCommand } from '../commands/registry.ts';
import { Bar } from '../frame/Bar.tsx';
import { Button } from '../parts/Button.tsx';
import { Key } from '../parts/Key.tsx';
import { go } from '../place.ts';
import { useMe } from '../session.ts';
import { draft } from './drafting.ts';
import { foundWords, leftWords, rowsOf } from './pages.ts';
import { priorities, priorityWords } from './priorityWords.ts';
import styles from './QueueHead.module.css';
import { queue, useQueue } from './store.ts';
import { countOf, views, viewWords } from './views.ts';

export function QueueHead() {
  const view = useQueue((state) => state.view);
  const counts = useQueue((state) => state.counts);
  const found = useQueue(foundWords);
  const left = useQueue(leftWords);
  const me = useMe(({ person }) => person?.id ?? null);
  const whole = countOf(counts, view, me);
  useCommand('tickets.draftAll', () => void draftAll());
  return (
    <>
      <Bar title={<Views view={view} />} count={whole}>
        <Filters />
        <Button look="quiet" command="tickets.draftAll" bare>
          Draft all
        </Button>
      </Bar>
      <Search />
      {found !== null ? (
        <p className={styles.hint}>
          {found}
          {view !== 'all' && ` in all tickets, not only ${viewWords[view]}`}
        </p>
      ) : (
        left !== null && <p className={styles.hint}>{left}</p>
      )}
    </>
  );
}

async function draftAll(): Promise<void> {
  const waiting = rowsOf(queue.store.getState().pages).filter((row) => row.status === 'open' && row.draft === 'none');
  await draft(waiting.map(({ id }) => id));
}

function Views({ view }: { view: TicketView }) {
  const [open, setOpen] = useState(false);
  const counts = useQueue((state) => state.counts);
  const me = useMe(({ person }) => person?.id ?? null);
  useCommand('tickets.view', () => setOpen(true));
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <AriaButton className={styles.view ?? ''} aria-label={`View: ${viewWords[view]}`}>
        <span className={styles.name}>{viewWords[view]}</span>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M2 3.5l3 3 3-3" />
        </svg>
      </AriaButton>
      <Popover className={styles.popover ?? ''} data-popup="" placement="bottom start">
        <Menu
          aria-label="Views"
          className={styles.menu ?? ''}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[view]}
          onAction={(id) => {
            const chosen = views.find((one) => one === id);
            if (chosen !== undefined && chosen !== view) queue.show({ view: chosen });
          }}
        >
          {views.map((one) => (
            <MenuItem key={one} id={one} textValue={viewWords[one]} className={styles.item ?? ''}>
              {viewWords[one]}
              <span className={styles.count}>{countOf(counts, one, me)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

const draftWords: Record<DraftState, string> = {
  none: 'No draft',
  working: 'Working',
  ready: 'Ready',
  'asks you': 'Asks you',
  blocked: 'Claims to check',
};
/** Keys of the record are exactly these. */
const draftIds = Object.keys(draftWords) as DraftState[];

function Filters() {
  const [open, setOpen] = useState(false);
  useCommand('tickets.filter', () => setOpen(true));
  const filter = useQueue((state) => state.filter);
  const chosen = [...(filter.priorities ?? []), ...(filter.drafts ?? [])];
  function choose(ids: ReadonlySet<unknown>): void {
    const rest = { ...filter };
    delete rest.priorities;
    delete rest.drafts;
    const some = priorities.filter((one) => ids.has(one));
    const states = draftIds.filter((one) => ids.has(one));
    queue.show({
      filter: {
        ...rest,
        ...(some.length > 0 ? { priorities: some } : {}),
        ...(states.length > 0 ? { drafts: states } : {}),
      },
    });
  }
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <Button look="quiet">{chosen.length === 0 ? 'Filter' : `Filter · ${chosen.length}`}</Button>
      <Popover className={styles.popover ?? ''} data-popup="" placement="bottom end">
        <Menu
          aria-label="Filter"
          className={styles.menu ?? ''}
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={(ids) => choose(ids === 'all' ? new Set<unknown>([...priorities, ...draftIds]) : ids)}
        >
          {priorities.map((one) => (
            <MenuItem key={one} id={one} className={styles.item ?? ''} textValue={`${priorityWords[one]} priority`}>
              {priorityWords[one]} priority
            </MenuItem>
          ))}
          {draftIds.map((one) => (
            <MenuItem key={one} id={one} className={styles.item ?? ''} textValue={draftWords[one]}>
              {draftWords[one]}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Milliseconds after the last letter. */
const searchPause = 180;

function Search() {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The search that is in force: it outlives leaving the queue.
  const [text, setText] = useState(() => queue.store.getState().filter.text ?? '');
  useCommand('tickets.search', () => input.current?.select());
  function change(next: string): void {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next.trim()), searchPause);
  }
  /** Enter: the first hit is opened, and the keyboard is in the list; whoever typed on meanwhile stays in the box. */
  async function openFirst(): Promise<void> {
    clearTimeout(timer.current);
    search(text.trim());
    await queue.loaded();
    const [first] = queue.rows();
    if (first === undefined || input.current?.value !== text) return;
    go('queue', first.id);
    runCommand('tickets.list');
  }
  return (
    <SearchField
      aria-label="Search tickets"
      className={styles.search ?? ''}
      value={text}
      onChange={change}
      onSubmit={() => void openFirst()}
    >
      <Input ref={input} placeholder="Search tickets" className={styles.input ?? ''} />
      {text === '' ? (
        <Key of="tickets.search" />
      ) : (
        <AriaButton className={styles.clear ?? ''} aria-label="Clear the search">
          ×
        </AriaButton>
      )}
    </SearchField>
  );
}

function search(text: string): void {
  const { filter } = queue.store.getState();
  const rest = { ...filter };
  delete rest.text;
  if ((filter.text ?? '') !== text) queue.show({ filter: text === '' ? rest : { ...rest, text } });
}
