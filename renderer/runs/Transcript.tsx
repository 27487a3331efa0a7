// Everything of one ticket's run: each decision with what it was chosen from, each call with its outcome, the draft with its
// verdicts, and on demand the very messages on the wire.
import { useState } from 'react';
import type { Traced } from '../../shared/contract.ts';
import { textOf } from '../../shared/json.ts';
import type { Claim, Draft, RunTicket, Turn, TurnCall } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark, type MarkKind } from '../parts/Mark.tsx';
import { Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { exact } from '../parts/Time.tsx';
import difference from '../pins/Difference.module.css';
import { usePeople } from '../peopleNames.ts';
import { go } from '../place.ts';
import { originWords } from '../questions/callWords.ts';
import { useMay } from '../session.ts';
import styles from './Runs.module.css';
import { stateOf, timeWords } from './runWords.ts';

interface Props {
  of: RunTicket;
  page: React.RefObject<PageHandle | null>;
  onBack: () => void;
}

export function Transcript({ of, page, onBack }: Props) {
  const { value: run, failed, again } = useAsked('runs.ticket', { id: of.run });
  const [wire, setWire] = useState(false);
  const staff = useMay('staff');
  return (
    <Page
      handle={page}
      title={of.subject === '' ? of.ticket : `${of.ticket}: ${of.subject}`}
      sub={
        <>
          <Mark kind={stateOf(of.state).kind}>{stateOf(of.state).words}</Mark> in {timeWords(of.ms ?? 0)}
          {of.why !== null && <> · {drawn(of.why)}</>}
        </>
      }
      actions={
        <span className={styles.actions}>
          <Button onPress={() => go('queue', of.ticket)}>Open the ticket</Button>
          <Button command="runs.list" onPress={onBack}>
            Back to the run
          </Button>
        </span>
      }
    >
      {run === undefined ? (
        failed === null ? (
          <Loading what="the transcript" />
        ) : (
          <Failed what="The transcript cannot be read." why={failed} again={again} />
        )
      ) : (
        <>
          <Section title="Turns" note={run.ask === undefined ? undefined : `read as: ${run.ask}`}>
            {run.turns.length === 0 ? (
              <p className={styles.faint}>None: it was left to people.</p>
            ) : (
              <ol className={styles.turns}>
                {run.turns.map((turn, at) => (
                  <TurnLines key={at} turn={turn} />
                ))}
              </ol>
            )}
          </Section>
          {run.draft !== undefined && <DraftLines draft={run.draft} />}
          {staff && (
            <Section title="Wire">
              {wire ? (
                <Wire run={of.run} />
              ) : (
                <Button onPress={() => setWire(true)}>Show the messages on the wire</Button>
              )}
            </Section>
          )}
        </>
      )}
    </Page>
  );
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function TurnLines({ turn }: { turn: Turn }) {
  const sure =
    turn.options.length === 1
      ? 'the only way on'
      : `${percent(turn.probability)}, ahead by ${percent(turn.margin)}, of ${turn.options.length}`;
  return (
    <li className={styles.turn}>
      <p>
        {turn.ask === undefined ? 'Chooses' : 'Asks'} <Foreign as="b" text={turn.choice} />{' '}
        <span className={styles.faint}>
          {sure} · {turn.ms} ms, {turn.tokens.evaluated} tokens read, {turn.tokens.reused} reused
        </span>
      </p>
      {turn.call !== undefined && <CallLines call={turn.call} />}
    </li>
  );
}

const outcomes: Record<TurnCall['outcome'], { kind: MarkKind; words: string }> = {
  result: { kind: 'ready', words: 'result' },
  'tool error': { kind: 'look', words: 'the tool says no' },
  declined: { kind: 'look', words: 'declined' },
  'unknown tool': { kind: 'danger', words: 'unknown tool' },
  failed: { kind: 'danger', words: 'failed' },
  unknown: { kind: 'danger', words: 'outcome not known' },
  waiting: { kind: 'asks', words: 'waits for a person' },
};

function CallLines({ call }: { call: TurnCall }) {
  const { kind, words } = outcomes[call.outcome];
  const who = usePeople();
  return (
    <div className={styles.call}>
      <p>
        {call.n}. <code>{drawn(call.tool)}</code> <Mark kind={kind}>{words}</Mark>{' '}
        <span className={styles.faint}>
          {call.ms} ms{call.consent !== undefined && `, ${consentWords(call.consent, who)}`}
        </span>
      </p>
      {Object.entries(call.arguments).map(([name, value]) => (
        <p key={name} className={styles.argument}>
          <Foreign as="code" text={name} /> = <Foreign as="code" text={textOf(value)} />{' '}
          <span className={styles.faint}>from {originWords(call.origins[`/${name}`]).words}</span>
        </p>
      ))}
      {(call.questions ?? []).map((asked) => (
        <p key={`${asked.round}/${asked.key}`} className={styles.argument}>
          asked “<Foreign text={asked.message} />
          ”: {asked.action === null ? `waits for a ${asked.role}` : `${actions[asked.action]} by ${who(asked.by)}`}
        </p>
      ))}
      {(call.detail ?? call.content) !== undefined && (
        <Foreign as="p" text={call.detail ?? call.content ?? ''} className={styles.content} />
      )}
    </div>
  );
}

const actions = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;

function consentWords({ by, answer, scripted }: NonNullable<TurnCall['consent']>, who: (id: string) => string): string {
  if (by === 'host') return 'on the list without side effects';
  return `${answer === 'run' ? 'consented' : 'declined'} by ${who(by)}${scripted ? ' (by an answers file)' : ''}`;
}

const verdicts: Record<Claim['verdict'], MarkKind> = {
  backed: 'ready',
  reported: 'look',
  contradicted: 'danger',
  'no source': 'danger',
  'outcome unknown': 'look',
};

function DraftLines({ draft }: { draft: Draft }) {
  return (
    <Section title="Draft" note={draft.blocked ? 'blocked: a claim of it is not backed' : undefined}>
      <Foreign as="p" text={draft.text} className={styles.draft} />
      {draft.claims.length > 0 && (
        <Table label="Claims of the draft" head={['Claim', 'Verdict', 'Why']}>
          {draft.claims.map((claim) => (
            <tr key={`${claim.start}/${claim.end}/${claim.kind}`}>
              <td>
                <Foreign text={claim.text} />
              </td>
              <td>
                <Mark kind={verdicts[claim.verdict]}>{claim.verdict}</Mark>
              </td>
              <td>
                {claim.call !== undefined && !claim.why.includes(`call ${claim.call}`) && `call ${claim.call}: `}
                <Foreign text={claim.why} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Wire({ run }: { run: string }) {
  const { value, failed, again } = useAsked('calls.trace', { run });
  if (failed !== null) return <Failed what="The trace cannot be read." why={failed} again={again} />;
  if (value === undefined) return <Loading what="the trace" />;
  if (value.every(({ messages }) => messages.length === 0))
    return <p className={styles.faint}>Nothing went over the wire, or its trace is older than 90 days.</p>;
  return value.map((traced) => <WireOf key={traced.call.id} {...traced} />);
}

function WireOf({ call, messages }: Traced) {
  return (
    <div className={styles.wire}>
      <p>
        {call.n}. <code>{drawn(call.tool)}</code>
      </p>
      {messages.map(({ round, direction, text, at }, index) => (
        <div key={index}>
          <p className={styles.faint}>
            {direction === 'out' ? '→ to the server' : '← from the server'}, round {round}, {exact(at)}
          </p>
          <pre
            className={difference.whole}
            tabIndex={0}
            role="region"
            aria-label={`Message ${index + 1} of call ${call.n}`}
          >
            {drawn(text)}
          </pre>
        </div>
      ))}
    </div>
  );
}
