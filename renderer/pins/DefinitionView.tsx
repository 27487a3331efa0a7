// One tool of a server: what changed and what that would let it have, old beside new, parameters that take any text, the
// decision, and every decision before.
import { useState } from 'react';
import { RadioGroup } from 'react-aria-components';
import { asksAdmin, seenDecision, type Decided, type Mark, type Pin, type Reviewed } from '../../shared/pins.ts';
import { useAsked, useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign, spelled } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Notice, Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { exact, momentWords } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { desk, useMay } from '../session.ts';
import {
  cameBefore,
  changeSentence,
  couldSend,
  decisionWords,
  fieldWords,
  kindOf,
  nameOf,
  isOpen,
} from './changeWords.ts';
import { Decide } from './Decide.tsx';
import { Difference } from './Difference.tsx';
import styles from './Difference.module.css';

interface Props {
  prefix: string;
  one: Reviewed;
  /** Tools of the same server that are approved already. */
  others: number;
  decided: () => void;
  page: React.RefObject<PageHandle | null>;
}

export function DefinitionView({ prefix, one, others, decided, page }: Props) {
  const { definition, status, pin, difference } = one;
  const admin = useMay('admin');
  const [marks, setMarks] = useState<Record<string, Mark>>({});
  const [whole, setWhole] = useState(false);
  const { busy, failed, run } = useDoing();
  const who = usePeople();
  const open = isOpen(one);
  const kind = kindOf(prefix);
  useCommand('pins.whole', () => setWhole((old) => !old));

  async function decide(decision: Pin['decision'], why: string | null): Promise<void> {
    const { name: tool, hash } = definition;
    if (hash === null) return;
    const seen = pin === undefined ? null : seenDecision(pin);
    const chosen = Object.keys(marks).length === 0 ? {} : { marks };
    const pinned = await run(() =>
      desk.ask('pins.decide', { prefix, tool, decision, hash, seen, why, ...chosen }, { deadline: null }),
    );
    // One that failed was decided on by another perhaps: it is shown as it stands.
    if (pinned !== undefined) announce(`${nameOf(prefix, one)} is ${decision}.`);
    decided();
  }
  return (
    <Page
      handle={page}
      title={`${prefix.split('/')[0] ?? prefix}: ${nameOf(prefix, one)}`}
      sub={
        <>
          <code>{drawn(`${prefix}.${definition.name}`)}</code> · {standing(one, admin, kind)}
        </>
      }
    >
      {status === 'parked' && (
        <Notice title="Parked" look="danger">
          <Foreign text={definition.problem ?? 'It cannot be used.'} /> The {kind === 'instructions' ? '' : 'other '}
          tools of this server are not held up.
        </Notice>
      )}
      {status === 'removed' && (
        <Notice title="Gone" look="plain">
          {kind === 'instructions'
            ? 'Its server says nothing of itself any more, so the model reads nothing. '
            : 'Its server does not offer it any more, so nothing can call it. '}
          What was decided stays on record; should it come back, it waits for a decision again.
        </Notice>
      )}
      {open && (
        <Notice title={status === 'new' ? 'New' : 'What changed'} look={asksAdmin(prefix, one) ? 'look' : 'plain'}>
          {status === 'new' && <p>{newWords(others, kind)}</p>}
          {difference !== undefined && <p>{drawn(changeSentence(difference))}</p>}
          {couldSend(one, prefix).map((words) => (
            <p key={words}>{drawn(words)}</p>
          ))}
        </Notice>
      )}
      {difference !== undefined && difference.length > 0 && (
        <Difference
          fields={difference}
          before={
            pin === undefined
              ? 'Before'
              : `${decisionWords(pin)} ${atWords(momentWords(pin.at))}${pin.by === 'shipped' ? '' : ` by ${who(pin.by)}`}`
          }
          after="Now"
        />
      )}
      {(difference === undefined || difference.length === 0) && <Words one={one} kind={kind} />}
      <FreeTexts one={one} marks={marks} mark={(at, value) => setMarks((old) => ({ ...old, [at]: value }))} />
      {open || status === 'refused' || status === 'approved' ? (
        <Decide
          key={definition.hash}
          stands={status === 'approved' || status === 'refused' ? status : 'open'}
          busy={busy}
          failed={failed}
          decide={(what, why) => void decide(what, why)}
        >
          <Button look="quiet" command="pins.whole">
            {whole ? 'Fold the definition' : 'Whole definition'}
          </Button>
        </Decide>
      ) : (
        <Button look="quiet" command="pins.whole">
          {whole ? 'Fold the definition' : 'Whole definition'}
        </Button>
      )}
      {whole && (
        <Section title="Whole definition, as it came over the wire">
          <pre className={styles.whole} tabIndex={0} role="region" aria-label="Whole definition">
            {drawn(JSON.stringify(definition.raw, null, 2))}
          </pre>
        </Section>
      )}
      <History prefix={prefix} one={one} who={who} />
    </Page>
  );
}

type Kind = ReturnType<typeof kindOf>;

function newWords(others: number, kind: Kind): string {
  if (kind === 'instructions')
    return 'This is what the server says of itself. The model does not read it, and its tools work without it: nothing has to be decided.';
  if (others === 0) return 'Nobody has decided on it, nor on any other tool of this server.';
  const tools = others === 1 ? 'Another tool' : `${others} other tools`;
  return `${tools} of this server ${others === 1 ? 'is' : 'are'} approved; that says nothing about this one.`;
}

