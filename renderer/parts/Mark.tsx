// A state as shape and word, never colour alone: ● ready, ■ asks you, ◆ to check, ○ nothing yet, ◔ working.
import { cx } from '../classes.ts';
import styles from './Mark.module.css';

export type MarkKind = 'ready' | 'asks' | 'look' | 'none' | 'work' | 'danger';

export function Mark({ kind, children, className }: { kind: MarkKind; children: React.ReactNode; className?: string }) {
  return <span className={cx(styles.mark, styles[kind], className)}>{children}</span>;
}
