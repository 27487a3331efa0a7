// How far a file is on its way in, in tickets, with a stop that keeps what is in.
import { useEffect, useState } from 'react';
import type { ImportNews } from '../../shared/imports.ts';
import { Button } from '../parts/Button.tsx';
import { desk } from '../session.ts';
import { watch } from '../tickets/drafting.ts';
import styles from './Imports.module.css';

export type Stage = 'reading' | 'bringing';

export function Progress({ stage }: { stage: Stage }) {
  const [news, setNews] = useState<ImportNews | null>(null);
  const [stopping, setStopping] = useState(false);
  useEffect(
    () =>
      desk.follow('imports', {
        list: () => undefined,
        change: (event) => {
          if (event.id === watch && 'entity' in event) setNews(event.entity);
        },
      }),
    [],
  );
  const far = news === null ? null : `${news.done.toLocaleString('en')} of ${news.of.toLocaleString('en')}`;
  return (
    <>
      <span role="status" className={styles.progress}>
        {stage === 'reading'
          ? far === null
            ? 'Reading the file…'
            : `Comparing with what is here: ${far}`
          : `Bringing in${far === null ? '…' : `: ${far}`}`}
      </span>
      {stage === 'bringing' && (
        <Button
          disabled={stopping}
          onPress={() => {
            setStopping(true);
            void desk.ask('imports.stop', { watch });
          }}
        >
          {stopping ? 'Stopping…' : 'Stop, keep what is in'}
        </Button>
      )}
    </>
  );
}
