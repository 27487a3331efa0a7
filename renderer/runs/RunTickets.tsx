// Every ticket of a run: what was asked, the tool it began with, what it came to. Each opens its transcript.
import { useState } from 'react';
import type { RunTicket } from '../../shared/runs.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Section, Table } from '../parts/Page.tsx';
import styles from './Runs.module.css';
import { bare, rightOf, stateOf } from './runWords.ts';

/** Rows of a table before it asks for more. */
const rowsShown = 200;

export function RunTickets({ tickets, read }: { tickets: RunTicket[]; read: (one: RunTicket) => void }) {
  const [most, setMost] = useState(rowsShown);
  return (
    <Section title="Tickets">
      <Table label="Tickets of the run" head={['Ticket', 'Asked', 'First tool', 'Came to', 'Seconds']} figures="last">
        {tickets.slice(0, most).map((one) => (
          <tr key={one.run}>
            <td className={styles.ticket}>
              <Button look="quiet" label={`Transcript of ${one.ticket}`} onPress={() => read(one)}>
                <code>{drawn(one.ticket)}</code>
              </Button>
            </td>
            <td>
              <Foreign text={one.subject} />
            </td>
            <td className={styles.tool}>
              {drawn(bare(one.chosen))}
              {rightOf(one) === false && <span className={styles.meant}>◆ meant {drawn(bare(one.meant))}</span>}
            </td>
            <td className={styles.tool}>
              <Mark kind={stateOf(one.state).kind}>{stateOf(one.state).words}</Mark>
            </td>
            <td>{((one.ms ?? 0) / 1_000).toFixed(1)}</td>
          </tr>
        ))}
      </Table>
      {tickets.length > most && (
        <Button onPress={() => setMost((old) => old + rowsShown)}>{`${tickets.length - most} more`}</Button>
      )}
    </Section>
  );
}
