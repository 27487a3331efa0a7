// A call that waits for consent, as the inbox shows it: it is answered at its place in the ticket, where what led to it stands.
import { LookUpAgain, useEnds } from '../calls/Ends.tsx';
import { cx } from '../classes.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Page, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { CallFacts } from './CallFacts.tsx';
import styles from './Card.module.css';
import type { Waiting } from './inbox.ts';

export function ConsentView({ item, page }: { item: Waiting; page: React.RefObject<PageHandle | null> }) {
  const { call, about, title } = item;
  const ends = useEnds(call, about.behind);
  return (
    <Page
      handle={page}
      title={title}
      sub={
        <>
          Asked for <code>{drawn(call.ticket)}</code>, <Time at={call.created_at} ago />; safe to leave
        </>
      }
    >
      <div className={styles.card}>
        <CallFacts call={call} about={about} />
        <Foreign
          as="p"
          text={call.asks ?? 'This call changes something at its server: it runs only when a person says so.'}
          className={styles.plain}
        />
        {ends !== null && (
          <Foreign as="p" text={`${ends.words}.`} className={cx(styles.plain, ends.over && styles.over)} />
        )}
        <footer className={styles.foot}>
          <Button look="primary" command="inbox.ticket">
            Decide in its ticket
          </Button>
          {ends?.over && <LookUpAgain call={call} look="plain" />}
          <p className={styles.small}>Running, declining or editing it is asked where its calls and draft stand.</p>
        </footer>
      </div>
    </Page>
  );
}
