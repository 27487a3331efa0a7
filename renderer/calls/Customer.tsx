// The customer and their orders, only as the ticket's own calls found them, and what else they wrote.
import { Button } from 'react-aria-components';
import { Foreign } from '../parts/Foreign.tsx';
import { Loading } from '../parts/States.tsx';
import { Time } from '../parts/Time.tsx';
import { go } from '../place.ts';
import { useOpened } from '../tickets/openTicket.ts';
import { light } from './hot.ts';
import styles from './RecordPane.module.css';
import { reveal } from './reveal.ts';

export function Customer() {
  const ticket = useOpened((state) => state.ticket);
  if (ticket === null) return <Loading what="the customer" />;
  const { facts, earlier } = ticket;
  return (
    <>
      <h3 className={styles.section}>Facts</h3>
      <dl className={styles.facts}>
        <dt>Customer</dt>
        <Foreign as="dd" text={ticket.customer ?? 'Not known'} />
        <dt>Came by</dt>
        <Foreign as="dd" text={ticket.channel ?? 'Not known'} />
        {facts.map((fact) => (
          <Fact key={`${fact.call}${fact.field}`} fact={fact} />
        ))}
      </dl>
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
    </>
  );
}

function Fact({ fact }: { fact: { call: number; field: string; value: string } }) {
  const name = fact.field.split('/').filter(Boolean).at(-1) ?? fact.field;
  return (
    <>
      <dt>
        <Foreign text={name.replaceAll('_', ' ')} />
      </dt>
      <dd>
        <Foreign text={fact.value} />
        <a
          href={`#call-${fact.call}`}
          aria-label={`from call ${fact.call}`}
          onClick={(event) => {
            event.preventDefault();
            reveal(fact.call);
          }}
          onMouseEnter={() => light(fact.call, fact.field)}
          onMouseLeave={() => light(null)}
        >
          {fact.call}
        </a>
      </dd>
    </>
  );
}
