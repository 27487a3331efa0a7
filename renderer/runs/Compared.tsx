// Two runs ticket by ticket: whether they may be held against each other at all, which tickets only one got right, and how
// likely that is chance.
import { Fragment } from 'react';
import type { ValueOf } from '../../shared/contract.ts';
import type { Asked } from '../asked.ts';
import { drawn } from '../parts/Foreign.tsx';
import { Notice, Section, Table } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import styles from './Runs.module.css';
import { ticketsWords } from './runWords.ts';

type Comparison = ValueOf<'runs.compare'>;

/** Said above the figures: what else is another than the run itself. */
export function Differs({ of: { differs, tickets } }: { of: Comparison }) {
  if (tickets === 0)
    return (
      <Notice title="Not comparable">
        No ticket stands in both runs with the same text. Each figure is of its own run only.
      </Notice>
    );
  if (differs.length === 0)
    return (
      <Notice title="Comparable" look="plain">
        Same tickets, model, playbook and tools, same answers of people: what differs is the run itself.
      </Notice>
    );
  const one = differs.length === 1;
  return (
    <Notice title={one ? 'One thing differs' : 'Not comparable'} look={one ? 'plain' : 'look'}>
      {differs.map((words) => (
        <p key={words}>{drawn(words.charAt(0).toUpperCase() + words.slice(1))}</p>
      ))}
      {!one && <p>With {differs.length} things different, no figure is owed to one of them.</p>}
    </Notice>
  );
}

export function Compared({ asked: { value, failed, again } }: { asked: Asked<Comparison> }) {
  if (failed !== null) return <Failed what="The runs cannot be compared." why={failed} again={again} />;
  if (value === undefined) return <Loading what="the comparison" />;
  const { measures, tickets } = value;
  if (tickets === 0) return null;
  return (
    <Section title="Ticket by ticket" note={`${ticketsWords(tickets)} with the same text in both`}>
      <Table
        label="Measures of both runs"
        head={['Measure', 'Both', 'Neither', 'Only this run', 'Only the other', 'By chance']}
      >
        {measures.map((one) => (
          <tr key={one.name}>
            <td>{one.name}</td>
            <td>{one.both}</td>
            <td>{one.neither}</td>
            <td>
              <Listed tickets={one.only_second} />
            </td>
            <td>
              <Listed tickets={one.only_first} />
            </td>
            <td>{chance(one.p)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

const shown = 6;
function Listed({ tickets }: { tickets: string[] }) {
  const rest = tickets.length - shown;
  return (
    <>
      {tickets.length}
      {tickets.slice(0, shown).map((ticket, at) => (
        <Fragment key={ticket}>
          {at === 0 ? ': ' : ', '}
          <span className={styles.ticketId}>{drawn(ticket)}</span>
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
function chance(p: number): string {
  return p > 0.05 ? `well may be (p = ${p.toPrecision(2)})` : `hardly (p = ${p.toPrecision(2)})`;
}
