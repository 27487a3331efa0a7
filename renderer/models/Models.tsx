// Models: what the catalogue has, what is on disk, the one in use, how each stands.
import { useEffect, useRef, useState } from 'react';
import type { ModelRow } from '../../shared/models.ts';
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
import { AddModel } from './AddModel.tsx';
import { percentOf, useDownloads } from './downloads.ts';
import { ModelView } from './ModelView.tsx';

const keys = { next: 'models.next', previous: 'models.previous', open: 'models.open', list: 'models.list' } as const;

export function Models() {
  const rows = useAsked('models.list', {}, { follow: ['models'] });
  const opened = usePlace(({ open }) => open);
  const [adding, setAdding] = useState(false);
  const page = useRef<PageHandle>(null);
  const admin = useMay('admin');
  const all = rows.value ?? [];
  const used = all.find(({ in_use }) => in_use);
  const first = (used ?? all[0])?.name;
  useCommand('models.add', () => setAdding(true), admin);
  useEffect(() => {
    if (first !== undefined && opened === null) go('model', first);
  }, [first, opened]);
  const shown = all.find(({ name }) => name === opened);
  return (
    <Panes
      name="models"
      listWords="Models"
      mainWords="Model"
      listWidth={380}
      list={
        <>
          <Bar
            title="Model"
            count={rows.value === undefined ? undefined : used === undefined ? 'none in use' : undefined}
          >
            {admin && <Button command="models.add">Add a file</Button>}
          </Bar>
          {rows.value === undefined ? (
            rows.failed === null ? (
              <Loading what="the models" />
            ) : (
              <Failed what="The models cannot be listed." why={rows.failed} again={rows.again} />
            )
          ) : (
            <PickList
              label="Models"
              sections={sectionsOf(all)}
              selected={adding ? null : opened}
              pick={(name) => {
                setAdding(false);
                go('model', name);
              }}
              keys={keys}
              open={() => page.current?.focus()}
            />
          )}
        </>
      }
      main={
        adding ? (
          <AddModel
            page={page}
            onDone={(name) => {
              setAdding(false);
              if (name !== null) go('model', name);
              rows.again();
            }}
          />
        ) : shown === undefined ? (
          <Empty title={rows.value === undefined ? '' : 'Choose a model.'} />
        ) : (
          <ModelView
            key={shown.name}
            row={shown}
            none={!all.some(({ present }) => present)}
            page={page}
            changed={rows.again}
          />
        )
      }
    />
  );
}

function sectionsOf(all: ModelRow[]) {
  const here = all.filter(({ present }) => present);
  const gone = all.filter(({ present }) => !present);
  return [
    { id: 'here', title: 'On this disk', items: here.map(itemOf) },
    { id: 'gone', title: 'To be had', items: gone.map(itemOf) },
  ].filter(({ items }) => items.length > 0);
}

function itemOf(row: ModelRow) {
  return {
    id: row.name,
    text: `${row.title ?? row.name}, ${row.in_use ? 'in use' : row.present ? 'on disk' : 'not here'}`,
    row: (
      <TwoLines
        title={drawn(row.title ?? row.name)}
        age={bytesWords(row.size)}
        words={row.role === 'added' ? 'a file of yours' : roles[row.role]}
        state={<StateOf row={row} />}
      />
    ),
  };
}

const roles: Record<Exclude<ModelRow['role'], 'added'>, string> = {
  starter: 'starter, what the desk begins with',
  light: 'light, for small machines',
  recommended: 'recommended',
  test: 'for tests only',
};

function StateOf({ row }: { row: ModelRow }) {
  const live = useDownloads((all) => all[row.name]);
  if (row.in_use && row.present) return <Mark kind="ready">in use</Mark>;
  if (row.present) return <Mark kind="none">on disk</Mark>;
  const news = live ?? row.getting;
  if (news !== null) return <Mark kind="work">{`${percentOf(news)} %`}</Mark>;
  if (row.problem !== null) return <Mark kind="danger">failed</Mark>;
  if (row.part === 0) return <Mark kind="none">not here</Mark>;
  return <Mark kind="look">{`paused, ${percentOf({ bytes: row.part, total: row.size })} %`}</Mark>;
}
