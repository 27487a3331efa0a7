// One model: got and paused, used, measured on this machine, deleted.
import { useState } from 'react';
import type { ModelRow } from '../../shared/models.ts';
import { Failure } from '../../shared/failures.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark, type MarkKind } from '../parts/Mark.tsx';
import { Facts, Notice, Page, Section, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { desk, useMay } from '../session.ts';
import { ModelSettings } from './ModelSettings.tsx';
import styles from './Models.module.css';
import { Progress } from './Progress.tsx';

interface Props {
  row: ModelRow;
  /** No model is on this disk: staff may get the starter. */
  none: boolean;
  changed: () => void;
  page: React.RefObject<PageHandle | null>;
}

export function ModelView({ row, none, changed, page }: Props) {
  const { name, present, in_use, getting, part, problem } = row;
  const { busy, failed, run } = useDoing();
  const [measuring, setMeasuring] = useState(false);
  const admin = useMay('admin');
  const staff = useMay('staff');
  const mayGet = admin || (staff && none && row.role === 'starter');
  const toGet = !present && getting === null && row.role !== 'added';
  async function use(): Promise<void> {
    if ((await run(() => desk.ask('models.use', { name }))) === undefined) return;
    announce(`${name} is in use from now on.`);
    changed();
  }
  async function measure(): Promise<void> {
    setMeasuring(true);
    const figures = await run(() => desk.ask('models.bench', { name }, { deadline: null }));
    setMeasuring(false);
    if (figures !== undefined) announce(`It reads ${figures.read_tokens_per_second} tokens a second.`);
    changed();
  }
  /** How it went is in the list of models too; here only what was refused before it began. */
  async function get(): Promise<void> {
    const got = desk.ask('models.get', { name }, { deadline: null });
    got.then(
      () => announce(`${name} is here and its checksum is right.`),
      () => announce(`${name} is not here.`),
    );
    await run(async () => {
      const refused = await got.then(
        () => null,
        (error: unknown) => error,
      );
      if (refused instanceof Failure && refused.code.startsWith('people.')) throw refused;
    });
    changed();
  }
  async function pause(): Promise<void> {
    await desk.ask('models.pause', { name }, { deadline: null });
    announce('Paused. What was got is kept.');
    changed();
  }
  useCommand('models.get', () => void get(), mayGet && toGet);
  useCommand('models.pause', () => void pause(), staff && getting !== null);
  useCommand('models.use', () => void use(), admin && present && !in_use && !busy);
  useCommand('models.bench', () => void measure(), staff && present && !busy);
  return (
    <Page
      handle={page}
      title={row.title ?? name}
      sub={<Mark kind={markOf(row)}>{standing(row)}</Mark>}
      actions={
        <span className={styles.actions}>
          {toGet && mayGet && (
            <Button look="primary" command="models.get">
              {part > 0 ? 'Go on' : problem === null ? 'Get it' : 'Try again'}
            </Button>
          )}
          {getting !== null && staff && <Button command="models.pause">Pause</Button>}
          {present && !in_use && admin && (
            <Button look="primary" command="models.use">
              Use it
            </Button>
          )}
          {present && staff && <Button command="models.bench">{measuring ? 'Measuring…' : 'Measure'}</Button>}
        </span>
      }
    >
      {(getting !== null || (part > 0 && !present)) && <Progress row={row} />}
      {problem !== null && getting === null && !present && (
        <Notice title="It did not come" look="danger">
          <Foreign text={problem} />
          <p>
            Nothing of it is used.{' '}
            {none ? 'Tickets are left to people until a model is here.' : 'Nothing else is held up.'}
          </p>
        </Notice>
      )}
      {failed !== null && (
        <Notice title="Not done" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
      {toGet && !mayGet && <Notice title="An admin gets it">Which models there are is decided by an admin.</Notice>}
      {row.scored !== null && (
        <Notice title="Measured" look="plain">
          <Foreign text={row.scored} />
        </Notice>
      )}
      <Facts
        rows={[
          ['Name', <code key="name">{drawn(name)}</code>],
          ['File', <Foreign key="file" as="code" text={row.file} />],
          ['Size', bytesWords(row.size)],
          ['Checksum', <Checksum key="sum" row={row} />],
          ['Licence', row.licence ?? 'not known: a file of yours'],
          [
            'Sees at once',
            row.context === null ? 'as the file says' : `at most ${row.context.toLocaleString('en-GB')} tokens`,
          ],
        ]}
      />
      {present && <OnThisMachine row={row} measuring={measuring} />}
      {in_use && present && <ModelSettings />}
      {present && !in_use && !admin && <p className={styles.faint}>An admin chooses which model is in use.</p>}
      {admin && (present || part > 0) && getting === null && <Delete row={row} changed={changed} />}
    </Page>
  );
}

function markOf({ in_use, present, problem, getting }: ModelRow): MarkKind {
  if (getting !== null) return 'work';
  if (problem !== null && !present) return 'danger';
  return in_use && present ? 'ready' : 'none';
}
function standing({ in_use, present, getting, part, problem }: ModelRow): string {
  if (in_use && present) return 'in use';
  if (present) return 'on this disk, not in use';
  if (getting !== null) return 'on its way to this disk';
  if (problem !== null) return 'could not be got';
  return part > 0 ? 'paused on its way to this disk' : 'not on this disk';
}

function Checksum({ row: { present, sum, role } }: { row: ModelRow }) {
  if (sum === null)
    return present ? 'not taken yet: it is when the model is first loaded' : 'taken when it is here, before it is used';
  const short = <code>{sum.sha256.slice(0, 16)}…</code>;
  if (sum.expected === true) return <>right: {short}, as the catalogue has it</>;
  return sum.expected === false ? (
    <>wrong: {short} is not what the catalogue has. It is not loaded.</>
  ) : (
    <>
      {short}
      {role === 'added' && ', of a file of yours: nothing to hold it against'}
    </>
  );
}

function OnThisMachine({ row: { memory, loaded, bench }, measuring }: { row: ModelRow; measuring: boolean }) {
  const threads =
    bench?.threads === 0 ? 'all cores' : bench?.threads === 1 ? 'one thread' : `${bench?.threads ?? 0} threads`;
  return (
    <Section title="On this machine">
      <Facts
        rows={[
          ['Memory', memoryWords(memory, loaded, bench?.memory ?? null)],
          ...(bench === null
            ? []
            : ([
                ['Loads in', `${(bench.load_ms / 1_000).toFixed(1)} s`],
                ['Reads', `${bench.read_tokens_per_second} tokens a second`],
                ['Writes', `${bench.write_tokens_per_second} tokens a second`],
                [
                  'Measured',
                  <span key="at">
                    <Time at={bench.at} />, with {bench.context.toLocaleString('en-GB')} tokens and {threads}
                  </span>,
                ],
              ] satisfies [string, React.ReactNode][])),
        ]}
      />
      {(bench === null || measuring) && (
        <p className={styles.faint}>
          {measuring
            ? 'Loading and measuring it. A ticket that is being worked is finished first.'
            : 'Not measured here yet. Measuring takes some seconds; tickets wait meanwhile.'}
        </p>
      )}
    </Section>
  );
}

function memoryWords(reckoned: number | null, loaded: ModelRow['loaded'], measured: number | null): string {
  const about = reckoned === null ? 'not known before it is loaded' : `about ${bytesWords(reckoned)} once loaded`;
  if (loaded?.memory != null) return `${bytesWords(loaded.memory)} now: it is loaded`;
  if (loaded !== null) return `${about}; it is loaded`;
  return measured === null ? `${about}, reckoned from its file` : `${bytesWords(measured)} when it was measured`;
}

function Delete({ row: { name, role, size, present, part, in_use }, changed }: { row: ModelRow; changed: () => void }) {
  const [asking, setAsking] = useState(false);
  const { busy, failed, run } = useDoing();
  const own = role === 'added';
  const verb = own ? 'Forget' : 'Delete';
  const what = own
    ? 'The file stays where it is; the desk only forgets it.'
    : `${bytesWords(present ? size : part)} of this disk are free then. It can be got again.`;
  async function remove(): Promise<void> {
    if ((await run(() => desk.ask('models.delete', { name }, { deadline: null }))) === undefined) return;
    setAsking(false);
    announce(own ? `${name} is forgotten.` : `${name} is deleted.`);
    changed();
  }
  return (
    <Section title={own ? 'Forget it' : 'Delete it'}>
      <p className={styles.actions}>
        {asking ? (
          <>
            <Button look="money" disabled={busy} onPress={() => void remove()}>
              {verb} {drawn(name)}
            </Button>
            <Button onPress={() => setAsking(false)}>Keep it</Button>
          </>
        ) : (
          <Button onPress={() => setAsking(true)}>{verb}…</Button>
        )}
        <span className={styles.faint}>
          {what}
          {in_use && present && ' It is the one in use: without another, tickets are left to people.'}
        </span>
      </p>
      {failed !== null && (
        <Notice title="Not done" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
    </Section>
  );
}
