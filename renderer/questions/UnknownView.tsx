// A call of which nobody knows what it did: the desk or the server ended in the middle. A person looks it up and says.
import { useState } from 'react';
import { Label, RadioGroup } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
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
import { toolWords } from './callWords.ts';
import styles from './Card.module.css';
import fields from './FormFields.module.css';

export function UnknownView({ call, page }: { call: Call; page: React.RefObject<PageHandle | null> }) {
  const [happened, setHappened] = useState<string | null>(null);
  const [why, setWhy] = useState('');
  const [done, setDone] = useState<ValueOf<'calls.settle'> | null>(null);
  const { busy, failed, run } = useDoing();
  const ready = happened !== null && why.trim() !== '' && !busy;
  async function settle(): Promise<void> {
    if (!ready) return;
    const said = { id: call.id, happened: happened === 'happened', why: why.trim() };
    const value = await run(() => desk.ask('calls.settle', said, { deadline: null }));
    if (value === undefined) return;
    setDone(value);
    announce('Kept.');
  }
  useCommand('questions.accept', () => void settle(), ready);
  return (
    <Page
      handle={page}
      title={`What did ${toolWords(call)} do?`}
      sub={
        <>
          <code>{drawn(call.tool)}</code> for <code>{drawn(call.ticket)}</code>, sent <Time at={call.created_at} ago />
        </>
      }
    >
      {done !== null ? (
        <Notice title="Kept" look="plain">
          <Foreign text={done.run === null ? (done.call.detail ?? done.call.state) : done.run.why} />
        </Notice>
      ) : (
        <div className={styles.card}>
          <p className={styles.message}>
            It was sent and no answer came back: it may have happened. Look it up in <b>{drawn(call.prefix)}</b> itself,
            then say here what you found. It is never sent again by itself.
          </p>
          <div className={styles.facts}>
            {call.detail !== null && <Foreign as="p" text={call.detail} className={styles.small} />}
            <CallFacts call={call} />
          </div>
          <div className={styles.body}>
            <RadioGroup className={fields.group ?? ''} value={happened} onChange={setHappened}>
              <Label className={fields.label ?? ''}>What you found</Label>
              <OneOf value="happened">It happened</OneOf>
              <OneOf value="did not">It did not happen</OneOf>
            </RadioGroup>
            <Field
              label="Because…"
              help="How you know. Kept in the log with your name."
              value={why}
              onChange={setWhy}
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
