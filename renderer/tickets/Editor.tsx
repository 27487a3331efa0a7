// A reply being written or changed. What a claim rested on is kept where the edit leaves the claim alone; the host checks all
// of it again when it is kept.
import { TextArea, TextField } from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { carried } from './claims.ts';
import styles from './DraftCard.module.css';
import { keepEdit, send, typeReply } from './replying.ts';

export function Editor({ ticket, text }: { ticket: OpenTicket; text: string }) {
  const { draft } = ticket;
  useCommand('drafts.send', () => void send(ticket), text.trim() !== '');
  useCommand('tickets.list', () => void keepEdit(ticket));
  const claims = draft?.claims ?? [];
  const kept = carried(draft?.text ?? '', text, claims).length;
  return (
    <section className={styles.card} aria-label="Edit the reply">
      <div className={styles.top}>
        <b>Editing</b>
        {claims.length > 0 && (
          <span>
            {kept === claims.length
              ? 'all claims untouched'
              : `${claims.length - kept} of ${claims.length} claims touched`}
          </span>
        )}
        <span className={styles.grow} />
        <span>Escape keeps it</span>
      </div>
      <TextField
        className={styles.area ?? ''}
        aria-label={`Reply to ${ticket.customer ?? 'the customer'}`}
        value={text}
        onChange={(next) => typeReply(ticket.id, next)}
        autoFocus
      >
        <TextArea className={styles.input ?? ''} dir="auto" />
      </TextField>
      <div className={styles.foot}>
        <span className={styles.hint}>Checked against the calls again before it goes out.</span>
        <span className={styles.grow} />
        <Button look="quiet" onPress={() => typeReply(ticket.id, null)}>
          Discard
        </Button>
        <Button onPress={() => void keepEdit(ticket)}>Keep</Button>
        <Button look="primary" command="drafts.send">
          Send
        </Button>
      </div>
    </section>
  );
}
