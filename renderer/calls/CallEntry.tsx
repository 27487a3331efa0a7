// One call in the log: what was asked, with which arguments from where, what came back, how long it took, who said yes, and
// who answered what its server asked.
import type { Call } from '../../shared/calls.ts';
import type { Answered } from '../../shared/questions.ts';
import { cx } from '../classes.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { usePeople } from '../peopleNames.ts';
import { Arguments } from './Arguments.tsx';
import styles from './Calls.module.css';
import { useHot } from './hot.ts';
import { Progress } from './Progress.tsx';
import { Result } from './Result.tsx';
import { View } from './View.tsx';
import { lengthWords, numberWords, toolWords } from './words.ts';

interface Props {
  call: Call;
  /** Of every call of the ticket; left out where another line says who answered. */
  answers?: readonly Answered[];
  json: boolean;
}
export function CallEntry({ call, answers = [], json }: Props) {
  const hot = useHot((state) => state.call === call.n);
  return (
    <li className={cx(styles.call, hot && styles.hot)} id={`call-${call.n}`} tabIndex={-1}>
      <span className={styles.number}>{numberWords(call)}</span>
      <div>
        <div className={styles.head}>
          {toolWords(call)}
          <span>{call.ms === null ? '' : call.ms < 10_000 ? `${call.ms} ms` : lengthWords(call.ms)}</span>
        </div>
        <Foreign as="div" text={call.tool} className={styles.wire} />
        <Arguments call={call} />
        <Result call={call} />
        <View call={call} />
        <Progress call={call} />
        <Consented call={call} />
        {answers
          .filter((one) => one.call === call.id)
          .map((one) => (
            <AnsweredBy key={one.id} answer={one} />
          ))}
        {json && <Json call={call} />}
      </div>
    </li>
  );
}

function Consented({ call: { consent } }: { call: Call }) {
  const name = usePeople();
  if (consent === null || consent.by === 'host') return null;
  return (
    <p className={styles.by}>
      {consent.answer === 'run' ? 'Run' : 'Not run'}: {name(consent.by)}, after {lengthWords(consent.ms)}
    </p>
  );
}

const said = { accept: 'Accepted', decline: 'Declined', cancel: 'Cancelled' } as const;

function AnsweredBy({ answer: { action, by, ms } }: { answer: Answered }) {
  const name = usePeople();
  return (
    <p className={styles.by}>
      {said[action]}: {name(by)}, after {lengthWords(ms)}
    </p>
  );
}

/** The exact bytes that matter: what was or would be sent, what came back, what a consent is bound to. */
export function Json({ call }: { call: Call }) {
  const whole = {
    tool: call.tool,
    arguments: call.arguments,
    ...(call.structured === null ? {} : { structured: call.structured }),
    ...(call.structured === null && call.text !== null ? { text: call.text } : {}),
    hash: call.hash,
  };
  return (
    <div className={styles.json} role="region" aria-label={`JSON of call ${call.n}`} tabIndex={0}>
      <Foreign as="pre" text={JSON.stringify(whole, null, 2)} />
    </div>
  );
}
