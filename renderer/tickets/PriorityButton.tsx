// How soon a ticket wants an answer, as a person sets it; of the marked tickets together where some are.
import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { TicketRow } from '../../shared/queue.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { change } from './actions.ts';
import { priorities, priorityWords } from './priorityWords.ts';
import styles from './QueueHead.module.css';
import pane from './TicketPane.module.css';

export function PriorityButton({ row: { priority } }: { row: TicketRow }) {
  const [open, setOpen] = useState(false);
  useCommand('tickets.priority', () => setOpen(true));
  const soon = priority === 'urgent' || priority === 'high';
  return (
    <MenuTrigger isOpen={open} onOpenChange={setOpen}>
      <Button
        className={cx(pane.priority, soon && pane.soon)}
        aria-label={`Priority: ${priorityWords[priority].toLowerCase()}`}
      >
        {priorityWords[priority]} <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={styles.popover ?? ''} data-popup="" placement="bottom start">
        <Menu
          aria-label="Priority"
          className={styles.menu ?? ''}
          selectionMode="single"
          selectedKeys={[priority]}
          disallowEmptySelection
        >
          {priorities.map((one) => (
            <MenuItem
              key={one}
              id={one}
              className={styles.item ?? ''}
              textValue={priorityWords[one]}
              onAction={() => void change({ kind: 'priority', priority: one })}
            >
              {priorityWords[one]}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
