// The run this page started, while it goes on: how far, what is asked of whom, each ticket as it is finished.
import { ProgressBar } from 'react-aria-components';
import models from '../models/Models.module.css';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { MeterLine, MeterWords } from '../parts/Meter.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Notice, Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { go } from '../place.ts';
import styles from './Runs.module.css';
import { roughWords, stateOf, timeWords } from './runWords.ts';
import { useWorking, workQueue } from './working.ts';

/** Each finished ticket draws the table anew: only the newest are in it. */
const rowsShown = 50;
const titles = {
  idle: '',
  working: 'Working the queue',
  pausing: 'Pausing…',
  paused: 'Paused',
  failed: 'The run failed',
  done: 'The run is through',
};

interface Props {
  page: React.RefObject<PageHandle | null>;
  /** What is kept of it so far, in the list of runs. */
  kept: string | null;
}

/** What is left, by what the finished ones took; nothing is said before three of them. */
function leftWords(finished: { run: { ms: number } }[], left: number): string {
  if (finished.length < 3) return '';
  const each = finished.reduce((sum, { run }) => sum + run.ms, 0) / finished.length;
  return `, about ${roughWords(each * left)} left`;
}

export function WorkingView({ page, kept }: Props) {
  const { state, n, of, ticket, step, says, finished, done, waiting, failed } = useWorking();
  return (
    <Page
      handle={page}
      title={titles[state]}
      sub={`${done} finished${waiting > 0 ? `, ${waiting} wait for a person` : ''}`}
      actions={
        <>
          {state === 'working' && <Button command="runs.pause">Pause</Button>}
          {(state === 'paused' || state === 'failed') && (
            <Button look="primary" onPress={() => void workQueue({ select: 'open' })}>
              Go on with what is open
            </Button>
          )}
          {kept !== null && state !== 'working' && state !== 'pausing' && (
            <Button look={state === 'done' ? 'primary' : 'plain'} onPress={() => go('runs', kept)}>
              Its figures
            </Button>
          )}
          {waiting > 0 && <Button onPress={() => go('inbox')}>Inbox</Button>}
        </>
      }
    >
      <ProgressBar
        className={models.progress ?? ''}
        value={done}
        maxValue={Math.max(1, of)}
        aria-label="Tickets worked"
      >
        {({ percentage = 0 }) => (
          <>
            <MeterWords>
              <span>
                {ticket === null ? (state === 'working' ? 'Getting ready' : '') : drawn(`${ticket}: ${step}`)}
              </span>
              <span>{of > 0 ? `${n} of ${of}${state === 'working' ? leftWords(finished, of - done) : ''}` : ''}</span>
            </MeterWords>
            <MeterLine percent={percentage} />
          </>
        )}
      </ProgressBar>
      {failed !== null && (
        <Notice title="It stopped" look="danger">
          <Foreign text={failed} /> What was done is kept.
        </Notice>
      )}
      {state === 'paused' && (
        <Notice title="Paused" look="plain">
          What was done is kept. Going on works the tickets that are still open, as a run of its own.
        </Notice>
      )}
      {says.map((words) => (
        <Foreign key={words} as="p" text={words} />
      ))}
      {finished.length > 0 && (
        <Section
          title="Finished"
          note={done > rowsShown ? `the last ${rowsShown}; all of them stand in its figures` : undefined}
        >
          <Table label="Finished tickets" head={['Ticket', 'Subject', 'Came to', 'Time']}>
            {finished
              .slice(-rowsShown)
              .toReversed()
              .map(({ subject, run }) => (
                <tr key={run.ticket}>
                  <td className={styles.ticket}>
                    <code>{drawn(run.ticket)}</code>
                  </td>
                  <td>
                    <Foreign text={subject} />
                  </td>
                  <td>
                    <Mark kind={stateOf(run.state).kind}>{stateOf(run.state).words}</Mark>
                  </td>
                  <td>{timeWords(run.ms)}</td>
                </tr>
              ))}
          </Table>
        </Section>
      )}
    </Page>
  );
}
