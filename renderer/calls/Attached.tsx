// Documents of the open ticket: what a person attached for its next draft, and what stood before the model when it drafted.
import { useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Attachment } from '../../shared/attaching.ts';
import type { Call } from '../../shared/calls.ts';
import type { GivenOf } from '../../shared/contract.ts';
import type { AttachedDocument, DocumentText } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { usePeople } from '../peopleNames.ts';
import { bytesWords } from '../pins/bytesWords.ts';
import { useMay } from '../session.ts';
import type { OpenState } from '../tickets/open.ts';
import { useOpened } from '../tickets/openTicket.ts';
import styles from './Attached.module.css';
import { CallEntry } from './CallEntry.tsx';
import callStyles from './Calls.module.css';
import { isToolCall } from './log.ts';
import pane from './RecordPane.module.css';

const none: readonly never[] = [];

export function Attached() {
  const documents = useOpened(documentsIn);
  const next = useOpened(nextIn);
  const ticket = useOpened(({ id }) => id ?? '');
  const run = useOpened((state) => state.ticket?.run?.id ?? '');
  const readings = useOpened(({ calls }) => calls).filter(isReading);
  const able = useMay('staff');
  return (
    <>
      {able && (
        <div className={styles.acts}>
          <Button command="runs.attach">Attach</Button>
          <Button command="calls.prompt">Use a prompt</Button>
        </div>
      )}
      {documents.length + next.length + readings.length === 0 && (
        <Empty title="Nothing was attached.">
          <p>Policies that every draft is written under stand here once the model worked on this ticket.</p>
        </Empty>
      )}
      {next.length > 0 && <h3 className={pane.section}>For the next draft</h3>}
      <ul className={styles.list}>
        {next.map((one) => (
          <Document
            key={`${one.prefix} ${one.uri}`}
            document={one}
            asked={{ ticket, prefix: one.prefix, uri: one.uri }}
          />
        ))}
      </ul>
      {documents.length > 0 && <h3 className={pane.section}>Read by the last draft</h3>}
      <ul className={styles.list}>
        {documents.map((one) => (
          <Document key={`${run} ${one.uri}`} document={one} asked={{ run, uri: one.uri }} />
        ))}
      </ul>
      <ol className={callStyles.log}>
        {readings.map((call) => (
          <CallEntry key={call.id} call={call} json={false} />
        ))}
      </ol>
    </>
  );
}

/** How many stand in the tab. */
export function useAttachedCount(): number {
  return useOpened((state) => documentsIn(state).length + nextIn(state).length + state.calls.filter(isReading).length);
}

function documentsIn({ ticket }: OpenState): readonly AttachedDocument[] {
  return ticket?.run?.attached ?? none;
}
function nextIn({ ticket }: OpenState): readonly Attachment[] {
  return ticket?.attached ?? none;
}
function isReading(call: Call): boolean {
  return !isToolCall(call);
}

interface DocumentProps {
  document: Pick<AttachedDocument, 'prefix' | 'uri' | 'title' | 'bytes' | 'by'>;
  asked: GivenOf<'runs.document'>;
}

function Document({ document: { prefix, uri, title, bytes, by }, asked }: DocumentProps) {
  const [open, setOpen] = useState(false);
  const name = usePeople();
  return (
    <li>
      <Disclosure isExpanded={open} onExpandedChange={setOpen}>
        <Heading level={4}>
          <AriaButton slot="trigger" className={styles.document ?? ''}>
            <span aria-hidden="true">{open ? '▾' : '▸'}</span>
            <Foreign as="b" text={title ?? uri} />
            <span className={styles.size}>{bytes === null ? '' : bytesWords(bytes)}</span>
          </AriaButton>
        </Heading>
        <Foreign
          as="div"
          text={`${prefix === null ? '' : `${prefix} · `}${uri}${by === null ? '' : ` · by ${name(by)}`}`}
          className={styles.wire}
        />
        <DisclosurePanel>{open && <Text asked={asked} />}</DisclosurePanel>
      </Disclosure>
    </li>
  );
}

function fromWords({ from, outdated }: DocumentText): string {
  if (outdated)
    return 'As it was read. Its server changed it since: attach it again, or draft anew, to have it as it is now.';
  switch (from) {
    case 'kept':
      return 'As it was read.';
    case 'same':
      return 'Read again just now; it is what the model read.';
    case 'changed':
      return 'Read again just now: it changed since. The model read another text, which was not kept.';
  }
}

function Text({ asked }: { asked: GivenOf<'runs.document'> }) {
  const { value, failed, again } = useAsked('runs.document', asked, { follow: ['documents'], patient: true });
  if (failed !== null) return <Failed what="The document cannot be shown." why={failed} again={again} />;
  if (value === undefined) return <Loading what="the document" />;
  const look = value.outdated || value.from === 'changed';
  return (
    <>
      <p className={look ? styles.changed : styles.from} role="status">
        {fromWords(value)}
      </p>
      <div className={styles.text} role="region" aria-label="Text of the document" tabIndex={0}>
        <Foreign as="pre" text={value.text} />
      </div>
    </>
  );
}
