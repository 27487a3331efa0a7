// A call of which nobody knows what it did: the desk or the server ended in the middle. A person looks it up and says.
import { useState } from 'react';
import { Label, RadioGroup } from 'react-aria-components';
import type { ValueOf } from '../../shared/contract.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { desk } from '../session.ts';
import { CallFacts } from './CallFacts.tsx';
import styles from './Card.module.css';
import fields from './FormFields.module.css';
import type { Waiting } from './inbox.ts';
import { fillIn, forget, useFilled } from './typed.ts';

export function UnknownView({ item, page }: { item: Waiting; page: React.RefObject<PageHandle | null> }) {
  const { call, about, title } = item;
  const { happened = null, why = '' } = useFilled(call.id);
  const [done, setDone] = useState<ValueOf<'calls.settle'> | null>(null);
  const { busy, failed, run } = useDoing();
  const ready = typeof happened === 'string' && typeof why === 'string' && why.trim() !== '' && !busy;
  async function settle(): Promise<void> {
    if (!ready) return;
    const said = { id: call.id, happened: happened === 'happened', why: why.trim() };
    const value = await run(() => desk.ask('calls.settle', said, { deadline: null }));
    if (value === undefined) return;
    setDone(value);
    forget(call.id);
    announce('Kept.');
  }
  useCommand('questions.accept', () => void settle(), ready);
  return (
    <Page
      handle={page}
      title={title}
      sub={
        <>
          Sent to <b>{drawn(call.prefix)}</b>
          {call.ticket !== '' && (
            <>
              {' '}
              for <code>{drawn(call.ticket)}</code>
            </>
          )}
          , <Time at={call.created_at} ago />
        </>
      }
    >
      {done !== null ? (
        <Notice title="Kept" look="plain">
          <Foreign text={done.run === null ? (done.call.detail ?? done.call.state) : done.run.why} />
        </Notice>
      ) : (
        <div className={styles.card}>
          <CallFacts call={call} about={about} />
          <div className={styles.asks}>
            <p className={styles.message}>
              It was sent and no answer came back: it may have happened. Look it up in <b>{drawn(call.prefix)}</b>{' '}
              itself, then say here what you found. It is never sent again by itself.
            </p>
            {call.detail !== null && <Foreign as="p" text={call.detail} className={styles.small} />}
          </div>
          <div className={styles.body}>
            <RadioGroup
              className={fields.group ?? ''}
              value={typeof happened === 'string' ? happened : null}
              onChange={(value) => fillIn(call.id, 'happened', value)}
            >
              <Label className={fields.label ?? ''}>What you found</Label>
              <OneOf value="happened">It happened</OneOf>
              <OneOf value="did not">It did not happen</OneOf>
            </RadioGroup>
            <Field
              label="Because…"
              help="How you know. Kept in the log with your name."
              value={typeof why === 'string' ? why : ''}
              onChange={(value) => fillIn(call.id, 'why', value)}
              required
              lines={2}
            />
          </div>
          <footer className={styles.foot}>
            <Button look="primary" command="questions.accept" disabled={!ready}>
              {busy ? 'Keeping…' : 'Keep what I found'}
            </Button>
            <p className={styles.small}>The ticket goes on with what you say.</p>
            {failed !== null && <Foreign as="p" text={failed.message} className={styles.wrong} />}
          </footer>
        </div>
      )}
    </Page>
  );
}
