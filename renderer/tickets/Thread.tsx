// What was written: the customer's messages, our replies, our notes. Notes look unlike anything that leaves the desk.
import { useState } from 'react';
import { Disclosure, DisclosurePanel, Heading, Button as AriaButton } from 'react-aria-components';
import type { OpenTicket, ThreadMessage } from '../../shared/queue.ts';
import { cx } from '../classes.ts';
import { useCommand } from '../commands/registry.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { Time } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { customerName } from './customerName.ts';
import { partsOf } from './quoted.ts';
import styles from './Thread.module.css';

export function Thread({ ticket }: { ticket: OpenTicket }) {
  const [quoted, setQuoted] = useState(false);
  useCommand('tickets.quoted', () => setQuoted((old) => !old));
  return (
    <ol className={styles.thread}>
      {ticket.thread.map((message) => (
        <Message key={message.id} message={message} customer={customerName(ticket)} quoted={quoted} />
      ))}
    </ol>
  );
}

function Message({ message, customer, quoted }: { message: ThreadMessage; customer: string; quoted: boolean }) {
  const name = usePeople();
  const { kind, by } = message;
  return (
    <li className={cx(styles.message, styles[kind])} data-kind={kind}>
      <div className={styles.from}>
        <Foreign as="b" text={kind === 'customer' ? customer : by === null ? 'Your team' : name(by)} />
        {kind === 'note' && <span className={styles.kind}>Note, stays in the desk</span>}
        {kind === 'reply' && <span className={styles.kind}>Reply</span>}
        <Time at={message.at} ago reached />
        {message.difference !== null && <span>{editWords(message.difference.kind)}</span>}
      </div>
      {partsOf(message.body).map((part, index) =>
        part.kind === 'own' ? (
          <Foreign key={index} as="div" text={part.text} className={styles.text} />
        ) : (
          <Quoted key={index} text={part.text} open={quoted} />
        ),
      )}
    </li>
  );
}

function editWords(kind: NonNullable<ThreadMessage['difference']>['kind']): string {
  return { unedited: 'as drafted', light: 'lightly edited', heavy: 'edited', rewritten: 'rewritten' }[kind];
}

function Quoted({ text, open }: { text: string; open: boolean }) {
  const lines = text.split('\n').length;
  const [own, setOwn] = useState<boolean | null>(null);
  return (
    <Disclosure className={styles.quoted ?? ''} isExpanded={own ?? open} onExpandedChange={setOwn}>
      <Heading level={3}>
        <AriaButton slot="trigger" className={styles.fold ?? ''}>
          <span aria-hidden="true">{(own ?? open) ? '▾' : '▸'}</span> quoted text,{' '}
          {lines === 1 ? '1 line' : `${lines} lines`}
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        <Foreign as="div" text={text} className={styles.text} />
      </DisclosurePanel>
    </Disclosure>
  );
}
