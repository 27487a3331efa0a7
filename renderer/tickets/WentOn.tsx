// The ticket went on while somebody typed: what happened, and that nothing they typed is lost. They go on once they read it.
import type { OpenTicket } from '../../shared/queue.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import styles from './DraftCard.module.css';
import { typedOnto, type TypedKind } from './typed.ts';

export function WentOn({ kind, ticket, words }: { kind: TypedKind; ticket: OpenTicket; words: string }) {
  const leaving = ticket.draft?.state === 'sending';
  return (
    <div className={styles.wentOn} role="alert">
      <Foreign text={words} />
      <span className={styles.grow} />
      {!leaving && <Button onPress={() => typedOnto(kind, ticket)}>I read it, go on with mine</Button>}
    </div>
  );
}
