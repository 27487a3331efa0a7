// Definitions: servers and their tools on the left, what waits for a decision on top; on the right what one says and did say.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ServerRow } from '../../shared/servers.ts';
import { asksAdmin, type PlaybookWaiting, type Reviewed } from '../../shared/pins.ts';
import { reason } from '../../shared/failures.ts';
import { useAsked, type Asked } from '../asked.ts';
import { Bar } from '../frame/Bar.tsx';
import { Panes } from '../frame/Panes.tsx';
import { drawn } from '../parts/Foreign.tsx';
import { Mark, type MarkKind } from '../parts/Mark.tsx';
import type { PageHandle } from '../parts/Page.tsx';
import { OneLine, PickList, type PickSection } from '../parts/PickList.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { go, usePlace } from '../place.ts';
import { desk } from '../session.ts';
import { bytesWords } from './bytesWords.ts';
import { isOpen, nameOf, pinnedNames, stateWords } from './changeWords.ts';
import { DefinitionView } from './DefinitionView.tsx';
import { PlaybookView } from './PlaybookView.tsx';

const keys = { next: 'pins.next', previous: 'pins.previous', open: 'pins.open', list: 'pins.list' } as const;
const marks: Record<Reviewed['status'], MarkKind> = {
  approved: 'ready',
  new: 'look',
  changed: 'look',
  refused: 'none',
  parked: 'danger',
  removed: 'none',
};
const playbookMarks: Record<PlaybookWaiting['status'], MarkKind> = {
  changed: 'look',
  refused: 'none',
  approved: 'ready',
};
function markOf(prefix: string, one: Reviewed): MarkKind {
  return isOpen(one) && !asksAdmin(prefix, one) ? 'none' : marks[one.status];
}
/** Name of the playbook among the tools, which have a dot. */
const playbookId = 'playbook';

export function Definitions() {
  const servers = useAsked('servers.list', {}, { follow: ['servers', 'pins'], patient: true });
  const playbook = useAsked('playbook.waiting', {}, { follow: ['pins'] });
  const tools = useTools(servers.value);
  const opened = usePlace(({ open }) => open);
  const page = useRef<PageHandle>(null);
  const all = tools.flatMap(({ prefix, list }) =>
    list.map((one) => ({ id: `${prefix}.${one.definition.name}`, prefix, one })),
  );
  const waiting = playbook.value ?? null;
  const undecided = all.filter(({ prefix, one }) => asksAdmin(prefix, one));
  const count = undecided.length + (waiting?.status === 'changed' ? 1 : 0);
  // What waits comes first, so nothing is opened by itself before every server has been read.
  const read = servers.value?.every(
    ({ prefix, state }) =>
      state === 'disabled' || pinnedNames(prefix).every((name) => tools.some((one) => one.prefix === name)),
  );
  const first =
    (waiting?.status === 'changed' ? playbookId : undefined) ??
    undecided[0]?.id ??
    (read === true ? all[0]?.id : undefined);
  useEffect(() => {
    if (first !== undefined && opened === null) go('tools', first);
  }, [first, opened]);
  const shown = all.find(({ id }) => id === opened);
  return (
    <Panes
      name="definitions"
      listWords="Tools"
      mainWords="Definition"
      listWidth={380}
      list={
        <>
          <Bar title="Tools" count={count === 0 ? 'nothing to decide' : `${count} to decide`} />
          {servers.value === undefined ? (
            <Waiting asked={servers} />
          ) : (
            <PickList
              label="Tools"
              sections={sectionsOf(servers.value, tools, waiting?.status ?? null)}
              selected={opened}
              pick={(id) => go('tools', id)}
              keys={keys}
              open={() => page.current?.focus()}
            />
          )}
        </>
      }
      main={
        opened === playbookId && waiting !== null ? (
          <PlaybookView key={waiting.hash} waiting={waiting} page={page} decided={playbook.again} />
        ) : shown === undefined ? (
          servers.value === undefined ? null : (
            <Empty title="Choose a tool." />
          )
        ) : (
          <DefinitionView
            key={shown.id}
            prefix={shown.prefix}
            one={shown.one}
            others={
              all.filter(({ prefix, one }) => prefix === shown.prefix && one !== shown.one && one.status === 'approved')
                .length
            }
            page={page}
            decided={servers.again}
          />
        )
      }
    />
  );
}

