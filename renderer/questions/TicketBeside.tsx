// The ticket a question belongs to, to be read beside it: what was written, and the draft that waits for the answer.
import { useState } from 'react';
import type { OpenTicket } from '../../shared/queue.ts';
import type { Claim } from '../../shared/runs.ts';
import { useAsked } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { Time } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { Claims } from '../tickets/Claims.tsx';
import styles from './TicketBeside.module.css';

interface Props {
  id: string;
  /** What the draft waits for: "this answer". */
  waits: string;
  /** Goes to a call in the log beside. */
  follow: (call: number) => void;
}

export function TicketBeside({ id, ...rest }: Props) {
  const { value: ticket, failed, again } = useAsked('tickets.get', { id }, { follow: ['tickets'] });
  const name = usePeople();
  if (failed !== null && ticket === undefined)
    return <Failed what="The ticket cannot be read." why={failed} again={again} />;
  if (ticket === undefined) return <Loading what="the ticket" />;
  const who = (by: string | null) => (by === null ? (ticket.customer_name ?? ticket.customer ?? 'Customer') : name(by));
  return (
    <div className={styles.thread}>
      <div className={styles.top}>
        <span>
          <code>{id}</code>
        </span>
        <Button command="inbox.ticket" look="quiet">
          Open in queue
        </Button>
      </div>
      {ticket.subject !== '' && <Foreign as="h2" text={ticket.subject} className={styles.subject} />}
      {ticket.thread.map((one) => (
        <article key={one.id} className={styles.message}>
          <p className={styles.from}>
            <Foreign as="b" text={who(one.by)} />
            {one.kind === 'note' && <span>note</span>}
            {one.kind === 'reply' && <span>our reply</span>}
            <Time at={one.at} />
          </p>
          <Foreign as="p" text={one.body} className={styles.body} />
        </article>
      ))}
      <Waiting ticket={ticket} {...rest} />
    </div>
  );
}

function Waiting({ ticket, waits, follow }: { ticket: OpenTicket } & Omit<Props, 'id'>) {
  const [looked, setLooked] = useState<Claim | null>(null);
  const { draft } = ticket;
  return (
    <section aria-label="Draft">
      <h3 className={styles.section}>{draft === null ? 'Reply' : `Draft, waiting for ${waits}`}</h3>
      {draft === null ? (
        <p className={styles.none}>Not written yet: it waits for {waits}, and says what came of it.</p>
      ) : (
        <div className={styles.draft}>
          <Claims text={draft.text} claims={draft.claims} follow={follow} explain={setLooked} />
          {draft.state === 'retired' && <p className={styles.none}>Written before the last message came.</p>}
          {looked !== null && <Foreign as="p" text={looked.why} className={styles.none} />}
        </div>
      )}
    </section>
  );
}
