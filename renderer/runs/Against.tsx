// Which run the open one is held against.
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import type { QueueRun } from '../../shared/runs.ts';
import { cx } from '../classes.ts';
import { drawn } from '../parts/Foreign.tsx';
import { exact } from '../parts/Time.tsx';
import fields from '../questions/FormFields.module.css';
import styles from './Runs.module.css';
import { ticketsWords } from './runWords.ts';

interface Props {
  others: QueueRun[];
  titleOf: (model: string) => string;
  value: string | null;
  onChange: (id: string | null) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
}
const noRun = 'no other run';

export function Against({ others, titleOf, value, onChange, open, onOpen }: Props) {
  return (
    <Select
      aria-label="Compare with another run"
      value={value ?? noRun}
      onChange={(key) => onChange(key === null || key === noRun ? null : String(key))}
      isOpen={open}
      onOpenChange={onOpen}
    >
      <Button className={cx(fields.select, styles.against)}>
        <SelectValue>{value === null ? 'Compare with…' : undefined}</SelectValue>
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={cx(fields.popover, styles.popover)} data-popup>
        <ListBox className={fields.choices ?? ''}>
          {others.map(({ id, model, started_at, tickets }) => {
            const words = `${titleOf(model)}, ${ticketsWords(tickets)}, ${exact(started_at)}`;
            return (
              <ListBoxItem key={id} id={id} textValue={words} className={fields.choice ?? ''}>
                {drawn(words)}
              </ListBoxItem>
            );
          })}
          <ListBoxItem id={noRun} textValue="No other run" className={fields.choice ?? ''}>
            No other run
          </ListBoxItem>
        </ListBox>
      </Popover>
    </Select>
  );
}
