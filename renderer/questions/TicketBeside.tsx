// The ticket a question belongs to, to be read beside it: what was written, and the draft that waits for the answer.
import { useAsked } from '../asked.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { Scroll } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { usePeople } from '../peopleNames.ts';
import { Time } from '../parts/Time.tsx';
import styles from './TicketBeside.module.css';

export function TicketBeside({ id }: { id: string }) {
  const { value: ticket, failed, again } = useAsked('tickets.get', { id }, { follow: ['tickets'] });
  const name = usePeople();
  if (failed !== null && ticket === undefined)
    return <Failed what="The ticket cannot be read." why={failed} again={again} />;
  if (ticket === undefined) return <Loading what="the ticket" />;
  const who = (by: string | null) => (by === null ? (ticket.customer ?? 'Customer') : name(by));
  return (
    <Scroll label={`Ticket ${id}`}>
      <div className={styles.thread}>
        {ticket.subject !== '' && <Foreign as="h2" text={ticket.subject} className={styles.subject} />}
        {ticket.thread.map((one) => (
          <article key={one.id} className={styles.message}>
            <p className={styles.from}>
              <Foreign as="b" text={who(one.by)} />
              {one.kind === 'note' && <span>note</span>}
              <Time at={one.at} />
            </p>
            <Foreign as="p" text={one.body} className={styles.body} />
          </article>
        ))}
        {ticket.draft !== null && (
          <article className={styles.message}>
            <p className={styles.from}>
              <b>Draft</b>
              <span>not sent</span>
            </p>
            <Foreign as="p" text={ticket.draft.text} className={styles.draft} />
          </article>
        )}
      </div>
    </Scroll>
  );
}
