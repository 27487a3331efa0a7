// A reply being written or changed. What a claim rested on is kept where the edit leaves the claim alone; the host checks all
// of it again when it is kept.
import { TextArea, TextField } from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { usePeople } from '../peopleNames.ts';
import { carried } from './claims.ts';
import { customerName } from './customerName.ts';
import { caretAtEnd } from './caret.ts';
import styles from './DraftCard.module.css';
import { keepEdit, send } from './replying.ts';
import { dropTyped, type, wentOn, type Typed } from './typed.ts';
import { WentOn } from './WentOn.tsx';

export function Editor({ ticket, typed }: { ticket: OpenTicket; typed: Typed }) {
  const { draft } = ticket;
  const { text } = typed;
  const stale = wentOn(ticket, typed, usePeople());
  const sendable = text.trim() !== '' && stale === null;
  useCommand('drafts.send', () => void send(ticket), sendable);
  useCommand('tickets.keep', () => void keepEdit(ticket), stale === null);
  useCommand('tickets.list', () => void keepEdit(ticket), stale === null);
  const claims = draft?.claims ?? [];
  const kept = carried(draft?.text ?? '', text, claims).length;
  return (
    <section className={styles.card} aria-label="Edit the reply">
      <div className={styles.top}>
        <b>Editing</b>
        {claims.length > 0 && stale === null && (
          <span>
            {kept === claims.length
              ? 'all claims untouched'
              : `${claims.length - kept} of ${claims.length} claims touched`}
          </span>
        )}
        <span className={styles.grow} />
        <span>{stale === null ? 'Escape keeps it' : 'Your text is kept here'}</span>
      </div>
      {stale !== null && <WentOn kind="reply" ticket={ticket} words={stale} />}
      <TextField
        className={styles.area ?? ''}
        aria-label={`Reply to ${customerName(ticket, 'the customer')}`}
        value={text}
        onChange={(next) => type('reply', ticket.id, next)}
        autoFocus
      >
        <TextArea ref={caretAtEnd} className={styles.input ?? ''} dir="auto" />
      </TextField>
      <div className={styles.foot}>
        <span className={styles.hint}>Checked against the calls again before it goes out.</span>
        <span className={styles.grow} />
        <Button look="quiet" onPress={() => dropTyped('reply', ticket.id)}>
          Discard
        </Button>
        <Button command="tickets.keep" disabled={stale !== null}>
          Keep
        </Button>
        <Button look="primary" command="drafts.send" disabled={!sendable}>
          Send
        </Button>
      </div>
    </section>
  );
}
