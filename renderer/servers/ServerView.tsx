// One server: status, cost, what it runs and may do, the end of its stderr; switched on and off, checked, removed.
import { useState } from 'react';
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
/** Lines of stderr that are shown. */
const tail = 40;

export function ServerView({ row, changed, page }: Props) {
  const { prefix, state } = row;
  const off = state === 'disabled';
  const admin = useMay('admin');
  const check = useAsked('servers.check', off ? null : { prefix }, { patient: true });
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
    check.again();
    changed();
    announce(`Checking ${prefix}.`);
  };
  useCommand('servers.switch', () => void turn(), admin && !busy);
  useCommand('servers.check', look, !off);
  const problem = row.problem ?? check.failed;
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
          <p>Its tools are out of the model’s list; nothing of other servers is held up.</p>
        </Notice>
      )}
      {failed !== null && (
        <Notice title="Not done" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      <Facts
        rows={[
          ['What it is', <Foreign key="target" as="code" text={row.target} />],
          ['Speaks', revisionWords(row)],
          ['Tools', toolWords(row)],
          ['Cost', `${bytesWords(row.bytes)} of definitions, before the model reads one`],
          ['Restarts', String(row.restarts)],
          [
            'Process',
            check.value?.status.pid === null || check.value === undefined ? '–' : String(check.value.status.pid),
          ],
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
                  <span className={styles.faint}>{statusWords[status]}</span>
                  {definition.problem !== null && <Foreign text={definition.problem} />}
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
      {check.value !== undefined && check.value.status.stderr !== '' && (
        <Section title="Its last words on stderr">
          <pre className={difference.whole} tabIndex={0} role="region" aria-label="stderr">
            {drawn(check.value.status.stderr.trimEnd().split('\n').slice(-tail).join('\n'))}
          </pre>
        </Section>
      )}
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
