// Two runs ticket by ticket: what else differs between them, which tickets only one got right, and how likely that is chance.
import type { ValueOf } from '../../shared/contract.ts';
import { useAsked } from '../asked.ts';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Notice, Section, Table } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import styles from './Runs.module.css';
import { bare, stateOf } from './runWords.ts';

interface Props {
  id: string;
  against: string;
  run: ValueOf<'runs.get'>;
  other: ValueOf<'runs.get'> | undefined;
}

export function Compared({ id, against, run, other }: Props) {
  const { value, failed, again } = useAsked('runs.compare', { id, against });
  if (failed !== null) return <Failed what="The runs cannot be compared." why={failed} again={again} />;
  if (value === undefined || other === undefined) return <Loading what="the comparison" />;
  const { differs, measures, tickets } = value;
  const before = new Map(other.tickets.map((one) => [one.ticket, one]));
  const changed = run.tickets.flatMap((now) => {
    const then = before.get(now.ticket);
    return then !== undefined && (then.chosen !== now.chosen || then.state !== now.state) ? [{ now, then }] : [];
  });
  return (
    <>
      <Notice title="What differs" look={differs.length > 1 ? 'look' : 'plain'}>
        {differs.length === 0 ? (
          'Nothing but the run itself.'
        ) : (
          <>
            {differs.map((words) => (
              <p key={words}>{drawn(words)}</p>
            ))}
            {differs.length > 1 && <p>More than one thing differs, so no figure is owed to one of them.</p>}
          </>
        )}
      </Notice>
      <Section title="Ticket by ticket" note={`${tickets} tickets with the same text in both`}>
        <Table
          label="Measures of both runs"
          head={['', 'Both', 'Neither', 'Only this run', 'Only the other', 'By chance']}
        >
          {measures.map((one) => (
            <tr key={one.name}>
              <td>{one.name}</td>
              <td>{one.both}</td>
              <td>{one.neither}</td>
              <td>{listed(one.only_second)}</td>
              <td>{listed(one.only_first)}</td>
              <td>p = {one.p.toPrecision(2)}</td>
            </tr>
          ))}
        </Table>
      </Section>
      {changed.length > 0 && (
        <Section title="Changed since the other run">
          <Table label="Changed tickets" head={['Ticket', 'Asked', 'Then', 'Now']}>
            {changed.slice(0, 100).map(({ now, then }) => (
              <tr key={now.ticket}>
                <td>
                  <code>{drawn(now.ticket)}</code>
                </td>
                <td>
                  <Foreign text={now.subject} />
                </td>
                <td>
                  {drawn(bare(then.chosen))}, {stateOf(then.state).words}
                </td>
                <td className={now.chosen === then.chosen ? undefined : styles.changed}>
                  {drawn(bare(now.chosen))}, {stateOf(now.state).words}
                </td>
              </tr>
            ))}
          </Table>
        </Section>
      )}
    </>
  );
}

function listed(tickets: string[]): string {
  return tickets.length === 0 ? '0' : `${tickets.length}: ${tickets.join(', ')}`;
}