/** What becomes of it while it is not approved. */
const outs: Partial<Record<Kind, string>> = { tool: 'out of the model’s list', instructions: 'not read by the model' };

function standing({ status, pin, since }: Reviewed, admin: boolean, kind: Kind): string {
  const out = outs[kind] ?? 'offered to nobody';
  const until = `${out} until ${admin ? 'you decide' : 'an admin decides'}`;
  const when = momentWords(since);
  switch (status) {
    case 'new':
      return `came ${atWords(when)}, never decided on · ${until}`;
    case 'changed':
      return `changed ${atWords(when)} · ${until} · ${pin?.decision ?? 'decided'} version stays on record`;
    case 'approved':
      if (kind !== 'tool')
        return `approved ${pin === undefined ? '' : atWords(momentWords(pin.at))} · ${kind === 'instructions' ? 'the model reads it before every ticket' : 'people pick it'}`;
      return `approved ${pin === undefined ? '' : atWords(momentWords(pin.at))} · ${pin?.no_side_effects === true ? 'on the list without side effects: it runs without consent' : 'every call waits for consent'}`;
    case 'refused':
      return `refused ${pin === undefined ? '' : atWords(momentWords(pin.at))} · ${out}`;
    case 'parked':
      return `parked · ${out}`;
    case 'removed':
      return `gone since ${when} · ${out}`;
  }
}
/** "at 08:56", "on 29 Jun, 08:56". */
function atWords(moment: string): string {
  return `${moment.includes(',') ? 'on' : 'at'} ${moment}`;
}

function Words({ one: { definition }, kind }: { one: Reviewed; kind: Kind }) {
  const { description, instructions } = definition.raw;
  const said = kind === 'instructions' ? instructions : description;
  // Instructions that are no words have only what is wrong with them.
  if (kind === 'instructions' && said === undefined) return null;
  return (
    <Section title="What it says of itself">
      <div className={styles.whole} tabIndex={0} role="region" aria-label="What it says of itself">
        <Foreign text={typeof said === 'string' ? said : 'It has no description.'} />
      </div>
    </Section>
  );
}

interface FreeProps {
  one: Reviewed;
  marks: Record<string, Mark>;
  mark: (pointer: string, value: Mark) => void;
}

/** Parameters that take any text: how each is filled, and what is suspicious. */
function FreeTexts({ one, marks, mark }: FreeProps) {
  const admin = useMay('admin');
  if (one.freeText.length === 0) return null;
  return (
    <Section title="Takes any text" note="a way for data to leave">
      <div className={styles.free}>
        {one.freeText.map(({ pointer, guess, required }) => {
          const value = marks[pointer] ?? one.pin?.marks[pointer] ?? guess;
          return (
            <div key={pointer} className={styles.freeRow}>
              <Foreign as="code" text={pointer.slice(1)} />
              <div>
                <RadioGroup
                  aria-label={`How ${spelled(pointer.slice(1))} is filled`}
                  value={value}
                  onChange={(next) => mark(pointer, next === 'prose' ? 'prose' : 'reference')}
                  isDisabled={!admin}
                  orientation="horizontal"
                >
                  <OneOf value="reference" inline>
                    only values found in the ticket or in results
                  </OneOf>
                  <OneOf value="prose" inline>
                    words of the model
                  </OneOf>
                </RadioGroup>
                <span className={required ? styles.need : styles.suspicious}>
                  {required ? 'The tool needs it.' : 'The tool does not need it: look twice.'}
                </span>
              </div>
            </div>
          );
        })}
      </div>
    </Section>
  );
}

interface HistoryProps {
  prefix: string;
  one: Reviewed;
  who: (id: string) => string;
}

/** What the server did, and every decision, the newest first, with what had changed before it. */
function History({ prefix, one, who }: HistoryProps) {
  const { name: tool } = one.definition;
  const { value: history = [] } = useAsked('pins.history', { prefix, tool }, { follow: ['pins'] });
  const came = cameBefore(one, history);
  if (history.length === 0 && came === null) return null;
  const rows = history.map((past) => <DecisionRow key={past.at} past={past} who={who} />);
  if (came !== null)
    rows.splice(
      came.at,
      0,
      <tr key="server">
        <td className={styles.when}>
          <When at={one.since} />
        </td>
        <td>{drawn(came.words)}</td>
        <td>server</td>
        <td />
      </tr>,
    );
  return (
    <Section title="History">
      <Table label={`Decisions on ${tool}`} head={['When', 'What', 'Who', 'Why']}>
        {rows.toReversed()}
      </Table>
    </Section>
  );
}

function DecisionRow({ past, who }: { past: Decided; who: (id: string) => string }) {
  return (
    <tr>
      <td className={styles.when}>
        <When at={past.at} />
      </td>
      <td>
        {decisionWords(past)}
        {past.changed.length > 0 && `, after a change of its ${fieldWords(past.changed)}`}{' '}
        <code className={styles.hash} title={`SHA-256 ${past.hash}`}>
          {past.hash.slice(0, 8)}
        </code>
      </td>
      <td>{past.by === 'shipped' ? 'the desk' : <Foreign text={who(past.by)} />}</td>
      <td>{past.why !== null && <Foreign text={past.why} />}</td>
    </tr>
  );
}

function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exact(at)}>
      {momentWords(at)}
    </time>
  );
}
