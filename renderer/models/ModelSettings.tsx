// How models are loaded, each choice with what it does on this machine. In force from the next time one is loaded; an admin's.
import { useState } from 'react';
import { Label, RadioGroup } from 'react-aria-components';
import type { ModelLimits, ModelSettings as Chosen } from '../../shared/models.ts';
import { useAsked, useDoing } from '../asked.ts';
import { cx } from '../classes.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Facts, Notice, Section } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import fields from '../questions/FormFields.module.css';
import { desk, useMay } from '../session.ts';
import styles from './Models.module.css';

const sizes = [4_096, 8_192, 16_384, 32_768];
const oneAtATime =
  '1: this desk works one ticket at a time. Two at once were measured to be no faster on a processor alone.';

export function ModelSettings() {
  const limits = useAsked('models.limits', {}, { follow: ['models'] });
  const admin = useMay('admin');
  if (limits.value === undefined)
    return (
      <Section title="How it is loaded">
        {limits.failed === null ? (
          <Loading what="what can be chosen" />
        ) : (
          <Failed what="What can be chosen is not known." why={limits.failed} again={limits.again} />
        )}
      </Section>
    );
  const { value } = limits;
  return (
    <Section title="How it is loaded" note="the same for every model">
      {admin ? (
        <Choices key={JSON.stringify(value.settings)} limits={value} />
      ) : (
        <>
          <Facts
            rows={[
              ['Context', contextWords(value.settings.context, value)],
              ['Threads', threadWords(value.settings.threads, value)],
              ['Drafts at once', oneAtATime],
            ]}
          />
          <p className={styles.faint}>An admin changes these.</p>
        </>
      )}
    </Section>
  );
}

function Choices({ limits }: { limits: ModelLimits }) {
  const { settings, threads } = limits;
  const [chosen, setChosen] = useState<Chosen>(settings);
  const { busy, failed, run } = useDoing();
  const most = limits.context ?? settings.context;
  const offered = [...new Set([...sizes.filter((size) => size <= most), settings.context])].sort((a, b) => a - b);
  const counts = [...new Set([0, Math.ceil(threads / 2), 1, settings.threads])].filter(
    (n) => n < threads || n === settings.threads,
  );
  const same = chosen.context === settings.context && chosen.threads === settings.threads;
  async function save(): Promise<void> {
    if ((await run(() => desk.ask('models.set', chosen))) === undefined) return;
    announce('Kept. The next ticket that is drafted has its model loaded so.');
  }
  return (
    <>
      <RadioGroup
        className={fields.group ?? ''}
        value={String(chosen.context)}
        onChange={(value) => setChosen((old) => ({ ...old, context: Number(value) }))}
      >
        <Label className={fields.label ?? ''}>Context: how much it sees at once</Label>
        {offered.map((size) => (
          <OneOf key={size} value={String(size)}>
            {contextWords(size, limits)}
          </OneOf>
        ))}
      </RadioGroup>
      <RadioGroup
        className={fields.group ?? ''}
        value={String(chosen.threads)}
        onChange={(value) => setChosen((old) => ({ ...old, threads: Number(value) }))}
      >
        <Label className={fields.label ?? ''}>Threads: how much of the processor it takes</Label>
        {counts.map((count) => (
          <OneOf key={count} value={String(count)}>
            {threadWords(count, limits)}
          </OneOf>
        ))}
      </RadioGroup>
      <Facts rows={[['Drafts at once', oneAtATime]]} />
      {failed !== null && (
        <Notice title="Not changed" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      <p className={cx(styles.actions, styles.save)}>
        <Button disabled={same || busy} onPress={() => void save()}>
          Keep this
        </Button>
        <span className={styles.faint}>
          {same ? 'In force.' : 'Then in force from the next ticket that is drafted: its model is loaded anew.'}
        </span>
      </p>
    </>
  );
}

function contextWords(size: number, { token_bytes }: ModelLimits): string {
  const memory = token_bytes === null ? '' : `, about ${bytesWords(size * token_bytes)} of memory`;
  return `${size.toLocaleString('en-GB')} tokens${memory}: ${roomWords(size)}`;
}
function roomWords(size: number): string {
  if (size < 8_192) return 'a ticket with several look-ups may not fit, and is then left to a person';
  return size === 8_192 ? 'room for a ticket with all the look-ups the desk allows' : 'more than the desk fills today';
}
function threadWords(count: number, { threads }: ModelLimits): string {
  if (count === 0)
    return `one for each processor core (${threads} ${threads === 1 ? 'thread' : 'threads'} on this machine): the fastest drafts`;
  return `${count}: slower drafts, the rest of the machine stays free`;
}
