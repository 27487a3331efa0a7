// What a pane shows where its content is not: nothing there, still coming, failed. Each says what it is and what to do.
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Foreign } from './Foreign.tsx';
import styles from './States.module.css';

/** Nothing is here, and what to do about it; lines of a tour go in as children. */
export function Empty({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

/** Silent for a second; then says what it waits for. */
export function Loading({ what }: { what: string }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.state} aria-busy="true">
      {slow && <p role="status">Waiting for {what}…</p>}
    </div>
  );
}

/** What happened, what was not lost, what to do. */
export function Failed({ what, why, again }: { what: string; why: string; again?: () => void }) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{what}</p>
      <Foreign as="p" text={why} />
      {again !== undefined && <Button onPress={again}>Try again</Button>}
    </div>
  );
}
