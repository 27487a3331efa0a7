// A note for colleagues. It looks unlike a reply and has no recipient.
import { TextArea, TextField } from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { usePeople } from '../peopleNames.ts';
import { caretAtEnd } from './caret.ts';
import styles from './DraftCard.module.css';
import { note } from './replying.ts';
import { dropTyped, type, wentOn, type Typed } from './typed.ts';
import { WentOn } from './WentOn.tsx';

export function NoteBox({ ticket, typed }: { ticket: OpenTicket; typed: Typed }) {
  const { text } = typed;
  const { id } = ticket;
  const stale = wentOn({ ...ticket, draft: null }, { ...typed, edition: 0 }, usePeople());
  const able = text.trim() !== '' && stale === null;
  useCommand('tickets.keep', () => void note(id), able);
  useCommand('tickets.list', () => dropTyped('note', id), text.trim() === '');
  return (
    <section className={cx(styles.card, styles.noteCard)} aria-label="Note">
      <div className={styles.top}>
        <b>Note</b>
        <span>Stays in the desk; no customer sees it</span>
      </div>
      {stale !== null && <WentOn kind="note" ticket={ticket} words={stale} />}
      <TextField
        className={styles.area ?? ''}
        aria-label="Note"
        value={text}
        onChange={(next) => type('note', id, next)}
        autoFocus
      >
        <TextArea ref={caretAtEnd} className={styles.input ?? ''} dir="auto" />
      </TextField>
      <div className={styles.foot}>
        {ticket.draft !== null && (
          <span className={styles.hint}>A note retires the draft: it was written without it.</span>
        )}
        <span className={styles.grow} />
        <Button look="quiet" onPress={() => dropTyped('note', id)}>
          Discard
        </Button>
        <Button look="primary" command="tickets.keep" disabled={!able}>
          Keep the note
        </Button>
      </div>
    </section>
  );
}
