// The ticket that is open: head, thread, what asks over the composer, the draft.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { OpenTicket, TicketRow } from '../../shared/queue.ts';
import { AttachedChips } from '../calls/AttachedChips.tsx';
import { ConsentBar } from '../calls/ConsentBar.tsx';
import { light } from '../calls/hot.ts';
import { isToolCall } from '../calls/log.ts';
import { useCommand } from '../commands/registry.ts';
import { showSide, useNarrow } from '../frame/side.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { momentWords, Time } from '../parts/Time.tsx';
import { usePlace } from '../place.ts';
import { usePeople } from '../peopleNames.ts';
import { change, chosen, sayTrouble, useTroubleOf } from './actions.ts';
import { customerName } from './customerName.ts';
import { useMe } from '../session.ts';
import { DraftCard } from './DraftCard.tsx';
import { draft } from './drafting.ts';
import { opened, useOpened } from './openTicket.ts';
import { PriorityButton } from './PriorityButton.tsx';
import { SnoozeButton } from './SnoozeButton.tsx';
import { rowsOf } from './pages.ts';
import { queue, useQueue } from './store.ts';
import { Thread } from './Thread.tsx';
import styles from './TicketPane.module.css';

export function TicketPane() {
  const open = usePlace((place) => place.open);
  const ticket = useOpened((state) => state.ticket);
  const failed = useOpened((state) => state.failed);
  const known = useQueue((state) => rowsOf(state.pages).find((row) => row.id === open));
  const row = ticket?.id === open ? ticket.row : known;
  if (open === null) return <Empty title="No ticket is open." />;
  return (
    <>
      {row !== undefined && <Head row={row} />}
      {ticket !== null && ticket.id === open ? (
        <Body key={ticket.id} ticket={ticket} />
      ) : failed !== null ? (
        <Failed what={`${open} could not be opened.`} why={failed} again={() => void opened.read()} />
      ) : (
        <Loading what={`ticket ${open}`} />
      )}
    </>
  );
}

const anybody = { staff: 'a person', lead: 'a lead', admin: 'an admin' };

function Head({ row }: { row: TicketRow }) {
  const calls = useOpened((state) => state.calls).filter(isToolCall).length;
  const head = useRef<HTMLElement>(null);
  const narrow = useNarrow();
  const name = usePeople();
  useCommand('tickets.open', () => head.current?.focus());
  useKeyboardKept(head);
  const me = useMe(({ person }) => person?.id ?? null);
  const theirs = row.owner !== null && row.owner !== me;
  function take(): void {
    const some = queue.store.getState().marked.size > 0;
    // Nobody loses a ticket by a key: taking over is a button of its own.
    if (theirs && !some) sayTrouble(`${name(row.owner)} has ${row.id}. Take over takes it from them.`);
    else void change(row.owner === null || some ? { kind: 'claim' } : { kind: 'release' });
  }
  useCommand('tickets.take', take);
  useCommand(
    'tickets.done',
    () => void change({ kind: 'done', done: chosen().some(({ status }) => status !== 'done') }),
  );
  useCommand('tickets.draft', () => {
    const ids = chosen().map(({ id }) => id);
    queue.unmark();
    void draft(ids);
  });
  useCommand('tickets.select', () => queue.mark(row));
  return (
    <header className={styles.head} ref={head} tabIndex={-1}>
      <div className={styles.titles}>
        <Foreign as="h2" text={row.subject === '' ? '[no subject]' : row.subject} className={styles.title} />
        <div className={styles.meta}>
          <code>{row.id}</code>
          <span className={styles.who}>
            <Foreign as="b" text={customerName(row)} />
            {row.customer_name !== null && row.customer !== null && (
              <>
                {' '}
                <Foreign text={row.customer} />
              </>
            )}
          </span>
          <Time at={row.since} ago reached />
          <span>{row.owner === null ? 'Unassigned' : name(row.owner)}</span>
          <PriorityButton row={row} />
          {row.status === 'done' && <span>Done</span>}
          {row.snoozed_until !== null && <span>Snoozed until {momentWords(row.snoozed_until)}</span>}
          {row.state === 'handed over' && row.waits !== null && <span>Handed over to {anybody[row.waits]}</span>}
        </div>
      </div>
      <div className={styles.acts}>
        {theirs ? (
          <Button look="quiet" onPress={() => void change({ kind: 'claim' }, [row])}>
            Take over
          </Button>
        ) : (
          <Button look="quiet" command="tickets.take">
            {row.owner === null ? 'Take' : 'Let go'}
          </Button>
        )}
        <SnoozeButton row={row} />
        <Button look="quiet" command="tickets.done">
          {row.status === 'done' ? 'Open again' : 'Done'}
        </Button>
        {narrow && (
          <Button command="calls.log" onPress={() => showSide(true)}>
            Call log{calls > 0 && ` ${calls}`}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Where what had the keyboard in the pane goes away (a note that is kept, a reply that is sent), the head has it then. */
function useKeyboardKept(head: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pane = head.current?.parentElement;
    if (pane === null || pane === undefined) return;
    let had: Node | null = null;
    const follow = ({ target }: FocusEvent): void => {
      had = target instanceof Node && pane.contains(target) ? target : null;
    };
    const watch = new MutationObserver(() => {
      if (had === null || had.isConnected) return;
      had = null;
      // What closes may itself give the keyboard back in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.activeElement === document.body && head.current?.focus()),
      );
    });
    document.addEventListener('focusin', follow);
    watch.observe(pane, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', follow);
      watch.disconnect();
    };
  }, [head]);
}

/** Brings what the customer wrote last to the top; above it stands what was said before. Returns how to leave off. */
function openAtNewest(scroll: HTMLElement): () => void {
  const newest = [...scroll.querySelectorAll<HTMLElement>('[data-kind=customer]')].at(-1);
  let frame = 0;
  function bring(times: number): void {
    if (newest === undefined || newest.previousElementSibling === null) return;
    // Room above it, as above the first.
    scroll.scrollTop += newest.getBoundingClientRect().top - scroll.getBoundingClientRect().top - 16;
    // Messages out of sight have a guessed height until they come near.
    if (times > 1) frame = requestAnimationFrame(() => bring(times - 1));
  }
  bring(3);
  return () => cancelAnimationFrame(frame);
}

function Body({ ticket }: { ticket: OpenTicket }) {
  const trouble = useTroubleOf(ticket.id);
  // What was lit belongs to this ticket.
  useEffect(() => () => light(null), []);
  const scroll = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (scroll.current === null ? undefined : openAtNewest(scroll.current)), []);
  return (
    <>
      <div
        ref={scroll}
        className={styles.scroll}
        role="region"
        aria-label="Messages"
        tabIndex={0}
        data-ticket={ticket.id}
      >
        <Thread ticket={ticket} />
      </div>
      {trouble !== null && <Foreign as="p" text={trouble} className={styles.trouble} />}
      <ConsentBar />
      <AttachedChips ticket={ticket} />
      <DraftCard ticket={ticket} />
    </>
  );
}
