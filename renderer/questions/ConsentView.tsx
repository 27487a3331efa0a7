// A call that waits for consent, as the inbox shows it: it is answered at its place in the ticket, where what led to it stands.
import type { Call } from '../../shared/calls.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Page, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { CallFacts } from './CallFacts.tsx';
import { toolWords } from './callWords.ts';
import styles from './Card.module.css';

export function ConsentView({ call, page }: { call: Call; page: React.RefObject<PageHandle | null> }) {
  return (
    <Page
      handle={page}
      title={`Run ${toolWords(call)}?`}
      sub={
        <>
          <code>{drawn(call.tool)}</code> for <code>{drawn(call.ticket)}</code>, asked <Time at={call.created_at} ago />
          ; safe to leave
        </>
      }
    >
      <div className={styles.card}>
        <Foreign
          as="p"
          text={call.asks ?? 'This call has side effects: it runs only when a person says so.'}
          className={styles.message}
        />
        <div className={styles.facts}>
          <CallFacts call={call} />
        </div>
        <footer className={styles.foot}>
          <Button look="primary" command="inbox.ticket">
            Decide in its ticket
          </Button>
          <p className={styles.small}>Running, declining or editing it is asked where its calls and draft stand.</p>
        </footer>
      </div>
    </Page>
  );
}
