// The line of a progress bar, filled so far, and the words over or under it: two that stand apart on one line.
import { cx } from '../classes.ts';
import styles from './Meter.module.css';

export function MeterLine({ percent }: { percent: number }) {
  return (
    <span className={styles.track}>
      <span className={styles.filled} style={{ width: `${percent}%` }} />
    </span>
  );
}

export function MeterWords({ className, children }: { className?: string | undefined; children: React.ReactNode }) {
  return <span className={cx(styles.words, className)}>{children}</span>;
}
