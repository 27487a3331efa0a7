// A call on its way: how far it is, where it runs, and the button that stops it. Of one that ended, what it said last stays
// where nobody knows what it did.
import { ProgressBar } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { MeterLine, MeterWords } from '../parts/Meter.tsx';
import { momentWords } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { desk } from '../session.ts';
import { attempt } from '../tickets/actions.ts';
import styles from './Progress.module.css';
import { countWords, percentOf, taskWords } from './progressWords.ts';
import { toolWords } from './words.ts';

export function Progress({ call }: { call: Call }) {
  const name = usePeople();
  const { progress, task } = call;
  const runs = call.state === 'sending';
  if (!runs && (progress === undefined || call.state !== 'unknown')) return null;
  const by = task?.stop_by == null ? '' : name(task.stop_by);
  return (
    <div className={styles.progress} data-progress={runs ? 'runs' : 'ended'}>
      {progress !== undefined && <Bar call={call} runs={runs} />}
      {runs && task !== undefined && (
        <p className={styles.where}>{taskWords(call.prefix, task, momentWords(task.since), by)}</p>
      )}
      {runs && by === '' && (
        <Button label={`Stop: ${toolWords(call)}`} onPress={() => void stop(call)}>
          Stop
        </Button>
      )}
    </div>
  );
}

function Bar({ call: { n, progress }, runs }: { call: Call; runs: boolean }) {
  if (progress === undefined) return null;
  const percent = percentOf(progress);
  const count = countWords(progress) ?? '';
  const message = progress.message ?? '';
  const words = (
    <MeterWords className={styles.words}>
      <span>
        {!runs && 'It said last: '}
        <Foreign text={message} />
      </span>
      <span>{message.includes(count) ? '' : count}</span>
    </MeterWords>
  );
  if (percent === null || !runs) return words;
  return (
    <ProgressBar value={percent} aria-label={`How far call ${n} is`} valueLabel={count}>
      {words}
      <MeterLine percent={percent} />
    </ProgressBar>
  );
}

async function stop({ id }: Call): Promise<void> {
  await attempt(() => desk.ask('calls.stop', { id }));
}
