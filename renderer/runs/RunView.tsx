// One run: its figures, beside those of another where one is chosen, what was meant against what was chosen, every ticket.
import { useState } from 'react';
import { Button as AriaButton, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import type { ValueOf } from '../../shared/contract.ts';
import type { Count } from '../../shared/report.ts';
import type { QueueRun, RunTicket } from '../../shared/runs.ts';
import type { KindScores } from '../../shared/scores.ts';
import { useAsked } from '../asked.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { exact, Time } from '../parts/Time.tsx';
import fields from '../questions/FormFields.module.css';
import { Bars, ConfusionGrid } from './Charts.tsx';
import { Compared } from './Compared.tsx';
import styles from './Runs.module.css';
import { bare, confusionOf, modelWords, stateOf, timeWords } from './runWords.ts';
import { Transcript } from './Transcript.tsx';

interface Props {
  id: string;
  others: QueueRun[];
  page: React.RefObject<PageHandle | null>;
}
/** Rows of a table before it asks for more. */
const rowsShown = 200;
type Run = ValueOf<'runs.get'>;

export function RunView({ id, others, page }: Props) {
  const { value: run, failed, again } = useAsked('runs.get', { id });
  const [against, setAgainst] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [read, setRead] = useState<RunTicket | null>(null);
  const { value: other } = useAsked('runs.get', against === null ? null : { id: against });
  useCommand('runs.compare', () => setChoosing(true), others.length > 0 && read === null);
  useCommand('runs.list', () => setRead(null), read !== null);
  if (failed !== null && run === undefined) return <Failed what="The run cannot be read." why={failed} again={again} />;
  if (run === undefined) return <Loading what="the run" />;
  if (read !== null) return <Transcript of={read} page={page} onBack={() => setRead(null)} />;
  const { all } = run.scores;
  return (
    <Page
      handle={page}
      title={modelWords(run.run.model)}
      sub={
        <>
          {run.run.tickets} tickets, {timeWords(run.run.ms)}, <Time at={run.run.started_at} ago /> ·{' '}
          <code>{drawn(id)}</code>
          {other !== undefined && (
            <>
              {' '}
              · compared with {drawn(modelWords(other.run.model))}, <Time at={other.run.started_at} ago />
            </>
          )}
        </>
      }
      actions={
        others.length > 0 ? (
          <Against others={others} value={against} onChange={setAgainst} open={choosing} onOpen={setChoosing} />
        ) : undefined
      }
    >
      <Tiles all={all} other={other?.scores.all ?? null} />
      {against !== null && <Compared id={id} against={against} run={run} other={other} />}
      <div className={styles.charts}>
        <Section title="Meant (rows) against chosen (columns)">
          <ConfusionGrid {...confusionOf(run.tickets)} />
        </Section>
        <div>
          <Section title="Seconds per ticket">
            <Bars unit="s" bars={run.tickets.map(({ ticket, ms }) => ({ name: ticket, value: (ms ?? 0) / 1_000 }))} />
          </Section>
          <Section title="New tokens per call">
            <Bars
              unit="tokens"
              bars={run.tickets.flatMap(({ ticket, tokens }) => tokens.map((value) => ({ name: ticket, value })))}
            />
          </Section>
        </div>
      </div>
      <Kinds run={run} />
      <Tickets tickets={run.tickets} read={setRead} />
    </Page>
  );
}

interface AgainstProps {
  others: QueueRun[];
  value: string | null;
  onChange: (id: string | null) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
}

function Against({ others, value, onChange, open, onOpen }: AgainstProps) {
  return (
    <Select
      aria-label="Compare with another run"
      value={value}
      onChange={(key) => onChange(key === null || key === '' ? null : String(key))}
      isOpen={open}
      onOpenChange={onOpen}
      placeholder="Compare with…"
    >
      <AriaButton className={cx(fields.select, styles.against)}>
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className={cx(fields.popover, styles.popover)} data-popup>
        <ListBox className={fields.choices ?? ''}>
          {others.map(({ id, model, started_at, tickets }) => (
            <ListBoxItem
              key={id}
              id={id}
              textValue={`${modelWords(model)}, ${exact(started_at)}`}
              className={fields.choice ?? ''}
            >
              {drawn(modelWords(model))}, {tickets} tickets, {exact(started_at)}
            </ListBoxItem>
          ))}
          {value !== null && (
            <ListBoxItem id="" textValue="No other run" className={fields.choice ?? ''}>
              No other run
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}

function share({ right, total }: Count): string {
  return total === 0 ? '–' : `${right}/${total}`;
}

function Tiles({ all, other }: { all: KindScores; other: KindScores | null }) {
  const tiles: { value: string; words: string; by: number | null; good: 'up' | 'down' }[] = [
    {
      value: share(all.first_tool),
      words: 'right first tool',
      by: other && all.first_tool.right - other.first_tool.right,
      good: 'up',
    },
    {
      value: share(all.refunds_due_reached),
      words: 'refunds due reached',
      by: other && all.refunds_due_reached.right - other.refunds_due_reached.right,
      good: 'up',
    },
    {
      value: String(all.unbacked_in_ready),
      words: 'unbacked in ready drafts',
      by: other && all.unbacked_in_ready - other.unbacked_in_ready,
      good: 'down',
    },
    {
      value: all.seconds.median === null ? '–' : `${all.seconds.median.toFixed(1)} s`,
      words: 'median per ticket',
      by: other && round((all.seconds.median ?? 0) - (other.seconds.median ?? 0)),
      good: 'down',
    },
    {
      value: all.tokens_per_call.median === null ? '–' : String(Math.round(all.tokens_per_call.median)),
      words: 'new tokens per call',
      by: other && round((all.tokens_per_call.median ?? 0) - (other.tokens_per_call.median ?? 0)),
      good: 'down',
    },
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ value, words, by, good }) => (
        <div key={words}>
          <dd>{value}</dd>
          <dt>
            {words}
            {by !== null && by !== 0 && (
              <span className={by > 0 === (good === 'up') ? styles.better : styles.worse}>
                {' '}
                {by > 0 ? '+' : '−'}
                {Math.abs(by)} {by > 0 === (good === 'up') ? 'better' : 'worse'}
              </span>
            )}
          </dt>
        </div>
      ))}
    </dl>
  );
}
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function Kinds({ run: { scores } }: { run: Run }) {
  const kinds = Object.entries(scores.kinds);
  if (kinds.length === 0) return null;
  return (
    <Section title="Per kind of ticket">
      <Table
        label="Scores per kind of ticket"
        head={['Kind', 'Tickets', 'First tool', 'End state', 'Ready', 'Handed over', 'Median']}
      >
        {kinds.map(([kind, one]) => (
          <tr key={kind}>
            <td>
              <Foreign text={kind.replaceAll('_', ' ')} />
            </td>
            <td>{one.tickets}</td>
            <td>{share(one.first_tool)}</td>
            <td>{share(one.end_state)}</td>
            <td>{share(one.ready)}</td>
            <td>{share(one.handed_over)}</td>
            <td>{one.seconds.median === null ? '–' : `${one.seconds.median.toFixed(1)} s`}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Tickets({ tickets, read }: { tickets: RunTicket[]; read: (one: RunTicket) => void }) {
  const [most, setMost] = useState(rowsShown);
  return (
    <Section title="Tickets">
      <Table label="Tickets of the run" head={['Ticket', 'Asked', 'First tool', 'Came to', 'Seconds']}>
        {tickets.slice(0, most).map((one) => {
          const wrong =
            one.meant !== null && bare(one.chosen) !== bare(`.${one.meant.slice(one.meant.indexOf('.') + 1)}`);
          return (
            <tr key={one.run}>
              <td className={styles.ticket}>
                <Button look="quiet" label={`Transcript of ${one.ticket}`} onPress={() => read(one)}>
                  <code>{drawn(one.ticket)}</code>
                </Button>
              </td>
              <td>
                <Foreign text={one.subject} />
              </td>
              <td>
                {drawn(bare(one.chosen))}
                {wrong && <span className={styles.meant}> ◆ meant {drawn(bare(`.${one.meant ?? ''}`))}</span>}
              </td>
              <td>
                <Mark kind={stateOf(one.state).kind}>{stateOf(one.state).words}</Mark>
              </td>
              <td>{((one.ms ?? 0) / 1_000).toFixed(1)}</td>
            </tr>
          );
        })}
      </Table>
      {tickets.length > most && (
        <Button onPress={() => setMost((old) => old + rowsShown)}>{`${tickets.length - most} more`}</Button>
      )}
    </Section>
  );
}
