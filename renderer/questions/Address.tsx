// An address a server wants visited: all of it, the name that somebody registered in bold, what may mislead in words. Going
// there is a step of its own, and nothing is fetched before.
import { useState } from 'react';
import { reason } from '../../shared/failures.ts';
import type { UrlForm } from '../../shared/forms.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Notice } from '../parts/Page.tsx';
import { desk } from '../session.ts';
import styles from './Card.module.css';

interface Props {
  id: string;
  form: UrlForm;
  /** What opens it by its ID. */
  route?: 'questions.visit' | 'apps.visit';
  /** Nobody else's page is opened. */
  others?: boolean;
}

export function Address({
  id,
  form: { url, host, spelled, domain, warnings },
  route = 'questions.visit',
  others = false,
}: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  // The host lets no user name through, so the name of the site comes right after the slashes.
  const end = url.indexOf('://') + 3 + spelled.length;
  return (
    <>
      <div className={styles.address} dir="ltr" role="group" aria-label="Address">
        {url.slice(0, end - domain.length)}
        <b>{domain}</b>
        {url.slice(end)}
      </div>
      <p>
        It leads to <Foreign as="b" text={host} />
        {spelled !== host && (
          <>
            , really spelled <code>{spelled}</code>
          </>
        )}
        .
      </p>
      {warnings.length > 0 && (
        <Notice title="Look closely" look="danger">
          {warnings.map((words) => (
            <p key={words}>{drawn(words)}</p>
          ))}
        </Notice>
      )}
      {!others && (
        <p className={styles.step}>
          <Button
            onPress={() =>
              void visit(route, id).then(
                () => setGone(true),
                (error: unknown) => setFailed(reason(error)),
              )
            }
          >
            Open in browser
          </Button>
          {failed !== null && <Foreign as="span" text={failed} className={styles.wrong} />}
          <span className={styles.small} role="status">
            {gone ? 'It was opened outside the desk. ' : 'Opens outside the desk. '}
            The server is told nothing by that.
          </span>
        </p>
      )}
    </>
  );
}

/** The window opens it itself; in a browser that is the page's part. */
async function visit(route: 'questions.visit' | 'apps.visit', id: string): Promise<void> {
  const { url, opened } = await desk.ask(route, { id });
  if (!opened) window.open(url, '_blank', 'noopener,noreferrer');
}
