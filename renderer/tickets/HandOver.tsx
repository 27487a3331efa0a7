// Handing a ticket over in one go: to whom, and what they should know. Nothing of it leaves the desk.
import { useState } from 'react';
import {
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  TextArea,
  TextField,
  Button as AriaButton,
} from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import type { Role } from '../../shared/people.ts';
import { useAsked } from '../asked.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { usePeople } from '../peopleNames.ts';
import { useMe } from '../session.ts';
import { caretAtEnd } from './caret.ts';
import styles from './DraftCard.module.css';
import head from './QueueHead.module.css';
import { handOver } from './replying.ts';
import { dropTyped, type, wentOn, type Typed } from './typed.ts';
import { WentOn } from './WentOn.tsx';

const roles: Record<Role, string> = { staff: 'Any person', lead: 'A lead', admin: 'An admin' };

/** Roles first: most of the time it matters what somebody may do, not who it is. */
function useTakers(): { id: string; words: string; to: { person: string } | { role: Role } }[] {
  const me = useMe(({ person }) => person?.id);
  const { value: people } = useAsked('people.list', {}, { follow: ['people'] });
  // Keys of the record are exactly the roles.
  const any = (Object.keys(roles) as Role[]).map((role) => ({ id: role, words: roles[role], to: { role } }));
  const others = (people ?? []).filter(({ id }) => id !== me);
  return [...any, ...others.map(({ id, name }) => ({ id: `person ${id}`, words: name, to: { person: id } }))];
}

export function HandOver({ ticket, typed }: { ticket: OpenTicket; typed: Typed }) {
  const { text } = typed;
  const { id } = ticket;
  const takers = useTakers();
  const [chosen, choose] = useState('lead');
  const taker = takers.find((one) => one.id === chosen);
  const stale = wentOn(ticket, typed, usePeople());
  const able = text.trim() !== '' && stale === null && taker !== undefined;
  useCommand('tickets.keep', () => taker !== undefined && void handOver(id, taker.to, taker.words), able);
  useCommand('tickets.list', () => dropTyped('hand over', id), text.trim() === '');
  return (
    <section className={cx(styles.card, styles.noteCard)} aria-label="Hand over">
      <div className={styles.top}>
        <b>Hand over</b>
        <span>Stays in the desk; no customer sees it</span>
        <span className={styles.grow} />
        <Select className={styles.taker ?? ''} value={chosen} onChange={(key) => choose(String(key))}>
          <Label>To</Label>
          <AriaButton className={styles.pick ?? ''}>
            <SelectValue />
            <span aria-hidden="true">▾</span>
          </AriaButton>
          <Popover className={head.popover ?? ''} data-popup="" placement="bottom end">
            <ListBox className={head.menu ?? ''} items={takers}>
              {(one) => (
                <ListBoxItem id={one.id} textValue={one.words} className={head.item ?? ''}>
                  {one.words}
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </Select>
      </div>
      {stale !== null && <WentOn kind="hand over" ticket={ticket} words={stale} />}
      <TextField
        className={styles.area ?? ''}
        aria-label="What the next person should know"
        value={text}
        onChange={(next) => type('hand over', id, next)}
        autoFocus
      >
        <TextArea
          ref={caretAtEnd}
          className={styles.input ?? ''}
          dir="auto"
          placeholder="What the next person should know"
        />
      </TextField>
      <div className={styles.foot}>
        <span className={styles.hint}>It becomes a note, and whoever has the ticket lets go of it.</span>
        <span className={styles.grow} />
        <Button look="quiet" onPress={() => dropTyped('hand over', id)}>
          Discard
        </Button>
        <Button look="primary" command="tickets.keep" disabled={!able}>
          Hand over
        </Button>
      </div>
    </section>
  );
}
