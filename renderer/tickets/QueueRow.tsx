// One ticket in the list: a line of who and how long ago, a line of what and its state in words.
import type { TicketRow } from '../../shared/queue.ts';
import { cx } from '../classes.ts';
import { Foreign } from '../parts/Foreign.tsx';
import { Hidden } from '../parts/Hidden.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Time } from '../parts/Time.tsx';
import { customerName } from './customerName.ts';
import { usePeople } from '../peopleNames.ts';
import { useDrafting } from './drafting.ts';
import styles from './QueueRow.module.css';
import { stateOf } from './rowState.ts';
import { useQueue } from './store.ts';

export function QueueRow({ row }: { row: TicketRow }) {
  const step = useDrafting(({ steps }) => steps[row.id]);
  const marked = useQueue((state) => state.marked.has(row.id));
  const excerpt = useQueue((state) => state.excerpts.get(row.id));
  const asked = useDrafting((state) => state.asked.has(row.id));
  const { kind, words } = stateOf(row, step, asked, usePeople());
  const title = row.subject === '' ? row.words : row.subject;
  const what = excerpt === undefined || excerpt === title ? title : `${title} · ${excerpt}`;
  return (
    <div className={cx(styles.row, row.status === 'done' && styles.done)}>
      <span className={styles.who}>
        {marked && (
          <span className={styles.marked}>
            <span aria-hidden="true">✓</span>
            <Hidden>Selected </Hidden>
          </span>
        )}
        <Foreign text={customerName(row)} />
        {(row.priority === 'high' || row.priority === 'urgent') && (
          <span className={styles.priority}>{row.priority === 'urgent' ? 'Urgent' : 'High'}</span>
        )}
      </span>
      <Time at={row.since} className={styles.age} />
      <Foreign text={what === '' ? '[no words]' : what} className={styles.what} />
      <Mark kind={kind} className={styles.state ?? ''}>
        {words}
      </Mark>
    </div>
  );
}
