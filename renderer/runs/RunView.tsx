// One run: its figures, beside those of another where one is chosen, what was meant against what was chosen, every ticket.
import { useState } from 'react';
import type { ValueOf } from '../../shared/contract.ts';
import type { QueueRun, RunTicket } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Notice, Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { Time } from '../parts/Time.tsx';
import { Against } from './Against.tsx';
import { Changed } from './Changed.tsx';
import { Bars, ConfusionGrid } from './Charts.tsx';
import { Compared, Differs } from './Compared.tsx';
import { RunTickets } from './RunTickets.tsx';
import styles from './Runs.module.css';
import { before, changedOf, confusionOf, dayWords, ticketsWords, timeWords } from './runWords.ts';
import { shareWords, Tiles } from './Tiles.tsx';
import { Transcript } from './Transcript.tsx';

interface Props {
  id: string;
  /** Every run there is, newest first. */
  all: QueueRun[];
  titleOf: (model: string) => string;
  page: React.RefObject<PageHandle | null>;
}
type Run = ValueOf<'runs.get'>;

export function RunView({ id, all, titleOf, page }: Props) {
  const underWay = all.find((one) => one.id === id)?.ended_at === null;
  const { value: run, failed, again } = useAsked('runs.get', { id }, underWay ? { follow: ['tickets'] } : {});
  const others = all.filter((one) => one.id !== id);
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  // The run before over as many tickets, until a person says otherwise.
  const against = chosen === undefined ? before(id, all) : chosen;
  const [choosing, setChoosing] = useState(false);
  const [read, setRead] = useState<RunTicket | null>(null);
  const { value: other } = useAsked('runs.get', against === null ? null : { id: against });
  const compared = useAsked('runs.compare', against === null ? null : { id, against });
  useCommand('runs.compare', () => setChoosing(true), others.length > 0 && read === null);
  useCommand('runs.list', () => setRead(null), read !== null);
  if (failed !== null && run === undefined) return <Failed what="The run cannot be read." why={failed} again={again} />;
  if (run === undefined) return <Loading what="the run" />;
  if (read !== null) return <Transcript of={read} page={page} onBack={() => setRead(null)} />;
  const alike = compared.value?.same_tickets === true;
  return (
    <Page
      handle={page}
      title={titleOf(run.run.model)}
      sub={<Sub run={run.run} other={other?.run} titleOf={titleOf} />}
      actions={
        others.length > 0 ? (
          <Against
            others={others}
            titleOf={titleOf}
            value={against}
            onChange={setChosen}
            open={choosing}
            onOpen={setChoosing}
          />
        ) : undefined
      }
    >
      <Tiles all={run.scores.all} other={alike ? (other?.scores.all ?? null) : null} />
      {underWay && (
        <Notice title="Under way" look="plain">
          Its tickets are still being worked; figures fill in as each is finished.
        </Notice>
      )}
      {compared.value !== undefined && <Differs of={compared.value} />}
      <Charts run={run} />
      {other !== undefined && (compared.value?.tickets ?? 0) > 0 && (
        <Changed
          changed={changedOf(run.tickets, other.tickets)}
          title={`Changed since ${dayWords(other.run.started_at)}’s run`}
          read={setRead}
        />
      )}
      {against !== null && <Compared asked={compared} />}
      <Kinds run={run} />
      <RunTickets tickets={run.tickets} read={setRead} />
    </Page>
  );
}

interface SubProps {
  run: QueueRun;
  other: QueueRun | undefined;
  titleOf: (model: string) => string;
}

function Sub({ run, other, titleOf }: SubProps) {
  const { tickets, cores, ms } = run;
  return (
    <>
      {ticketsWords(tickets)}
      {cores !== null && ` on ${cores} ${cores === 1 ? 'core' : 'cores'}`}, {timeWords(ms)},{' '}
      <Time at={run.started_at} ago />
      {other !== undefined && (
        <>
          {' '}
          · compared with {drawn(titleOf(other.model))}, {dayWords(other.started_at)}
        </>
      )}{' '}
      · <code>{drawn(run.id)}</code>
    </>
  );
}

function Charts({ run: { run, tickets } }: { run: Run }) {
  const timed = run.model === 'none' ? [] : tickets;
  return (
    <div className={styles.charts}>
      <Section title="First tool: the right one at the left, the one it chose on top">
        <ConfusionGrid {...confusionOf(tickets)} />
      </Section>
      <div>
        <Section title="Seconds per ticket">
          <Bars
            unit="s"
            digits={1}
            least={1}
            nothing={run.model === 'none' ? 'No model was asked.' : 'Each took less than a tenth of a second.'}
            bars={timed.map(({ ticket, ms }) => ({ name: ticket, value: (ms ?? 0) / 1_000 }))}
          />
        </Section>
        <Section title="New tokens per call">
          <Bars
            unit="tokens"
            digits={0}
            least={20}
            nothing="No tool was called."
            bars={tickets.flatMap(({ ticket, tokens }) => tokens.map((value) => ({ name: ticket, value })))}
          />
        </Section>
      </div>
    </div>
  );
}

function Kinds({ run: { scores } }: { run: Run }) {
  const kinds = Object.entries(scores.kinds);
  if (kinds.length === 0) return null;
  const figures = ['Tickets', 'First tool', 'End state', 'Ready', 'Handed over', 'Median'];
  return (
    <Section title="Per kind of ticket">
      <Table label="Scores per kind of ticket" head={['Kind', ...figures]} figures="rest">
        {kinds.map(([kind, one]) => (
          <tr key={kind}>
            <td>
              <Foreign text={kind.replaceAll('_', ' ')} />
            </td>
            <td>{one.tickets}</td>
            <td>{shareWords(one.first_tool)}</td>
            <td>{shareWords(one.end_state)}</td>
            <td>{shareWords(one.ready)}</td>
            <td>{shareWords(one.handed_over)}</td>
            <td>{one.seconds.median === null ? '–' : `${one.seconds.median.toFixed(1)} s`}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
