// Taking tickets, the call log or runs out as a file of this machine.
import { useState } from 'react';
import { Label, RadioGroup } from 'react-aria-components';
import type { GivenOf, ValueOf } from '../../shared/contract.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Notice } from '../parts/Page.tsx';
import fields from '../questions/FormFields.module.css';
import { desk } from '../session.ts';
import styles from './Imports.module.css';
import { Over } from './Over.tsx';

type Asked = GivenOf<'exports.part'>;
const whats = { tickets: 'Tickets with their threads', calls: 'Call log', runs: 'Runs with their drafts' } as const;
const formats = { csv: 'A table for spreadsheets (CSV)', json: 'JSON' } as const;

export function TakeOut() {
  const [open, setOpen] = useState(false);
  useCommand('tickets.export', () => setOpen(true));
  return open ? <Dialogue close={() => setOpen(false)} /> : null;
}

function Dialogue({ close }: { close: () => void }) {
  const [asked, setAsked] = useState<Asked>({ what: 'tickets', format: 'csv' });
  const { busy, failed, run } = useDoing();
  const [taken, setTaken] = useState<string | null>(null);
  function choose(next: Asked): void {
    setTaken(null);
    setAsked(next);
  }
  async function take(): Promise<void> {
    const rows = await run(() => save(asked));
    if (rows === undefined) return;
    setTaken(rowsWords(rows));
    announce(rowsWords(rows));
  }
  return (
    <Over title="Take out" close={close}>
      <p className={styles.says}>Never a secret: no passphrase, no key, no state of a server’s question.</p>
      <RadioGroup
        className={fields.group ?? ''}
        value={asked.what}
        // The values are the keys of the record.
        onChange={(what) => choose({ ...asked, what: what as Asked['what'] })}
      >
        <Label className={fields.label ?? ''}>What</Label>
        {Object.entries(whats).map(([what, words]) => (
          <OneOf key={what} value={what}>
            {words}
          </OneOf>
        ))}
      </RadioGroup>
      <RadioGroup
        className={fields.group ?? ''}
        value={asked.format}
        // As above.
        onChange={(format) => choose({ ...asked, format: format as Asked['format'] })}
      >
        <Label className={fields.label ?? ''}>As</Label>
        {Object.entries(formats).map(([format, words]) => (
          <OneOf key={format} value={format}>
            {words}
          </OneOf>
        ))}
      </RadioGroup>
      {failed !== null && (
        <Notice title="Not taken out" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      {taken !== null && <p>{taken}</p>}
      <p className={styles.acts}>
        <span className={styles.grow} />
        {taken === null && <Button onPress={close}>Leave it</Button>}
        <Button look="primary" onPress={() => (taken === null ? void take() : close())}>
          {busy ? 'Reading…' : taken === null ? 'Save the file' : 'Close'}
        </Button>
      </p>
    </Over>
  );
}

function rowsWords(rows: number): string {
  return rows === 1 ? '1 row is in the file.' : `${rows.toLocaleString('en')} rows are in the file.`;
}
/** How many rows it has. */
async function save(asked: Asked): Promise<number> {
  const texts: string[] = [];
  let rows = 0;
  let name = '';
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const part: ValueOf<'exports.part'> = await desk.ask('exports.part', { ...asked, after }, { deadline: 60_000 });
    texts.push(part.text);
    rows += part.rows;
    name = part.name;
    after = part.next;
  }
  const url = URL.createObjectURL(new Blob(texts));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return rows;
}
