// One server: status, cost, what it runs and may do, the end of its stderr; switched on and off, checked, removed.
import { useState } from 'react';
import { requestWords } from '../../shared/requestWords.ts';
import type { ServerRow } from '../../shared/servers.ts';
import { useAsked, useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Facts, Notice, Page, Section, type PageHandle } from '../parts/Page.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { statusWords } from '../pins/changeWords.ts';
import difference from '../pins/Difference.module.css';
import { go } from '../place.ts';
import { titleOf } from '../questions/callWords.ts';
import { desk, useMay } from '../session.ts';
import styles from './Servers.module.css';
import { allowances, stateMarks, stateWords } from './serverWords.ts';

interface Props {
  row: ServerRow;
  changed: () => void;
  page: React.RefObject<PageHandle | null>;
}
/** Lines of stderr that are shown; the pane scrolls. */
const tail = 400;

export function ServerView({ row, changed, page }: Props) {
  const { prefix, state } = row;
  const off = state === 'disabled';
  const admin = useMay('admin');
  const check = useAsked('servers.check', off ? null : { prefix }, { patient: true });
  const status = useAsked('servers.status', { prefix }, { follow: ['servers'] });
  const { busy, failed, run } = useDoing();
  const [removing, setRemoving] = useState(false);
  async function act(words: string, work: () => Promise<unknown>): Promise<void> {
    if ((await run(work)) === undefined) return;
    announce(words);
    changed();
  }
  const turn = () =>
    act(off ? `${prefix} is on.` : `${prefix} is off.`, () => desk.ask('servers.enable', { prefix, enabled: off }));
  const look = () => {
    // A person's own check: started once more, however often it went away.
    void desk.ask('servers.check', { prefix, anew: true }, { deadline: null }).then(check.again, check.again);
    status.again();
    changed();
    announce(`Checking ${prefix}.`);
  };
  useCommand('servers.switch', () => void turn(), admin && !busy);
  useCommand('servers.check', look, !off);
  const problem = row.problem ?? check.failed;
  const ends = (text = ''): string => text.trimEnd().split('\n').slice(-tail).join('\n');
  const said = ends(status.value?.stderr);
  const logged = ends(status.value?.log);
  const notes = status.value?.notes ?? [];
  const waiting = check.value?.tools.filter(({ status }) => status === 'new' || status === 'changed').length ?? 0;
  return (
    <Page
      handle={page}
      title={prefix}
      sub={<Mark kind={stateMarks[state]}>{stateWords[state]}</Mark>}
      actions={
        <span className={styles.actions}>
          {!off && <Button command="servers.check">Check</Button>}
          {admin && (
            <Button command="servers.switch" disabled={busy}>
              {off ? 'Switch on' : 'Switch off'}
            </Button>
          )}
        </span>
      }
    >
      {problem !== null && !off && (
        <Notice title={state === 'failed' ? 'It failed' : 'Problem'} look="danger">
          <Foreign text={problem} />
          <p>{remedy(row, admin)} Meanwhile its tools are not offered; nothing of other servers is held up.</p>
        </Notice>
      )}
      {failed !== null && (
        <Notice title="Not done" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      {waiting > 0 && (
        <Notice title="To be decided">
          {waiting === 1 ? 'One of its tools waits' : `${waiting} of its tools wait`} for an admin’s approval and{' '}
          {waiting === 1 ? 'is' : 'are'} not offered before. Open {waiting === 1 ? 'it' : 'one'} below to read it in
          full.
        </Notice>
      )}
      <Facts
        rows={[
          ['What it is', <Foreign key="target" as="code" text={row.target} />],
          ['Speaks', revisionWords(row)],
          ['Tools', toolWords(row)],
          ['Cost', costWords(row)],
          ...(row.requests === null ? [] : ([['Requests', requestWords(row.requests)]] satisfies [string, string][])),
          ['Restarts', String(row.restarts)],
          ...(row.kind === 'stdio' && !off
            ? ([['Process', String(status.value?.pid ?? '–')]] satisfies [string, string][])
            : []),
        ]}
      />
      <Section title="What it may do">
        <ul className={styles.lines}>
          {allowances(row).map((words) => (
            <li key={words}>{drawn(words)}</li>
          ))}
          {row.kind === 'stdio' && !row.bundled && (
            <li>It runs with your rights, the desk’s own database included; the desk does not sandbox it.</li>
          )}
        </ul>
        {admin && (
          <p className={styles.limits}>
            <Button command="servers.limits">Limits for servers</Button>
          </p>
        )}
      </Section>
      {!off && (
        <Section title="Tools">
          {check.value === undefined ? (
            <p className={styles.faint}>
              {check.failed === null ? 'Reading its list…' : 'Its list cannot be read now.'}
            </p>
          ) : check.value.tools.length === 0 ? (
            <p className={styles.faint}>It offers no tool.</p>
          ) : (
            <ul className={styles.lines}>
              {check.value.tools.map(({ definition, status }) => (
                <li key={definition.name} className={styles.tool}>
                  <Button look="quiet" onPress={() => go('tools', `${prefix}.${definition.name}`)}>
                    {drawn(titleOf(definition.name))}
                  </Button>
                  <span className={styles.faint}>
                    {status === 'new' || status === 'changed'
                      ? `${statusWords[status]}: waits for approval`
                      : statusWords[status]}
                  </span>
                  {definition.problem !== null && (
                    <span className={styles.parked}>
                      <Foreign text={definition.problem} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
      {notes.length > 0 && (
        <Section title="What it wanted in vain">
          <ul className={styles.lines}>
            {notes.map((words) => (
              <li key={words}>{drawn(words)}</li>
            ))}
          </ul>
        </Section>
      )}
      {logged !== '' && (
        <Section title="What it logged">
          <pre className={difference.whole} tabIndex={0} role="region" aria-label="What it logged">
            {drawn(logged)}
          </pre>
        </Section>
      )}
      {said !== '' && (
        <Section title="Its last words on stderr">
          <pre className={difference.whole} tabIndex={0} role="region" aria-label="stderr">
            {drawn(said)}
          </pre>
        </Section>
      )}
      {!admin && <p className={styles.note}>An admin adds, switches and removes servers.</p>}
      {admin && !row.bundled && (
        <Section title="Remove">
          {removing ? (
            <p className={styles.actions}>
              <Button
                look="money"
                disabled={busy}
                onPress={() => void act(`${prefix} is removed.`, () => desk.ask('servers.remove', { prefix }))}
              >
                Remove {drawn(prefix)}
              </Button>
              <Button onPress={() => setRemoving(false)}>Keep it</Button>
            </p>
          ) : (
            <p className={styles.actions}>
              <Button onPress={() => setRemoving(true)}>Remove…</Button>
              <span className={styles.faint}>Its decisions stay in the history.</span>
            </p>
          )}
        </Section>
      )}
    </Page>
  );
}

/** What to do about it, by who looks. */
function remedy({ kind, state }: ServerRow, admin: boolean): string {
  if (state !== 'failed') return '';
  const look =
    kind === 'stdio'
      ? 'What it said itself is below, where it said anything.'
      : 'Look whether it is reached from this machine.';
  return `${look} ${admin ? 'Then check it again, or switch it off.' : 'Check it again, or ask an admin.'}`;
}
function costWords({ bytes, tokens, approved, state }: ServerRow): string {
  if (state !== 'ready') return 'not known until it runs';
  const whole = `${bytesWords(bytes)} of definitions`;
  if (approved === 0) return `${whole}; the model reads none of them`;
  const how = tokens.counted ? '' : ', reckoned from their length until a model is loaded';
  return `${whole}; the model reads ${tokens.counted ? '' : 'about '}${tokens.count.toLocaleString('en-GB')} tokens of them before each ticket${how}`;
}
function revisionWords({ revision, state }: ServerRow): string {
  if (revision === null) return state === 'ready' ? 'revision unknown' : 'not known until it runs';
  return revision >= '2026-07-28'
    ? `the protocol’s revision of ${revision}, the current one`
    : `an older revision, of ${revision}`;
}
function toolWords({ tools, approved, state }: ServerRow): string {
  if (state !== 'ready') return 'not known until it runs';
  const waiting = tools - approved;
  return `${approved} of ${tools} approved${waiting > 0 ? `; ${waiting} out of the model’s list` : ''}`;
}
