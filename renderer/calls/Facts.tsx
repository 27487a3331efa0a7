// Who the customer is, what they ordered and what was paid back, in a glance: only what records say, each with its call.
import { useOpened } from '../tickets/openTicket.ts';
import type { CustomerRecord, OpenTicket } from '../../shared/queue.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { CallLink } from './CallLink.tsx';
import { moneyWords } from './money.ts';
import styles from './RecordPane.module.css';

export function Facts({ ticket }: { ticket: OpenTicket }) {
  const orders = ticket.records.filter(({ kind }) => kind === 'order');
  const refunds = ticket.records.filter(({ kind }) => kind === 'refund');
  const shown = refunds.filter((one) => one.ticket === ticket.id);
  const { count } = ticket.earlier;
  return (
    <dl className={styles.facts}>
      <dt>Customer</dt>
      <dd>
        {ticket.customer_name !== null && <Foreign text={ticket.customer_name} />}
        {ticket.customer_name !== null && ticket.customer !== null && ', '}
        {ticket.customer !== null && <Foreign text={ticket.customer} />}
        {ticket.customer_name === null && ticket.customer === null && 'Not known'}
      </dd>
      {orders.map((one) => (
        <Line key={one.id} name="Order" one={one} />
      ))}
      {shown.map((one) => (
        <Line key={one.id} name="Refund" one={one} />
      ))}
      <dt>Earlier</dt>
      <dd>
        {count === 1 ? '1 ticket' : `${count} tickets`}, {refundWords(refunds.length - shown.length)}
      </dd>
    </dl>
  );
}

function refundWords(count: number): string {
  return count === 1 ? '1 refund' : `${count} refunds`;
}

function Line({ name, one }: { name: string; one: CustomerRecord }) {
  const calls = useOpened((state) => state.calls);
  const moment = one.on === null ? '' : ` ${dayWords(one.on)}`;
  const amount = moneyWords({ ...one, call: null });
  const says = [
    one.of === null ? '' : `for ${one.of}`,
    `${one.status?.replaceAll('_', ' ') ?? ''}${moment}`,
    amount ?? '',
  ];
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Foreign as="code" text={one.id} />{' '}
        <Foreign
          text={says
            .map((word) => word.trim())
            .filter((word) => word !== '')
            .join(', ')}
        />
        {calls.some(({ n }) => n === one.call) && <CallLink call={one.call} />}
      </dd>
    </>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
/** A plain date in words; anything else as the record writes it. */
function dayWords(on: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(on) ? Date.parse(on) : NaN;
  return Number.isNaN(time) ? on : day.format(time);
}
