// A call that waits for consent, at its place in the log: all of it, before anyone says yes. Not a dialog: the ticket stays in
// sight, and the answer may come later.
import type { Call } from '../../shared/calls.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { useMay } from '../session.ts';
import { Arguments } from './Arguments.tsx';
import { Json } from './CallEntry.tsx';
import styles from './Calls.module.css';
import { EditArguments } from './EditArguments.tsx';
import { LookUpAgain, useEnds } from './Ends.tsx';
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
          {json && <Json call={call} />}
          {says !== null && <p className={styles.says}>The server says: {says}. The desk does not rely on it.</p>}
          <Acts moves={moves} toggle={toggle} over={ends?.over ? call : null} />
        </>
      )}
    </li>
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
