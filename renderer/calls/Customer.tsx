// The customer and their orders, only as calls found them; what else they wrote; and every single value the calls returned.
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { CustomerFact } from '../../shared/queue.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { Loading } from '../parts/States.tsx';
import { Time } from '../parts/Time.tsx';
import { go } from '../place.ts';
import { useOpened } from '../tickets/openTicket.ts';
import { CallLink } from './CallLink.tsx';
import { Facts } from './Facts.tsx';
import styles from './RecordPane.module.css';

export function Customer() {
  const ticket = useOpened((state) => state.ticket);
  if (ticket === null) return <Loading what="the customer" />;
  const { facts, earlier, channel } = ticket;
  return (
    <>
      <h3 className={styles.section}>Facts</h3>
      <Facts ticket={ticket} />
      <h3 className={styles.section}>{earlier.count === 0 ? 'No other tickets' : `Other tickets, ${earlier.count}`}</h3>
      <ul className={styles.earlier}>
        {earlier.rows.map((row) => (
          <li key={row.id}>
            <Button onPress={() => go('queue', row.id)}>
              <code>{row.id}</code>
              <Foreign text={row.subject || row.words} className={styles.subject} />
              <Time at={row.since} className={styles.when} />
            </Button>
          </li>
        ))}
      </ul>
      {channel !== null && (
        <dl className={styles.facts}>
          <dt>Came by</dt>
          <Foreign as="dd" text={channel} />
        </dl>
      )}
      {facts.length > 0 && <All facts={facts} />}
    </>
  );
}

function All({ facts }: { facts: readonly CustomerFact[] }) {
  return (
    <Disclosure className={styles.all ?? ''}>
      <Heading level={3}>
        <Button slot="trigger">Every value of the calls, {facts.length}</Button>
      </Heading>
      <DisclosurePanel>
        <dl className={styles.facts}>
          {facts.map((fact) => (
            <Fact key={`${fact.call}${fact.field}`} fact={fact} />
          ))}
        </dl>
      </DisclosurePanel>
    </Disclosure>
  );
}

function Fact({ fact: { call, field, value } }: { fact: CustomerFact }) {
  const name = field.split('/').filter(Boolean).at(-1) ?? field;
  return (
    <>
      <dt>
        <Foreign text={name.replaceAll('_', ' ')} />
      </dt>
      <dd>
        <Foreign text={value} />
        <CallLink call={call} field={field} />
      </dd>
    </>
  );
}
