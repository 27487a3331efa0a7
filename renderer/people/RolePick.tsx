// The role of a person, to be chosen.
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import type { Role } from '../../shared/people.ts';
import { cx } from '../classes.ts';
import fields from '../questions/FormFields.module.css';
import styles from './Me.module.css';

const roles: readonly Role[] = ['staff', 'lead', 'admin'];

export function RolePick({ label, role, onChange }: { label: string; role: Role; onChange: (role: Role) => void }) {
  return (
    <Select
      aria-label={label}
      value={role}
      onChange={(key) => {
        const chosen = roles.find((one) => one === key);
        if (chosen !== undefined && chosen !== role) onChange(chosen);
      }}
    >
      <Button className={cx(fields.select, styles.roles)}>
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={fields.popover ?? ''} data-popup>
        <ListBox className={fields.choices ?? ''}>
          {roles.map((one) => (
            <ListBoxItem key={one} id={one} className={fields.choice ?? ''}>
              {one}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
