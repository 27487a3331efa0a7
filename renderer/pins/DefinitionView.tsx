// One tool of a server: what changed and what that would let it have, old beside new, parameters that take any text, the
// decision, and every decision before.
import { useState } from 'react';
import { RadioGroup } from 'react-aria-components';
import type { Mark, Pin, Reviewed } from '../../shared/pins.ts';
import { useAsked, useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Notice, Page, Section, Table, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { titleOf } from '../questions/callWords.ts';
import { desk, useMay } from '../session.ts';
import { changeSentence, couldSend, decisionWords, statusWords, waits } from './changeWords.ts';
import { Decide } from './Decide.tsx';
import { Difference } from './Difference.tsx';
import styles from './Difference.module.css';

interface Props {
  prefix: string;
  one: Reviewed;
  decided: () => void;
  page: React.RefObject<PageHandle | null>;
}

export function DefinitionView({ prefix, one, decided, page }: Props) {
  const { definition, status, pin, difference } = one;
  const [marks, setMarks] = useState<Record<string, Mark>>({});
  const [whole, setWhole] = useState(false);
  const { busy, failed, run } = useDoing();
  const who = usePeople();
  const open = waits(one);
  useCommand('pins.whole', () => setWhole((old) => !old));

  async function decide(decision: Pin['decision'], why: string | null): Promise<void> {
    const { name: tool, hash } = definition;
    if (hash === null) return;
    const chosen = Object.keys(marks).length === 0 ? {} : { marks };
    const pinned = await run(() =>
      desk.ask('pins.decide', { prefix, tool, decision, hash, why, ...chosen }, { deadline: null }),
    );
    if (pinned === undefined) return;
    announce(`${titleOf(tool)} is ${decision}.`);
    decided();
  }
  return (
    <Page
      handle={page}
      title={`${prefix}: ${titleOf(definition.name)}`}
      sub={
        <>
          <code>{drawn(`${prefix}.${definition.name}`)}</code> · {standing(one)}
        </>
      }
    >
      {status === 'parked' && (
        <Notice title="Parked" look="danger">
          <Foreign text={definition.problem ?? 'It cannot be used.'} /> The other tools of this server are not held up.
        </Notice>
      )}
      {open && (
        <Notice title={status === 'new' ? 'New' : 'What changed'}>
          {difference !== undefined && <p>{drawn(changeSentence(difference))}</p>}
          {couldSend(one, prefix).map((words) => (
            <p key={words}>{drawn(words)}</p>
          ))}
        </Notice>
      )}
      {difference !== undefined && difference.length > 0 && (
        <Difference
          fields={difference}
          before={pin === undefined ? 'Before' : `${decisionWords(pin)} by ${who(pin.by)}`}
          after="Now"
        />
      )}
      {(difference === undefined || difference.length === 0) && <Words one={one} />}
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
      <History prefix={prefix} tool={definition.name} newest={pin?.at ?? ''} who={who} />
    </Page>
  );
}

function standing({ status, pin }: Reviewed): string {
  switch (status) {
    case 'new':
      return 'never decided on; out of the model’s list until you do';
    case 'changed':
      return 'changed; out of the model’s list until you decide; the decision before stays on record';
    case 'approved':
      return `approved${pin?.no_side_effects === true ? '; on the list without side effects: it runs without consent' : '; every call waits for consent'}`;
    case 'refused':
      return 'refused; out of the model’s list';
    case 'parked':
    case 'removed':
      return `${statusWords[status]}; out of the model’s list`;
  }
}

function Words({ one: { definition } }: { one: Reviewed }) {
  const { description } = definition.raw;
  return (
    <Section title="What it says of itself">
      <div className={styles.whole} tabIndex={0} role="region" aria-label="What it says of itself">
        <Foreign text={typeof description === 'string' ? description : 'It has no description.'} />
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
                  aria-label={`How ${pointer.slice(1)} is filled`}
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
  tool: string;
  newest: string;
  who: (id: string) => string;
}

function History({ prefix, tool, newest, who }: HistoryProps) {
  const { value: history = [] } = useAsked('pins.history', { prefix, tool }, { follow: ['pins'] });
  if (history.length === 0) return null;
  return (
    <Section key={newest} title="History">
      <Table label={`Decisions on ${tool}`} head={['When', 'What', 'Who', 'Why']}>
        {history.toReversed().map((one) => (
          <tr key={one.at}>
            <td>
              <Time at={one.at} />
            </td>
            <td>
              {decisionWords(one)} <code>{one.hash.slice(0, 8)}</code>
            </td>
            <td>
              <Foreign text={who(one.by)} />
            </td>
            <td>{one.why !== null && <Foreign text={one.why} />}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
