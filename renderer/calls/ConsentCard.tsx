// A call that waits for consent, at its place in the log: all of it, before anyone says yes. Not a dialog: the ticket stays in
// sight, and the answer may come later.
import type { Call } from '../../shared/calls.ts';
import { isObject } from '../../shared/json.ts';
import { cx } from '../classes.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { useMay } from '../session.ts';
import { Arguments } from './Arguments.tsx';
import { Json } from './CallEntry.tsx';
import styles from './Calls.module.css';
import { EditArguments } from './EditArguments.tsx';
import { LookUpAgain, useEnds } from './Ends.tsx';
import { signOf } from './money.ts';
import { limitsOf } from './resultWords.ts';
import { consent, sayNo, sayYes, useAbout, useConsent } from './waiting.ts';
import { serverSays, toolWords } from './words.ts';

export function ConsentCard({ call, json, toggle }: { call: Call; json: boolean; toggle: () => void }) {
  const { moves, amount, raw, earlier } = useAbout(call);
  const ends = useEnds(call, earlier);
  const editing = useConsent((state) => state.stage === 'edit' && state.shown?.id === call.id);
  const says = serverSays(raw);
  return (
    <li className={styles.consent} id={`call-${call.n}`} tabIndex={-1}>
      <div className={styles.head}>
        {toolWords(call)}
        {amount !== null && <span className={styles.money}>{amount}</span>}
      </div>
      <div className={styles.wire}>
        <Foreign text={call.tool} /> · server {call.prefix} · {call.listed ? 'no side effects' : 'has side effects'}
      </div>
      {call.asks !== null && <Foreign as="p" text={call.asks} className={styles.asks} />}
      {ends !== null && (
        <p className={ends.over ? styles.over : styles.asks} role="status">
          <Foreign text={`${ends.words}.`} />
        </p>
      )}
      {editing ? (
        <EditArguments call={call} />
      ) : (
        <>
          <Arguments call={call} />
          <Limits call={call} earlier={earlier} />
          {json && <Json call={call} />}
          {says !== null && <p className={styles.says}>The server says: {says}. The desk does not rely on it.</p>}
          <Acts moves={moves} toggle={toggle} over={ends?.over ? call : null} />
        </>
      )}
    </li>
  );
}

/** Of the record the money was taken from: a limit, and whether it is kept. */
function Limits({ call: { money }, earlier }: { call: Call; earlier: readonly Call[] }) {
  const record = earlier.find((one) => money !== null && one.n === money.call)?.structured;
  if (money === null || !isObject(record)) return null;
  const limits = limitsOf(record, signOf(money.currency));
  if (limits.length === 0) return null;
  return (
    <ul className={cx(styles.result, styles.record)} aria-label="Limits">
      {limits.map(({ field, name, words }) => (
        <li key={field} className={cx(record[field] === false && styles.beyond)}>
          <Foreign text={name} className={styles.name} />
          <Foreign text={words} />
        </li>
      ))}
    </ul>
  );
}

function Acts({ moves, toggle, over }: { moves: boolean; toggle: () => void; over: Call | null }) {
  const armed = useConsent((state) => state.armed && state.stage !== 'sending');
  const able = useMay('staff') && armed;
  return (
    <div className={styles.acts}>
      {over !== null && <LookUpAgain call={over} />}
      <Button
        look={moves ? 'money' : 'plain'}
        command="consent.run"
        disabled={!able}
        onPress={() => void sayYes(moves)}
        skipped
      >
        Run once
      </Button>
      <Button command="consent.dont" disabled={!able} onPress={() => void sayNo()}>
        Don’t run
      </Button>
      <Button look="quiet" command="consent.edit" disabled={!able} onPress={() => consent.edit()}>
        Edit
      </Button>
      <Button look="quiet" command="calls.json" onPress={toggle}>
        JSON
      </Button>
    </div>
  );
}
