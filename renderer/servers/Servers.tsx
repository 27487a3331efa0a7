// Servers: how each stands and what it costs, its words on stderr, what it may do; added by form or by pasted JSON.
import { useEffect, useRef, useState } from 'react';
import type { ServerRow } from '../../shared/servers.ts';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { Bar } from '../frame/Bar.tsx';
import { Panes } from '../frame/Panes.tsx';
import { Button } from '../parts/Button.tsx';
import { drawn } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import type { PageHandle } from '../parts/Page.tsx';
import { PickList, TwoLines } from '../parts/PickList.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { go, usePlace } from '../place.ts';
import { useMay } from '../session.ts';
import { AddServer } from './AddServer.tsx';
import { LimitsView } from './LimitsView.tsx';
import { stateMarks, stateWords } from './serverWords.ts';
import { ServerView } from './ServerView.tsx';

const keys = {
  next: 'servers.next',
  previous: 'servers.previous',
  open: 'servers.open',
  list: 'servers.list',
} as const;
/** A server that starts is looked at again after this. */
const startingMs = 1_000;

export function Servers() {
  const rows = useAsked('servers.list', {}, { follow: ['servers', 'pins'], patient: true });
  const opened = usePlace(({ open }) => open);
  /** What stands in the place of a server. */
  const [beside, setBeside] = useState<'add' | 'limits' | null>(null);
  const page = useRef<PageHandle>(null);
  const admin = useMay('admin');
  const all = rows.value ?? [];
  const first = all[0]?.prefix;
  useCommand('servers.add', () => setBeside('add'), admin);
  useCommand('servers.limits', () => setBeside('limits'), admin);
  useEffect(() => {
    if (first !== undefined && opened === null) go('servers', first);
  }, [first, opened]);
  const starting = all.some(({ state }) => state === 'starting');
  const { again } = rows;
  useEffect(() => {
    if (!starting) return;
    const timer = setInterval(again, startingMs);
    return () => clearInterval(timer);
  }, [starting, again]);
  const shown = all.find(({ prefix }) => prefix === opened);
  return (
    <Panes
      name="servers"
      listWords="Servers"
      mainWords="Server"
      listWidth={380}
      list={
        <>
          <Bar title="Servers" count={countWords(all)}>
            {admin && <Button command="servers.add">Add</Button>}
          </Bar>
          {rows.value === undefined ? (
            rows.failed === null ? (
              <Loading what="the servers to start" />
            ) : (
              <Failed what="The servers cannot be listed." why={rows.failed} again={again} />
            )
          ) : all.length === 0 ? (
            <Empty title="No server yet.">
              <p>A server gives the model tools: looking up orders, preparing refunds. Add one you already have.</p>
            </Empty>
          ) : (
            <PickList
              label="Servers"
              sections={sectionsOf(all)}
              selected={beside === null ? opened : null}
              pick={(prefix) => {
                setBeside(null);
                go('servers', prefix);
              }}
              keys={keys}
              open={() => page.current?.focus()}
            />
          )}
        </>
      }
      main={
        beside === 'limits' && admin ? (
          <LimitsView page={page} leave={() => setBeside(null)} />
        ) : beside === 'add' ? (
          <AddServer
            page={page}
            taken={all.map(({ prefix }) => prefix)}
            onDone={(prefix) => {
              setBeside(null);
              if (prefix !== null) go('servers', prefix);
              again();
            }}
          />
        ) : shown === undefined ? (
          <Empty title={rows.value === undefined ? '' : 'Choose a server.'} />
        ) : (
          <ServerView key={shown.prefix} row={shown} page={page} changed={again} />
        )
      }
    />
  );
}

function countWords(all: ServerRow[]): string {
  const on = all.filter(({ state }) => state !== 'disabled');
  const failed = on.filter(({ state }) => state === 'failed').length;
  return [`${on.length} on`, failed > 0 && `${failed} failed`].filter((one) => one !== false).join(', ');
}

function sectionsOf(all: ServerRow[]) {
  const on = all.filter(({ state }) => state !== 'disabled');
  const off = all.filter(({ state }) => state === 'disabled');
  return [
    { id: 'on', title: 'On', items: on.map(itemOf) },
    { id: 'off', title: 'Off', items: off.map(itemOf) },
  ].filter(({ items }) => items.length > 0);
}

/** What it offers once it runs; before that what it is. The command or address stands on its page. */
function rowWords({ state, approved, tools, bytes, kind, target }: ServerRow): string {
  if (state === 'ready')
    return `${approved} of ${tools === 1 ? '1 tool' : `${tools} tools`} approved, ${bytesWords(bytes)}`;
  return kind === 'stdio' ? 'a local program' : target;
}

function itemOf(row: ServerRow) {
  return {
    id: row.prefix,
    text: `${row.prefix}, ${stateWords[row.state]}`,
    row: (
      <TwoLines
        title={drawn(row.prefix)}
        age={row.bundled ? 'comes with the desk' : undefined}
        words={drawn(rowWords(row))}
        state={<Mark kind={stateMarks[row.state]}>{stateWords[row.state]}</Mark>}
      />
    ),
  };
}

/** Servers that failed, for the rail. */
export function useServersWaiting(): number {
  const { value = [] } = useAsked('servers.list', {}, { follow: ['servers'], patient: true });
  return value.filter(({ state }) => state === 'failed').length;
}
