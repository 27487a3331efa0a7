// Which column of a table holds what: found by its name, changed by a person.
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import { importFields, type ImportColumn, type ImportField } from '../../shared/imports.ts';
import { cx } from '../classes.ts';
import { Foreign, spelled } from '../parts/Foreign.tsx';
import { Table } from '../parts/Page.tsx';
import fields from '../questions/FormFields.module.css';
import styles from './Imports.module.css';

const fieldWords: Record<ImportField, string> = {
  id: 'Ticket’s ID',
  customer: 'Customer’s ID or address',
  customer_name: 'Customer’s name',
  subject: 'Subject',
  body: 'Letter',
  received_at: 'Received',
  channel: 'Channel',
  priority: 'Priority',
  other: 'Kept in the record only',
};

export function Columns({
  columns,
  change,
}: {
  columns: ImportColumn[];
  change: (columns: Record<string, ImportField>) => void;
}) {
  function set(name: string, field: ImportField): void {
    const now = columns.map((one): [string, ImportField] => {
      if (one.name === name) return [name, field];
      // A field is one column's only.
      return [one.name, one.field === field ? 'other' : one.field];
    });
    change(Object.fromEntries(now));
  }
  return (
    <Table label="Columns of the file" head={['Column', 'First values', 'Holds']}>
      {columns.map(({ name, field, values }) => (
        <tr key={name}>
          <td className={styles.name}>
            <Foreign text={name} />
          </td>
          <td className={styles.values}>
            <Foreign text={values.join(' · ').replace(/\s+/g, ' ').slice(0, 120)} />
          </td>
          <td>
            <Select
              aria-label={`What ${spelled(name)} holds`}
              value={field}
              onChange={(key) => {
                const chosen = importFields.find((one) => one === key);
                if (chosen !== undefined && chosen !== field) set(name, chosen);
              }}
            >
              <Button className={cx(fields.select, styles.field)}>
                <SelectValue />
                <span aria-hidden="true">▾</span>
              </Button>
              <Popover className={fields.popover ?? ''} data-popup>
                <ListBox className={fields.choices ?? ''}>
                  {importFields.map((one) => (
                    <ListBoxItem key={one} id={one} className={fields.choice ?? ''}>
                      {fieldWords[one]}
                    </ListBoxItem>
                  ))}
                </ListBox>
              </Popover>
            </Select>
          </td>
        </tr>
      ))}
    </Table>
  );
}
