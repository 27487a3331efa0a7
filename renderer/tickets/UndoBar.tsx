// A reply that is going out, and the seconds in which it can still be taken back, whatever ticket is open meanwhile; or that
// it was stopped, until that was read.
import { useEffect, useState } from 'react';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { go, usePlace } from '../place.ts';
import { useOpened } from './openTicket.ts';
import { forget, stoppedWords, undo, useLeaving } from './replying.ts';
import styles from './UndoBar.module.css';

export function UndoBar() {
  const here = usePlace((place) => place.open);
  // The card of a ticket says it of its own reply, and has the key.
  const last = useLeaving(here);
  const hereToo = useOpened(({ ticket }) => ticket?.draft?.state === 'sending');
  const leaves = last?.stopped === false;
  useCommand('drafts.undo', () => last !== undefined && void undo(last.ticket), leaves && !hereToo);
  if (last === undefined) return null;
  const { ticket, customer, until } = last;
  if (!leaves)
    return (
      <div className={styles.bar}>
        <Foreign text={stoppedWords(last)} />
        <span className={styles.acts}>
          <Button look="quiet" onPress={() => forget(ticket)}>
            Put away
          </Button>
          <Button onPress={() => go('queue', ticket)}>Open {ticket}</Button>
        </span>
      </div>
    );
  return (
    <div className={styles.bar}>
      <span>
        Reply to <Foreign as="b" text={customer ?? 'the customer'} /> goes out in <Seconds until={until} />
      </span>
      <Button {...(hereToo ? {} : { command: 'drafts.undo' })} onPress={() => void undo(ticket)}>
        Undo
      </Button>
    </div>
  );
}

/** Seconds that are left to take a reply back. */
export function Seconds({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(1, Math.ceil((until - now) / 1_000))} s</>;
}
