// Bringing tickets in from a file: choose it, see what it would come to, say what it does not say, then bring it in. Nothing
// is stored before the last step.
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { ValueOf } from '../../shared/contract.ts';
import type { ImportOptions, ImportPreview } from '../../shared/imports.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Notice, Section, Table } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { desk } from '../session.ts';
import { watch } from '../tickets/drafting.ts';
import { Columns } from './Columns.tsx';
import { sendFile, type SentFile } from './file.ts';
import styles from './Imports.module.css';
import { Over } from './Over.tsx';
import { Progress, type Stage } from './Progress.tsx';
import { Answers, Questions } from './Questions.tsx';

export function BringIn() {
  const [open, setOpen] = useState(false);
  useCommand('tickets.import', () => setOpen(true));
  return open ? <Dialogue close={() => setOpen(false)} /> : null;
}

interface Looked {
  file: SentFile;
  options: ImportOptions;
  preview: ImportPreview;
}

function Dialogue({ close }: { close: () => void }) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const [done, setDone] = useState<ValueOf<'imports.run'> | null>(null);
  const [stage, setStage] = useState<Stage>('reading');
  const { busy, failed, run } = useDoing();
  async function look(file: () => Promise<SentFile>, options: ImportOptions): Promise<void> {
    const next = await run(async () => {
      const sent = await file();
      return {
        file: sent,
        options,
        preview: await desk.ask('imports.preview', { ...sent, options, watch }, { deadline: null }),
      };
    });
    if (next === undefined) return;
    setLooked(next);
    const { questions, would } = next.preview;
    announce(would === null ? `${questions.length} to be said first.` : wouldWords(next.preview));
  }
  const last = useRef<HTMLSpanElement>(null);
  // What is asked has the keyboard; where an answered question took it along, what comes next has it.
  useEffect(() => {
    const question = document.querySelector<HTMLElement>('[data-question]');
    const next = last.current?.querySelector<HTMLElement>('button:enabled');
    if (looked !== null && done === null && question !== null) question.focus();
    else if (document.activeElement === document.body)
      (next ?? document.querySelector<HTMLElement>('[role=dialog]'))?.focus();
  }, [looked, done]);
  async function bring({ file, options }: Looked): Promise<void> {
    setStage('bringing');
    const result = await run(() => desk.ask('imports.run', { ...file, options, watch }, { deadline: null })).finally(
      () => setStage('reading'),
    );
    if (result === undefined) return;
    setDone(result);
    announce(
      `${result.stopped ? 'Stopped. ' : ''}${result.added === 1 ? '1 ticket' : `${result.added} tickets`} added.`,
    );
  }
  const choose = (file: File | undefined): void => {
    if (file !== undefined) void look(() => sendFile(file), {});
  };
  return (
    <Over title="Bring tickets in" close={close}>
      {done !== null ? (
        <Came {...done} kind={looked?.preview.kind ?? 'own'} />
      ) : looked === null ? (
        <p className={styles.says}>
          A table (CSV), JSON or JSON Lines of this desk, of Zendesk or of Chatwoot, or mails (mbox, EML). You see what
          it would come to before anything is stored; the same file again changes nothing.
        </p>
      ) : (
        <Preview {...looked} busy={busy} change={(options) => void look(() => Promise.resolve(looked.file), options)} />
      )}
      {failed !== null && (
        <Notice title="Not brought in" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      <p className={styles.acts}>
        {done === null && !(busy && stage === 'bringing') && (
          <FileTrigger
            acceptedFileTypes={['.csv', '.tsv', '.txt', '.json', '.jsonl', '.ndjson', '.mbox', '.mbx', '.eml']}
            onSelect={(files) => choose(files?.[0])}
          >
            <Button look={looked === null ? 'primary' : 'plain'}>
              {looked === null ? 'Choose a file…' : 'Another file…'}
            </Button>
          </FileTrigger>
        )}
        {busy && <Progress key={stage} stage={stage} />}
        <span className={styles.grow} />
        {done === null && <Button onPress={close}>Leave it</Button>}
        {looked !== null && (
          <span ref={last}>
            {/* One button for both steps: what has the focus stays where it is. */}
            <Button
              look="primary"
              disabled={done === null && (busy || changes(looked.preview) === 0)}
              onPress={() => (done === null ? void bring(looked) : close())}
            >
              {done === null ? `Bring in ${changes(looked.preview)}` : 'Close'}
            </Button>
          </span>
        )}
      </p>
    </Over>
  );
}

function changes({ would }: ImportPreview): number {
  return would === null ? 0 : would.added + would.updated;
}
function wouldWords({ would, refused }: ImportPreview): string {
  if (would === null) return '';
  return `${would.added} would be added, ${would.updated} changed, ${would.unchanged} are there already, ${refused.length} refused.`;
}
const kindWords: Record<ImportPreview['kind'], string> = {
  csv: 'a table',
  own: 'records of this desk',
  zendesk: 'an export of Zendesk',
  chatwoot: 'an export of Chatwoot',
  mail: 'mails',
};

function foundWords({ kind, records, encoding }: ImportPreview): string {
  if (kind === 'mail') return records === 1 ? '1 mail' : `${records} mails, a ticket for each thread`;
  return `${records === 1 ? '1 record' : `${records} records`}, read as ${kindWords[kind]} in ${encoding.name}`;
}

function Preview(props: Looked & { busy: boolean; change: (options: ImportOptions) => void }) {
  const { file, options, preview, busy, change } = props;
  return (
    <>
      <Foreign as="p" className={styles.says} text={`${file.name}: ${foundWords(preview)}. ${wouldWords(preview)}`} />
      <Answers options={options} forget={(name) => change({ ...options, [name]: undefined })} />
      <Questions
        questions={preview.questions}
        disabled={busy}
        answer={(name, value) => change({ ...options, [name]: value })}
      />
      {preview.table !== null && (
        <Section title="Columns">
          <Columns columns={preview.table.columns} change={(columns) => change({ ...options, columns })} />
        </Section>
      )}
      {preview.samples.length > 0 && (
        <Section title="The first tickets">
          <Table label="The first tickets" head={['ID', 'Customer', 'Letter', 'Received']}>
            {preview.samples.map((one) => (
              <tr key={one.id}>
                <td className={styles.id}>
                  <Foreign text={one.id} />
                </td>
                <td className={styles.customer}>
                  <Foreign as="div" text={one.customer_name ?? one.customer ?? ''} />
                  {one.customer_name !== null && one.customer !== null && (
                    <Foreign as="div" text={one.customer} className={styles.values} />
                  )}
                </td>
                <td>
                  <Foreign as="div" text={one.subject} />
                  <Foreign as="div" text={one.body} className={`${styles.values ?? ''} ${styles.body ?? ''}`} />
                  {one.messages > 1 && (
                    <span className={styles.values}>
                      and {one.messages === 2 ? '1 later message' : `${one.messages - 1} later messages`}
                    </span>
                  )}
                </td>
                <td>
                  <Time at={one.received_at} />
                </td>
              </tr>
            ))}
          </Table>
        </Section>
      )}
      <Left {...preview} />
    </>
  );
}

/** What a position in the file counts. */
const standsWords: Record<ImportPreview['kind'], string> = {
  csv: 'Line',
  own: 'Record',
  zendesk: 'Record',
  chatwoot: 'Record',
  mail: 'Mail',
};

/** Records that stay out, by where they stand and why; and what else a person should know. */
function Left({ refused, notes, kind }: Pick<ImportPreview, 'refused' | 'notes' | 'kind'>) {
  if (refused.length + notes.length === 0) return null;
  return (
    <Section
      title={refused.length === 0 ? 'To know' : refused.length === 1 ? '1 stays out' : `${refused.length} stay out`}
    >
      <ul className={styles.list} tabIndex={0} aria-label="What stays out, and why">
        {refused.map(({ line, id, reason }) => (
          <li key={line}>
            <Foreign text={`${standsWords[kind]} ${line}${id === undefined ? '' : ` (${id})`}: ${reason}`} />
          </li>
        ))}
        {notes.map((note) => (
          <li key={note}>
            <Foreign text={note} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type CameProps = ValueOf<'imports.run'> & Pick<ImportPreview, 'kind'>;

function Came({ added, updated, unchanged, refused, notes, stopped, kind }: CameProps) {
  return (
    <>
      <p className={styles.says}>
        {stopped && 'Stopped; the same file again brings in the rest. '}
        {added} added, {updated} changed, {unchanged} were there already, {refused.length} refused.
      </p>
      <Left refused={refused} notes={notes} kind={kind} />
    </>
  );
}
