// A download in figures: how much, how fast, how long still; or how much is kept of one that stands.
import { Label, ProgressBar } from 'react-aria-components';
import type { ModelRow } from '../../shared/models.ts';
import { MeterLine, MeterWords } from '../parts/Meter.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { percentOf, speedOf, useDownloads } from './downloads.ts';
import styles from './Models.module.css';

export function Progress({ row }: { row: ModelRow }) {
  const live = useDownloads((all) => all[row.name]);
  const { bytes, total } = live ?? row.getting ?? { bytes: row.part, total: row.size };
  const speed = live === undefined ? null : speedOf(live);
  const left = speed === null ? null : Math.ceil((total - bytes) / speed);
  return (
    <ProgressBar className={styles.progress ?? ''} value={bytes} maxValue={total}>
      {({ percentage = 0 }) => (
        <>
          <MeterWords>
            <Label>{row.getting === null ? 'Paused' : `Getting it${sourceWords(live?.source ?? '')}`}</Label>
            <span>
              {percentOf({ bytes, total })} %, {bytesWords(bytes)} of {bytesWords(total)}
            </span>
          </MeterWords>
          <MeterLine percent={percentage} />
          <MeterWords>
            <span>
              {row.getting === null
                ? 'What was got is kept; getting it goes on from there.'
                : total === bytes
                  ? 'All of it is here; its checksum is taken.'
                  : speed === null
                    ? 'Its checksum is taken before anything uses it.'
                    : `${bytesWords(speed)} a second, about ${timeWords(left ?? 0)} left`}
            </span>
          </MeterWords>
        </>
      )}
    </ProgressBar>
  );
}

function sourceWords(source: string): string {
  if (source === '') return '';
  if (source === 'packages') return ' from packages of the registry';
  return ` from ${URL.canParse(source) ? new URL(source).host : source}`;
}
function timeWords(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
