// What asks for consent, over the composer: in one line what would be done. Its keys count only while it has the focus. The
// focus goes to the bar or the amount, never to the button that runs.
import { useEffect, useRef } from 'react';
import type { Call } from '../../shared/calls.ts';
import { textOf } from '../../shared/json.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { showSide } from '../frame/side.ts';
import { Button } from '../parts/Button.tsx';
import { useDrafting } from '../tickets/drafting.ts';
import { Foreign, spelled } from '../parts/Foreign.tsx';
import { useMay } from '../session.ts';
import styles from './ConsentBar.module.css';
import { unarmedMs } from './consent.ts';
import { LookUpAgain, useEnds } from './Ends.tsx';
import { barId, focusBar } from './reveal.ts';
import { consent, sayAmount, sayNo, sayYes, useAbout, useConsent, useWaitingCall } from './waiting.ts';
import { toolWords } from './words.ts';

export function ConsentBar() {
  const call = useWaitingCall();
  return call === null ? null : <Bar key={call.hash} call={call} />;
}

function Bar({ call }: { call: Call }) {
  const { moves, amount, about, earlier } = useAbout(call);
  const ends = useEnds(call, earlier);
  const armed = useConsent((state) => state.armed);
  const stage = useConsent((state) => state.stage);
  const given = useConsent((state) => state.given);
  const says = useDrafting((state) => state.says);
  const able = useMay('staff') && armed && stage !== 'sending';
  useCommand('consent.run', () => void sayYes(moves), able);
  useCommand('consent.dont', () => void sayNo(), able);
  useCommand(
    'consent.edit',
    () => {
      showSide(true);
      consent.edit();
    },
    able,
  );
  useCommand('calls.look', focusBar);
  const what = about === null ? Object.values(call.arguments).map(textOf).join(', ') : `for ${about}`;
  return (
    <div
      id={barId}
      className={styles.bar}
      data-place="consent"
      role="group"
      tabIndex={0}
      aria-label={`Run ${toolWords(call)}? ${spelled(`${amount ?? ''} ${what}`)}.${ends === null ? '' : ` ${spelled(ends.words)}.`} Y runs it, N does not, M edits the arguments.`}
    >
      <b>
        {given === null
          ? `Run ${toolWords(call)}?`
          : given === 'run'
            ? `Your yes is on its way: ${toolWords(call)}`
            : `Your no is on its way: ${toolWords(call)}`}
      </b>
      {amount !== null && stage !== 'amount' && <span className={styles.amount}>{amount}</span>}
      <Foreign text={given === null ? what : (says ?? 'The draft goes on with it…')} className={styles.what} />
      {stage === 'amount' ? <Amount amount={amount} /> : <Acts able={able} moves={moves} />}
      {given === null && ends !== null && (
        <div className={cx(styles.ends, ends.over && styles.over)}>
          <Foreign text={ends.words} />
          {ends.over && <LookUpAgain call={call} />}
        </div>
      )}
    </div>
  );
}

function Acts({ able, moves }: { able: boolean; moves: boolean }) {
  return (
    <>
      <Button look="quiet" onPress={() => showSide(true)} className={styles.narrow}>
        Look
      </Button>
      <Button look="quiet" command="consent.dont" disabled={!able} onPress={() => void sayNo()}>
        Don’t run
      </Button>
      <Button
        look={moves ? 'money' : 'plain'}
        command="consent.run"
        disabled={!able}
        onPress={() => void sayYes(moves)}
        skipped
      >
        Run
      </Button>
    </>
  );
}

/** Y was given: the amount itself has the focus, and Enter on it runs the call. Escape goes back. */
function Amount({ amount }: { amount: string | null }) {
  const field = useRef<HTMLDivElement>(null);
  const since = useRef(0);
  useEffect(() => {
    field.current?.focus();
    since.current = performance.now();
  }, []);
  useCommand('tickets.list', () => {
    consent.back();
    focusBar();
  });
  // The second click of a double one was meant for the button that stood here.
  const early = (): boolean => performance.now() - since.current < unarmedMs;
  const words = amount ?? 'an amount no record names';
  return (
    <>
      <div
        ref={field}
        className={styles.confirm}
        data-own-enter=""
        role="group"
        tabIndex={0}
        aria-label={`This moves ${spelled(words)}. Enter runs it, Escape goes back.`}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.repeat) return;
          event.preventDefault();
          event.stopPropagation();
          void sayAmount();
        }}
        onClick={() => early() || void sayAmount()}
      >
        Run: {words} <kbd>↵</kbd>
      </div>
      <Button look="quiet" command="consent.dont" onPress={() => early() || void sayNo()}>
        Don’t run
      </Button>
    </>
  );
}
