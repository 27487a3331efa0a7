// A reply that is going out, and the seconds in which it can still be taken back, whatever ticket is open meanwhile.
import { useEffect, useState } from 'react';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { usePlace } from '../place.ts';
import { useOpened } from './openTicket.ts';
import { undo, useReplying } from './replying.ts';
import styles from './UndoBar.module.css';

export function UndoBar() {
  const here = usePlace((place) => place.open);
  // The card of a ticket says it of its own reply, and has the key.
  const last = useReplying(({ leaving }) => leaving.findLast(({ ticket }) => ticket !== here));
  const hereToo = useOpened(({ ticket }) => ticket?.draft?.state === 'sending');
  useCommand('drafts.undo', () => last !== undefined && void undo(last.ticket), last !== undefined && !hereToo);
  if (last === undefined) return null;
  return (
    <div className={styles.bar}>
      <span>
        Reply to <Foreign as="b" text={last.customer ?? 'the customer'} /> goes out in <Seconds until={last.until} />
      </span>
      <Button {...(hereToo ? {} : { command: 'drafts.undo' })} onPress={() => void undo(last.ticket)}>
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
