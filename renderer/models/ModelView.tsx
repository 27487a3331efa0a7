// One model: got, used, measured on this machine.
import { useState } from 'react';
import { Label, ProgressBar } from 'react-aria-components';
import type { Bench } from '../../shared/contract.ts';
import type { ModelRow } from '../../shared/models.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { Facts, Notice, Page, Section, type PageHandle } from '../parts/Page.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import servers from '../servers/Servers.module.css';
import { desk, useMay } from '../session.ts';
import { getModel, useDownloads } from './downloads.ts';
import styles from './Models.module.css';

interface Props {
  row: ModelRow;
  changed: () => void;
  page: React.RefObject<PageHandle | null>;
}

export function ModelView({ row, changed, page }: Props) {
  const { name, present, in_use } = row;
  const { busy, failed, run } = useDoing();
  const [bench, setBench] = useState<Bench | null>(null);
  const download = useDownloads((all) => all[name]);
  const getting = download?.failed === null;
  const staff = useMay('staff');
  async function use(): Promise<void> {
    if ((await run(() => desk.ask('models.use', { name }))) === undefined) return;
    announce(`${name} is in use from now on.`);
    changed();
  }
  async function measure(): Promise<void> {
    const figures = await run(() => desk.ask('models.bench', { name }, { deadline: null }));
    if (figures === undefined) return;
    setBench(figures);
    announce(`It reads ${figures.read_tokens_per_second} tokens a second.`);
  }
  const fetchIt = () => void getModel(name, row.size).then(changed);
  useCommand('models.get', fetchIt, staff && !present && !getting && row.role !== 'added');
  useCommand('models.use', () => void use(), staff && present && !in_use && !busy);
  useCommand('models.bench', () => void measure(), present && !busy);
  return (
    <Page
      handle={page}
      title={row.title ?? name}
      sub={<Mark kind={in_use && present ? 'ready' : 'none'}>{standing(row)}</Mark>}
      actions={
        <span className={servers.actions}>
          {!present && row.role !== 'added' && (
            <Button look="primary" command="models.get">
              {download?.failed == null ? 'Get it' : 'Go on'}
            </Button>
          )}
          {present && !in_use && (
            <Button look="primary" command="models.use">
              Use it
            </Button>
          )}
          {present && <Button command="models.bench">{busy ? 'Measuring…' : 'Measure'}</Button>}
        </span>
      }
    >
      {download !== undefined && <Progress name={name} />}
      {failed !== null && (
        <Notice title="Not done" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
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
          ['Licence', row.licence ?? 'not known: a file of yours'],
          ['Context', row.context === null ? 'as the file says' : `${row.context.toLocaleString('en-GB')} tokens`],
        ]}
      />
      {present && (
        <Section title="On this machine">
          {bench === null ? (
            <p className={servers.faint}>
              {busy
                ? 'Loading and measuring it. A ticket that is being worked is finished first.'
                : 'Not measured since this page opened. Measuring takes some seconds; tickets wait meanwhile.'}
            </p>
          ) : (
            <Facts
              rows={[
                ['Loads in', `${(bench.load_ms / 1_000).toFixed(1)} s`],
                ['Reads', `${bench.read_tokens_per_second} tokens a second`],
                ['Writes', `${bench.write_tokens_per_second} tokens a second`],
              ]}
            />
          )}
        </Section>
      )}
    </Page>
  );
}

function standing({ in_use, present }: ModelRow): string {
  if (in_use && present) return 'in use';
  return present ? 'on this disk' : 'not on this disk: without a model tickets are left to people';
}

function Progress({ name }: { name: string }) {
  const download = useDownloads((all) => all[name]);
  if (download === undefined) return null;
  const { bytes, total, source, from, since, failed, stop } = download;
  const perSecond = (bytes - from) / Math.max(1, (performance.now() - since) / 1_000);
  const left = perSecond > 0 ? Math.ceil((total - bytes) / perSecond) : null;
  return (
    <>
      <ProgressBar className={styles.progress ?? ''} value={bytes} maxValue={total}>
        {({ percentage = 0 }) => (
          <>
            <span className={styles.words}>
              <Label>{failed === null ? `Getting it${sourceWords(source)}` : 'Stopped'}</Label>
              <span>
                {bytesWords(bytes)} of {bytesWords(total)}
                {failed === null && left !== null && `, about ${timeWords(left)} left`}
              </span>
            </span>
            <span className={styles.track}>
              <span className={styles.bar} style={{ width: `${percentage}%` }} />
            </span>
          </>
        )}
      </ProgressBar>
      {stop !== null && failed === null && <Button onPress={() => stop.abort()}>Pause</Button>}
      {failed !== null && (
        <p className={styles.failed}>
          <Foreign text={failed} />
        </p>
      )}
    </>
  );
}

function sourceWords(source: string): string {
  if (source === '') return '';
  return source === 'packages' ? ' from packages of the registry' : ` from ${hostOf(source)}`;
}
function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}
function timeWords(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