function Waiting({ asked: { failed, again } }: { asked: Asked<ServerRow[]> }) {
  return failed === null ? (
    <Loading what="the servers to start" />
  ) : (
    <Failed what="The servers cannot be listed." why={failed} again={again} />
  );
}

interface ToolsOf {
  prefix: string;
  list: Reviewed[];
  failed: string | null;
}

/**
 * The tools of every server that is on; one that does not answer holds up no other. Listing starts none that failed: its own
 * page does.
 */
function useTools(rows: ServerRow[] | undefined): ToolsOf[] {
  const [found, setFound] = useState<Record<string, ToolsOf>>({});
  const fail = useCallback((prefix: string, failed: string) => {
    setFound((old) => ({ ...old, [prefix]: { prefix, list: old[prefix]?.list ?? [], failed } }));
  }, []);
  const look = useCallback(
    (prefix: string) => {
      desk.ask('servers.check', { prefix }, { deadline: null }).then(
        ({ tools }) => setFound((old) => ({ ...old, [prefix]: { prefix, list: tools, failed: null } })),
        (error: unknown) => fail(prefix, reason(error)),
      );
    },
    [fail],
  );
  useEffect(() => {
    for (const { prefix, state, problem } of rows ?? [])
      if (state === 'failed') for (const name of pinnedNames(prefix)) fail(name, problem ?? 'It failed.');
      else if (state !== 'disabled') for (const name of pinnedNames(prefix)) look(name);
  }, [rows, look, fail]);
  return (rows ?? []).flatMap(({ prefix }) => pinnedNames(prefix).flatMap((name) => found[name] ?? []));
}

function sectionsOf(servers: ServerRow[], tools: ToolsOf[], playbook: PlaybookWaiting['status'] | null): PickSection[] {
  const order = ({ prefix, one }: { prefix: string; one: Reviewed }) => (asksAdmin(prefix, one) ? 0 : 1);
  const sections = servers
    .filter(({ state }) => state !== 'disabled')
    .map((server): PickSection & { waits: boolean } => {
      const all = pinnedNames(server.prefix).flatMap((name) => tools.find(({ prefix }) => prefix === name) ?? []);
      const of = all.find(({ prefix }) => prefix === server.prefix);
      const list = all
        .flatMap(({ prefix, list: its }) => its.map((one) => ({ prefix, one })))
        .sort((a, b) => order(a) - order(b));
      return {
        id: server.prefix,
        title: server.prefix,
        note: of?.failed ?? (of === undefined ? 'reading…' : costWords(of.list.length, server)),
        waits: list.some(({ prefix, one }) => asksAdmin(prefix, one)),
        items: list.map(({ prefix, one }) => ({
          id: `${prefix}.${one.definition.name}`,
          text: `${nameOf(prefix, one)}, ${stateWords(prefix, one)}`,
          row: (
            <OneLine
              title={drawn(nameOf(prefix, one))}
              state={<Mark kind={markOf(prefix, one)}>{stateWords(prefix, one)}</Mark>}
            />
          ),
        })),
      };
    })
    .sort((a, b) => Number(b.waits) - Number(a.waits));
  if (playbook === null) return sections;
  const own: PickSection = {
    id: playbookId,
    title: 'desk',
    items: [
      {
        id: playbookId,
        text: `Playbook, ${playbook}`,
        row: <OneLine title="Playbook" state={<Mark kind={playbookMarks[playbook]}>{playbook}</Mark>} />,
      },
    ],
  };
  return playbook === 'changed' ? [own, ...sections] : [...sections, own];
}

/** What the model reads of a server before each ticket; tokens are reckoned until a model is loaded. */
function costWords(tools: number, { bytes, tokens }: ServerRow): string {
  const about = tokens.counted ? '' : 'about ';
  const cost = tokens.count === 0 ? '' : `, ${about}${tokens.count.toLocaleString('en-GB')} tokens`;
  return `${tools} ${tools === 1 ? 'tool' : 'tools'}, ${bytesWords(bytes)}${cost}`;
}

/** How many definitions wait for a decision, for the rail. */
export function useDefinitionsWaiting(): number {
  const { value = [] } = useAsked('pins.waiting', {}, { follow: ['pins', 'servers'], patient: true });
  const playbook = useAsked('playbook.waiting', {}, { follow: ['pins'] });
  return value.length + (playbook.value?.status === 'changed' ? 1 : 0);
}
