// Runs: the queue worked in one go, each run with its figures, two beside each other, any ticket's transcript and wire.
import { useEffect, useRef, useState } from 'react';
import type { QueueRun } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { Bar } from '../frame/Bar.tsx';
import { Panes } from '../frame/Panes.tsx';
import { Button } from '../parts/Button.tsx';
import { drawn } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import type { PageHandle } from '../parts/Page.tsx';
import { PickList, TwoLines, type PickSection } from '../parts/PickList.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { momentWords, Time } from '../parts/Time.tsx';
import { go, usePlace } from '../place.ts';
import { useMay } from '../session.ts';
import { RunView } from './RunView.tsx';
import { useModelTitles } from './modelTitles.ts';
import { ticketsWords, timeWords } from './runWords.ts';
import { StartRun } from './StartRun.tsx';
import styles from './Runs.module.css';
import { pauseQueue, useWorking } from './working.ts';
import { WorkingView } from './WorkingView.tsx';

const keys = { next: 'runs.next', previous: 'runs.previous', open: 'runs.open', list: 'runs.list' } as const;
/** As many more are listed each time. */
const step = 50;
/** Name of the run under way, which has no figures yet. */
const nowId = 'now';

export function Runs() {
  const state = useWorking((working) => working.state);
  const began = useWorking((working) => working.began);
  const [most, setMost] = useState(step);
  const runs = useAsked('runs.list', { most }, { follow: ['tickets'] });
  const opened = usePlace(({ open }) => open);
  const [starting, setStarting] = useState(false);
  const page = useRef<PageHandle>(null);
  const staff = useMay('staff');
  // While more are asked for, those that are known stay.
  const [all, setAll] = useState<QueueRun[]>([]);
  if (runs.value !== undefined && runs.value !== all) setAll(runs.value);
  const older = all.length >= most;
  const titleOf = useModelTitles();
  const busy = state === 'working' || state === 'pausing';
  const first = busy ? nowId : all[0]?.id;
  useCommand('runs.work', () => setStarting(true), staff && !busy);
  useCommand('runs.older', () => setMost(most + step), older);
  useCommand('runs.pause', pauseQueue, state === 'working');
  useEffect(() => {
    if (first !== undefined && opened === null) go('runs', first);
  }, [first, opened]);
  const { again } = runs;
  useEffect(() => again(), [state, again]);
  const shown = all.find(({ id }) => id === opened);
  return (
    <Panes
      name="runs"
      listWords="Runs"
      mainWords="Run"
      listWidth={380}
      list={
        <>
          <Bar title="Runs">
            {busy ? (
              <Button command="runs.pause">Pause</Button>
            ) : (
              <Button look="primary" command="runs.work">
                Work the queue
              </Button>
            )}
          </Bar>
          {runs.value === undefined && all.length === 0 ? (
            runs.failed === null ? (
              <Loading what="the runs" />
            ) : (
              <Failed what="The runs cannot be listed." why={runs.failed} again={again} />
            )
          ) : all.length === 0 && state === 'idle' ? (
            <Empty title="No run yet.">
              <p>Work the queue in one go, with another model or after a change, and compare it with the run before.</p>
            </Empty>
          ) : (
            <PickList
              label="Runs"
              sections={sectionsOf(all, { titleOf, now: state !== 'idle', older })}
              selected={starting ? null : opened}
              pick={(id) => {
                setStarting(false);
                go('runs', id);
              }}
              keys={keys}
              open={() => page.current?.focus()}
            />
          )}
          {older && (
            <div className={styles.older}>
              <Button look="quiet" command="runs.older">
                Show older runs
              </Button>
            </div>
          )}
        </>
      }
      main={
        starting ? (
          <StartRun
            page={page}
            onDone={(started) => {
              setStarting(false);
              if (started) go('runs', nowId);
            }}
          />
        ) : opened === nowId && state !== 'idle' ? (
          <WorkingView page={page} kept={keptOf(all, began)} />
        ) : shown === undefined ? (
          <Empty title={all.length === 0 ? '' : 'Choose a run.'} />
        ) : (
          <RunView key={shown.id} id={shown.id} all={all} titleOf={titleOf} page={page} />
        )
      }
    />
  );
}

/** What this page's run is in the list: the newest that began since. */
function keptOf(all: QueueRun[], began: string): string | null {
  const [newest] = all;
  return newest !== undefined && began !== '' && newest.started_at >= began ? newest.id : null;
}

function sectionsOf(
  all: QueueRun[],
  { titleOf, now, older }: { titleOf: (model: string) => string; now: boolean; older: boolean },
): PickSection[] {
  const own: PickSection = {
    id: nowId,
    title: 'This page',
    items: [{ id: nowId, text: 'The run of this page', row: <NowRow /> }],
  };
  const kept: PickSection = {
    id: 'kept',
    title: 'Kept',
    note: older ? `the newest ${all.length}` : String(all.length),
    items: all.map((run) => itemOf(run, titleOf(run.model))),
  };
  return [...(now ? [own] : []), ...(all.length > 0 ? [kept] : [])];
}

function NowRow() {
  const { state, n, of, ticket, step, failed, done } = useWorking();
  const words = {
    working: 'Working',
    pausing: 'Pausing',
    paused: 'Paused',
    failed: 'Failed',
    done: 'Through',
    idle: '',
  };
  return (
    <TwoLines
      title={words[state]}
      age={of > 0 ? `${n} of ${of}` : undefined}
      words={failed ?? (ticket === null ? `${ticketsWords(done)} finished` : `${ticket}: ${step}`)}
      state={<Mark kind={state === 'working' ? 'work' : state === 'failed' ? 'danger' : 'none'}>{words[state]}</Mark>}
    />
  );
}

function itemOf(run: QueueRun, title: string) {
  const { right, total } = run.first_tool;
  const waiting = run.states['waiting'] ?? 0;
  return {
    id: run.id,
    text: `${title}, ${ticketsWords(run.tickets)}, ${new Date(run.started_at).toLocaleString('en-GB')}`,
    row: (
      <TwoLines
        title={drawn(title)}
        age={<Time at={run.started_at} />}
        words={`${momentWords(run.started_at)}: ${ticketsWords(run.tickets)}, ${timeWords(run.ms)}`}
        state={
          run.ended_at === null ? (
            <Mark kind="work">being worked</Mark>
          ) : total > 0 ? (
            <Mark kind={right >= 0.8 * total ? 'ready' : 'look'}>{`${right}/${total} right`}</Mark>
          ) : (
            <Mark kind={waiting > 0 ? 'asks' : 'none'}>{waiting > 0 ? `${waiting} wait` : 'no labels'}</Mark>
          )
        }
      />
    ),
  };
}
