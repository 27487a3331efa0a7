// The inbox: questions and consents that wait, what a call did that nobody knows, each with its ticket beside it.
import { useEffect, useRef, useState } from 'react';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { Bar } from '../frame/Bar.tsx';
import { Panes } from '../frame/Panes.tsx';
import { showSide } from '../frame/side.ts';
import { drawn } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import type { PageHandle } from '../parts/Page.tsx';
import { PickList, TwoLines } from '../parts/PickList.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { Time } from '../parts/Time.tsx';
import { go, usePlace } from '../place.ts';
import { Beside } from './Beside.tsx';
import { useClosed } from './closed.ts';
import { ConsentView } from './ConsentView.tsx';
import { groupsOf, type Waiting, type WaitingGroup } from './inbox.ts';
import { QuestionView } from './QuestionView.tsx';
import { UnknownView } from './UnknownView.tsx';

const keys = { next: 'inbox.next', previous: 'inbox.previous', open: 'inbox.open', list: 'inbox.list' } as const;
const waitsFor = { question: 'this answer', consent: 'this consent', unknown: 'what you find' };

export function Inbox() {
  const inbox = useAsked('questions.list', {}, { follow: ['questions', 'calls', 'people'] });
  const closed = useClosed();
  const groups = inbox.value === undefined ? [] : groupsOf(inbox.value, closed);
  const open = useOpened(groups);
  const page = useRef<PageHandle>(null);
  const ticket = open?.call.ticket ?? '';
  useCommand('inbox.ticket', () => go('queue', ticket), ticket !== '');
  useEffect(() => showSide(false), [open?.id]);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const others = inbox.value?.others ?? 0;
  return (
    <Panes
      name="inbox"
      listWords="Inbox"
      mainWords="What is asked"
      sideWords="Its ticket, calls and messages"
      list={
        <>
          <Bar title="Inbox" count={countWords(count, others)} />
          {inbox.failed !== null && inbox.value === undefined ? (
            <Failed what="The inbox cannot be listed." why={inbox.failed} again={inbox.again} />
          ) : inbox.value === undefined ? (
            <Loading what="the inbox" />
          ) : count === 0 ? (
            <Nothing others={others} />
          ) : (
            <PickList
              label="What waits"
              sections={groups.map(sectionOf)}
              selected={open?.id ?? null}
              pick={(id) => go('inbox', id)}
              keys={keys}
              open={() => page.current?.focus()}
            />
          )}
        </>
      }
      main={open === null ? <Empty title="Nothing is open." /> : <Open key={open.id} item={open} page={page} />}
      side={open === null ? undefined : <Beside key={open.id} call={open.call} waits={waitsFor[open.kind]} />}
    />
  );
}

/** What is open stays open though it waits no longer: somebody else may have answered it. */
function useOpened(groups: WaitingGroup[]): Waiting | null {
  const id = usePlace(({ open }) => open);
  const all = groups.flatMap(({ items }) => items);
  const now = all.find((one) => one.id === id) ?? null;
  const [kept, setKept] = useState<Waiting | null>(null);
  useEffect(() => {
    if (now !== null) setKept(now);
  }, [now?.id]); // one that is open is not exchanged while a person reads it
  const first = all[0]?.id;
  useEffect(() => {
    if (first !== undefined && id === null) go('inbox', first);
  }, [first, id]);
  return now ?? (kept?.id === id ? kept : null);
}

function Open({ item, page }: { item: Waiting; page: React.RefObject<PageHandle | null> }) {
  switch (item.kind) {
    case 'question':
      return <QuestionView item={item} page={page} />;
    case 'consent':
      return <ConsentView item={item} page={page} />;
    case 'unknown':
      return <UnknownView item={item} page={page} />;
  }
}

function Nothing({ others }: { others: number }) {
  return (
    <Empty title="Nothing waits for you.">
      <p>
        {others === 0
          ? 'Held refunds, questions of servers and calls that ask for consent come here, each with its ticket.'
          : `${others === 1 ? 'One question waits' : `${others} questions wait`} for another role.`}
      </p>
      <p>
        Whatever waits here may wait overnight: nothing happens while nobody answers, and a quote that ends says when.
      </p>
    </Empty>
  );
}

function countWords(count: number, others: number): string {
  const waits = count === 0 ? '' : `${count} waiting`;
  const more = others === 0 ? '' : `${others} for other roles`;
  return [waits, more].filter(Boolean).join(', ');
}

function sectionOf({ id, title, items }: WaitingGroup) {
  return {
    id,
    title,
    note: String(items.length),
    items: items.map((one) => ({
      id: one.id,
      text: `${one.title}, ${one.who}`,
      row: (
        <TwoLines
          title={drawn(one.title)}
          age={<Time at={one.at} />}
          words={drawn(one.who)}
          state={<StateOf item={one} />}
        />
      ),
    })),
  };
}

function StateOf({ item }: { item: Waiting }) {
  if (item.kind === 'unknown') return <Mark kind="look">Look it up</Mark>;
  if (item.kind === 'consent') return <Mark kind="asks">Consent</Mark>;
  if (item.entry.form.kind === 'refused') return <Mark kind="look">Not put to you</Mark>;
  return <Mark kind="asks">{item.entry.form.kind === 'url' ? 'Web page' : 'Question'}</Mark>;
}
