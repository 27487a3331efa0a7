// The line to the host is gone: said at once, with what it means. Nothing a person does meanwhile is pretended to be done.
// Beside it that the page itself ended and was loaded again.
import { useEffect, useState } from 'react';
import { Button } from '../parts/Button.tsx';
import { desk, useLine } from '../session.ts';
import styles from './LineNotice.module.css';

export function LineNotice() {
  const { state, refused, notice, reloaded } = useLine();
  const slow = useSlow(state === 'connecting');
  if (state === 'open' && reloaded !== null)
    return (
      <div className={styles.notice} role="alert">
        <b>Loaded again</b>
        <span>{reloaded}</span>
        <Button look="quiet" onPress={desk.clearNotice}>
          Close
        </Button>
      </div>
    );
  if (state === 'open' || (state === 'connecting' && !slow)) return null;
  return (
    <div className={styles.notice} role="alert">
      <b>{refused === null ? (state === 'lost' ? 'Connection lost' : 'Connecting') : 'Not signed in'}</b>
      <span>
        {refused ??
          notice ??
          (state === 'lost'
            ? 'Trying again by itself. What you see may be old; nothing that was done is lost.'
            : 'Waiting for the desk to start.')}
      </span>
    </div>
  );
}

function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), 1_000);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  return slow;
}
