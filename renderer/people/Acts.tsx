// Who did what, for an admin: newest first, a page at a time, older ones on demand.
import { useState } from 'react';
import type { Act } from '../../shared/people.ts';
import { useAsked, useDoing } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Table } from '../parts/Page.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { exact, momentWords } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { desk } from '../session.ts';
import { didWords, failedWords } from './actWords.ts';
import styles from './Me.module.css';

/** As the contract has it: a page that is full may not be the last. */
const pageSize = 200;

export function Acts() {
  const { value: newest, failed, again } = useAsked('people.acts', {});
  const [older, setOlder] = useState<Act[][]>([]);
  const { busy, failed: stuck, run } = useDoing();
  const who = usePeople();
  if (failed !== null) return <Failed what="It cannot be read who did what." why={failed} again={again} />;
  if (newest === undefined) return <Loading what="who did what" />;
  if (newest.length === 0)
    return (
      <Empty title="Nothing yet.">
        <p>Changes to people, servers, models and the playbook, imports, exports and runs are kept here with a name.</p>
      </Empty>
    );
  const pages = [newest, ...older];
  const last = pages.at(-1) ?? [];
  async function more(): Promise<void> {
    const before = last.at(-1)?.seq ?? null;
    const next = await run(() => desk.ask('people.acts', { before }));
    if (next !== undefined) setOlder((old) => [...old, next]);
  }
  return (
    <div className={styles.log}>
      <Table label="Who did what" head={['When', 'Who', 'What', 'About']}>
        {pages.flat().map((act) => (
          <tr key={act.seq}>
            <td className={styles.when}>
              <time dateTime={act.at} title={exact(act.at)}>
                {momentWords(act.at)}
              </time>
            </td>
            <td>
              <Foreign text={who(act.by)} />
            </td>
            <td>
              {drawn(didWords(act.route))}
              {failedWords(act) !== null && (
                <>
                  {' '}
                  <Mark kind="look">{failedWords(act)}</Mark>
                </>
              )}
            </td>
            <td>
              <Foreign text={act.about} />
            </td>
          </tr>
        ))}
      </Table>
      {last.length === pageSize && (
        <Button disabled={busy} onPress={() => void more()}>
          {busy ? 'Reading…' : 'Older'}
        </Button>
      )}
      {stuck !== null && (
        <p role="alert" className={styles.wrong}>
          <Foreign text={stuck.message} />
        </p>
      )}
    </div>
  );
}
