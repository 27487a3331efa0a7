// Documents that stood before the model when it drafted: policies by the desk's rule, and what was read for this ticket.
import { useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
import type { AttachedDocument, DocumentText } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import type { OpenState } from '../tickets/open.ts';
import { useOpened } from '../tickets/openTicket.ts';
import styles from './Attached.module.css';
import { CallEntry } from './CallEntry.tsx';
import callStyles from './Calls.module.css';

const none: readonly AttachedDocument[] = [];

export function Attached() {
  const documents = useOpened(documentsIn);
  const run = useOpened(({ ticket }) => ticket?.run?.id ?? '');
  const readings = useOpened(({ calls }) => calls).filter(isReading);
  if (documents.length + readings.length === 0)
    return (
      <Empty title="Nothing was attached.">
        <p>Policies that every draft is written under stand here once the model worked on this ticket.</p>
      </Empty>
    );
  return (
    <>
      <ul className={styles.list} aria-label="Documents of the draft">
        {documents.map((one) => (
          <Document key={`${run} ${one.uri}`} run={run} document={one} />
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
  return useOpened((state) => documentsIn(state).length + state.calls.filter(isReading).length);
}

function documentsIn({ ticket }: OpenState): readonly AttachedDocument[] {
  return ticket?.run?.attached ?? none;
}
function isReading(call: Call): boolean {
  return call.method !== 'tools/call';
}

function Document({ run, document: { prefix, uri, title, bytes } }: { run: string; document: AttachedDocument }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <Disclosure isExpanded={open} onExpandedChange={setOpen}>
        <Heading level={3}>
          <AriaButton slot="trigger" className={styles.document ?? ''}>
            <span aria-hidden="true">{open ? '▾' : '▸'}</span>
            <Foreign as="b" text={title ?? uri} />
            <span className={styles.size}>{bytes === null ? '' : bytesWords(bytes)}</span>
          </AriaButton>
        </Heading>
        <Foreign as="div" text={prefix === null ? uri : `${prefix} · ${uri}`} className={styles.wire} />
        <DisclosurePanel>{open && <Text run={run} uri={uri} />}</DisclosurePanel>
      </Disclosure>
    </li>
  );
}

const fromWords: Record<DocumentText['from'], string> = {
  kept: 'As the model read it.',
  same: 'Read again just now; it is what the model read.',
  changed: 'Read again just now: it changed since. The model read another text, which was not kept.',
};

function Text({ run, uri }: { run: string; uri: string }) {
  const { value, failed, again } = useAsked('runs.document', { run, uri }, { patient: true });
  if (failed !== null) return <Failed what="The document cannot be shown." why={failed} again={again} />;
  if (value === undefined) return <Loading what="the document" />;
  return (
    <>
      <p className={value.from === 'changed' ? styles.changed : styles.from}>{fromWords[value.from]}</p>
      <div className={styles.text} role="region" aria-label="Text of the document" tabIndex={0}>
        <Foreign as="pre" text={value.text} />
      </div>
    </>
  );
}
