// Tickets that went another way than in the run before: what was done then and now, and which of it was meant.
import { useState } from 'react';
import type { RunTicket } from '../../shared/runs.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Section, Table } from '../parts/Page.tsx';
import styles from './Runs.module.css';
import { courseOf, turnedOut, type ChangedTicket } from './runWords.ts';

interface Props {
  changed: ChangedTicket[];
  /** "Changed since …". */
  title: string;
  read: (one: RunTicket) => void;
}
const rowsShown = 20;

export function Changed({ changed, title, read }: Props) {
  const [most, setMost] = useState(rowsShown);
  if (changed.length === 0)
    return (
      <Section title={title}>
        <p className={styles.faint}>None: every ticket of both went the same way and came to the same reply.</p>
      </Section>
    );
  return (
    <Section title={title} note={`${changed.length} ${changed.length === 1 ? 'ticket' : 'tickets'}`}>
      <Table label="Changed tickets" head={['Ticket', 'Asked', 'Then', 'Now', 'Seconds']} figures="last">
        {changed.slice(0, most).map(({ now, then }) => {
          const { kind, words } = turnedOut(then, now);
          return (
            <tr key={now.ticket}>
              <td className={styles.ticket}>
                <Button look="quiet" label={`Transcript of ${now.ticket} in this run`} onPress={() => read(now)}>
                  <code>{drawn(now.ticket)}</code>
                </Button>
              </td>
              <td>
                <Foreign text={now.subject} />
              </td>
              <td>{drawn(courseOf(then, now))}</td>
              <td>
                {drawn(courseOf(now, then))} {words !== '' && <Mark kind={kind}>{words}</Mark>}
              </td>
              <td>{((now.ms ?? 0) / 1_000).toFixed(1)}</td>
            </tr>
          );
        })}
      </Table>
      {changed.length > most && (
        <Button onPress={() => setMost((old) => old + 200)}>{`${changed.length - most} more`}</Button>
      )}
    </Section>
  );
}
