// A note for colleagues, alone or with handing the ticket over. It looks unlike a reply and has no recipient.
import { useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { change } from './actions.ts';
import styles from './DraftCard.module.css';
import { note } from './replying.ts';

export type NoteKind = 'note' | 'hand over';

export function NoteBox({ ticket, kind, close }: { ticket: OpenTicket; kind: NoteKind; close: () => void }) {
  const [text, setText] = useState('');
  useCommand('tickets.list', close);
  async function keep(): Promise<void> {
    if (!(await note(ticket, text))) return;
    if (kind === 'hand over' && ticket.row.owner !== null) await change({ kind: 'release' });
    close();
  }
  return (
    <section className={cx(styles.card, styles.noteCard)} aria-label={kind === 'note' ? 'Note' : 'Hand over'}>
      <div className={styles.top}>
        <b>{kind === 'note' ? 'Note' : 'Hand over'}</b>
        <span>Stays in the desk; no customer sees it</span>
      </div>
      <TextField
        className={styles.area ?? ''}
        aria-label={kind === 'note' ? 'Note' : 'What the next person should know'}
        value={text}
        onChange={setText}
        autoFocus
      >
        <TextArea
          className={styles.input ?? ''}
          dir="auto"
          placeholder={kind === 'note' ? '' : 'What the next person should know'}
        />
      </TextField>
      <div className={styles.foot}>
        <span className={styles.hint}>A note retires the draft: it was written without it.</span>
        <span className={styles.grow} />
        <Button look="quiet" onPress={close}>
          Cancel
        </Button>
        <Button look="primary" onPress={() => void keep()} disabled={text.trim() === ''}>
          {kind === 'note' ? 'Keep the note' : 'Hand over'}
        </Button>
      </div>
    </section>
  );
}
