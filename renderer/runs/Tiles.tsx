// The figures a run is judged by, each with what it is more or less by than the run it is held against: as a number and a
// word, never by colour alone.
import type { Count } from '../../shared/report.ts';
import type { KindScores } from '../../shared/scores.ts';
import { cx } from '../classes.ts';
import styles from './Runs.module.css';
import { byWords } from './runWords.ts';

interface Tile {
  value: string;
  words: string;
  of: (scores: KindScores) => number | null;
  /** What more of it is. */
  more: 'better' | 'worse';
  /** Decimals of the difference. */
  digits: number;
}

/** `other` null: held against none. */
export function Tiles({ all, other }: { all: KindScores; other: KindScores | null }) {
  return (
    <dl className={styles.tiles}>
      {tilesOf(all).map(({ value, words, of, more, digits }) => {
        const [now, then] = [of(all), other === null ? null : of(other)];
        const by = now === null || then === null ? null : byWords(now - then, more, digits);
        return (
          <div key={words}>
            <dd>{value}</dd>
            <dt>
              {words}
              {by !== null && <span className={cx(styles.by, styles[by.is])}>{by.words}</span>}
            </dt>
          </div>
        );
      })}
    </dl>
  );
}

export function shareWords({ right, total }: Count): string {
  return total === 0 ? '–' : `${right}/${total}`;
}

function tilesOf(all: KindScores): Tile[] {
  const { seconds, tokens_per_call: tokens } = all;
  return [
    {
      value: shareWords(all.first_tool),
      words: 'right first tool',
      of: (scores) => (scores.first_tool.total === 0 ? null : scores.first_tool.right),
      more: 'better',
      digits: 0,
    },
    {
      value: shareWords(all.refunds_due_reached),
      words: 'refunds due reached',
      of: (scores) => (scores.refunds_due_reached.total === 0 ? null : scores.refunds_due_reached.right),
      more: 'better',
      digits: 0,
    },
    {
      value: String(all.unbacked_in_ready),
      words: 'unbacked in ready drafts',
      of: (scores) => scores.unbacked_in_ready,
      more: 'worse',
      digits: 0,
    },
    {
      value: seconds.median === null ? '–' : `${seconds.median.toFixed(1)} s`,
      words: 'median per ticket',
      of: (scores) => scores.seconds.median,
      more: 'worse',
      digits: 1,
    },
    {
      value: tokens.median === null ? '–' : String(Math.round(tokens.median)),
      words: 'new tokens per call',
      of: (scores) => scores.tokens_per_call.median,
      more: 'worse',
      digits: 0,
    },
  ];
}
