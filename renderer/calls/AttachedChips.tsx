// What a person attached to the open ticket, over the composer: each with its size, taken away by its key or button.
import { useState } from 'react';
import { Button as AriaButton, Label, Tag, TagGroup, TagList } from 'react-aria-components';
import type { Attachment } from '../../shared/attaching.ts';
import type { OpenTicket } from '../../shared/queue.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { drawn, spelled } from '../parts/Foreign.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { desk, useMay } from '../session.ts';
import { attempt } from '../tickets/actions.ts';
import { AttachDialog } from './AttachDialog.tsx';
import styles from './Attaching.module.css';

export function AttachedChips({ ticket }: { ticket: OpenTicket }) {
  const [open, setOpen] = useState<'all' | 'prompts' | null>(null);
  const able = useMay('staff');
  useCommand('runs.attach', () => setOpen('all'), able);
  useCommand('calls.prompt', () => setOpen('prompts'), able);
  const { attached } = ticket;
  return (
    <>
      {attached.length > 0 && (
        <TagGroup
          className={styles.chips ?? ''}
          {...(able ? { onRemove: (keys) => void remove(ticket, attached, keys) } : {})}
        >
          <Label className={styles.label ?? ''}>For the next draft</Label>
          <TagList className={styles.list ?? ''} items={attached.map((one) => ({ ...one, id: idOf(one) }))}>
            {({ id, title, uri, bytes }) => (
              <Tag id={id} textValue={spelled(title ?? uri)} className={styles.chip ?? ''}>
                <span dir="auto">{drawn(title ?? uri)}</span>
                <small>{bytesWords(bytes)}</small>
                {able && (
                  <AriaButton slot="remove" aria-label={`Take away ${spelled(title ?? uri)}`}>
                    <span aria-hidden="true">×</span>
                  </AriaButton>
                )}
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
      {open !== null && <AttachDialog ticket={ticket} prompts={open === 'prompts'} close={() => setOpen(null)} />}
    </>
  );
}

function idOf({ prefix, uri }: Attachment): string {
  return `${prefix} ${uri}`;
}

/** Where several go, one after the other: each is a change of the thread. */
async function remove(ticket: OpenTicket, attached: Attachment[], keys: Iterable<unknown>): Promise<void> {
  const gone = new Set(keys);
  let { version } = ticket.row;
  for (const one of attached.filter((each) => gone.has(idOf(each)))) {
    const { prefix, uri } = one;
    const asked = { id: ticket.id, version, prefix, uri };
    const row = await attempt(() => desk.ask('runs.detach', asked));
    if (row === null) return;
    version = row.version;
    announce(`Taken away: ${spelled(one.title ?? uri)}.`);
  }
}
