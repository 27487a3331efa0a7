// What a server may at most do to the desk, each limit with its range; an admin's to change.
import { useEffect, useRef, useState } from 'react';
import { limitProblem, type LimitRow } from '../../shared/limits.ts';
import { useAsked, useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { Notice, Page, Table, type PageHandle } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { desk } from '../session.ts';
import styles from './Servers.module.css';

export function LimitsView({ page, leave }: { page: React.RefObject<PageHandle | null>; leave: () => void }) {
  const limits = useAsked('limits.list', {}, { follow: ['limits'] });
  useEffect(() => page.current?.focus(), [page]);
  useCommand('servers.list', leave);
  return (
    <Page
      handle={page}
      title="Limits for servers"
      sub="What a server may at most do to the desk. The same for every server."
      actions={<Button command="servers.list">Leave it</Button>}
    >
      <Notice title="From the next start" look="plain">
        A server that runs keeps what it started with. Switch it off and on, or restart the desk.
      </Notice>
      {limits.value === undefined ? (
        limits.failed === null ? (
          <Loading what="the limits" />
        ) : (
          <Failed what="The limits cannot be listed." why={limits.failed} again={limits.again} />
        )
      ) : (
        <Table label="Limits for servers" head={['Limit', 'Value', 'Usually']}>
          {limits.value.map((row) => (
            <LimitLine key={row.name} row={row} />
          ))}
        </Table>
      )}
    </Page>
  );
}

function LimitLine({ row }: { row: LimitRow }) {
  const { name, value, usual, least, most, unit, says } = row;
  /** What is typed; null: nothing yet, or it is kept. */
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, failed, run } = useDoing();
  const input = useRef<HTMLInputElement>(null);
  const words = name.replaceAll('-', ' ');
  const wanted = typed === null ? value : /^\d{1,15}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const problem = limitProblem(name, wanted);
  const ready = wanted !== value && problem === null && !busy;
  async function keep(next: number | null): Promise<void> {
    if ((await run(() => desk.ask('limits.set', { name, value: next }))) === undefined) return;
    setTyped(null);
    announce(`The limit ${words} is ${next ?? usual} ${unit}, from the next start of a server.`);
    // The button that was pressed is gone.
    input.current?.focus();
  }
  return (
    <tr>
      <td>
        <b>{words}</b>
        <div className={styles.faint}>{says}</div>
      </td>
      <td>
        <form
          className={styles.limit}
          onSubmit={(event) => {
            event.preventDefault();
            if (ready) void keep(wanted);
          }}
        >
          <Field
            bare
            label={`${words}, in ${unit}, ${least} to ${most}`}
            value={typed ?? String(value)}
            onChange={setTyped}
            wrong={problem ?? failed?.message ?? null}
            inputRef={input}
            className={styles.number}
          />
          <span>{unit}</span>
          {wanted !== value && (
            <Button disabled={!ready} onPress={() => void keep(wanted)} label={`Keep ${words}`}>
              Keep
            </Button>
          )}
          {typed === null && value !== usual && (
            <Button look="quiet" disabled={busy} onPress={() => void keep(null)} label={`${words} as usual`}>
              As usual
            </Button>
          )}
        </form>
      </td>
      <td className={styles.usual}>{usual}</td>
    </tr>
  );
}
