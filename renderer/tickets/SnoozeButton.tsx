// Snoozing: until when, in words; a snoozed ticket wakes with the same key.
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { TicketRow } from '../../shared/queue.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { momentWords } from '../parts/Time.tsx';
import { change } from './actions.ts';
import styles from './QueueHead.module.css';

/** Times from now on, in the person's own zone. */
function choices(now: Date): { words: string; at: Date }[] {
  const morning = (days: number) => {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(9, 0, 0, 0);
    return at;
  };
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { words: 'For 3 hours', at: new Date(now.getTime() + 3 * 3_600_000) },
    { words: 'Until tomorrow morning', at: morning(1) },
    // On a Sunday that is tomorrow, on a Monday in a week.
    ...(toMonday === 1 || toMonday === 7 ? [] : [{ words: 'Until Monday morning', at: morning(toMonday) }]),
    { words: 'For a week', at: morning(7) },
  ];
}

export function SnoozeButton({ row }: { row: TicketRow }) {
  const [open, setOpen] = useState(false);
  useCommand('tickets.snooze', () => {
    if (row.status === 'snoozed') void change({ kind: 'snooze', until: null });
    else setOpen(true);
  });
  if (row.status === 'snoozed')
    return (
      <Button look="quiet" command="tickets.snooze">
        Wake
      </Button>
    );
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <Button look="quiet" command="tickets.snooze">
        Snooze
      </Button>
      <Popover className={styles.popover ?? ''} data-popup="" placement="bottom end">
        <Menu aria-label="Snooze" className={styles.menu ?? ''}>
          {choices(new Date()).map(({ words, at }) => (
            <MenuItem
              key={words}
              className={styles.item ?? ''}
              textValue={words}
              onAction={() => void change({ kind: 'snooze', until: at.toISOString() })}
            >
              {words}
              <span className={styles.count}>{momentWords(at.toISOString())}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
