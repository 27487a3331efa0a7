// What a pane shows of one thing: a head that takes the focus when the thing is opened, and its content below.
import { useImperativeHandle, useRef } from 'react';
import { cx } from '../classes.ts';
import { Foreign, spelled } from './Foreign.tsx';
import styles from './Page.module.css';

/** Brings the keyboard to the head of what is open. */
export interface PageHandle {
  focus: () => void;
}
interface Props {
  /** May be foreign text. */
  title: string;
  sub?: React.ReactNode;
  actions?: React.ReactNode;
  children: React.ReactNode;
  handle?: React.RefObject<PageHandle | null>;
}

export function Page({ title, sub, actions, children, handle }: Props) {
  const head = useRef<HTMLDivElement>(null);
  useImperativeHandle(handle, () => ({ focus: () => head.current?.focus() }));
  return (
    <Scroll label={title}>
      <div className={styles.page}>
        <div className={styles.head} ref={head} tabIndex={-1}>
          <div className={styles.titles}>
            <Foreign as="h2" text={title} className={styles.title} />
            <div className={styles.sub}>{sub}</div>
          </div>
          {actions}
        </div>
        {children}
      </div>
    </Scroll>
  );
}

/** The scrolling part of a pane; reached with Tab, so that arrow keys scroll it. */
function Scroll({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.scroll} role="region" aria-label={spelled(label)} tabIndex={0}>
      {children}
    </div>
  );
}

export function Section({
  title,
  note,
  children,
}: {
  title: string;
  note?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <section className={styles.section}>
      <h3>
        {title}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Pairs of a word and what it stands for. */
export function Facts({ rows }: { rows: [string, React.ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Something to look at before going on. */
export function Notice({
  title,
  look = 'look',
  children,
}: {
  title: string;
  look?: 'look' | 'danger' | 'plain';
  children: React.ReactNode;
}) {
  return (
    <div className={`${styles.notice ?? ''} ${styles[look] ?? ''}`} role="note" aria-label={title}>
      <b>{title}</b>
      <div>{children}</div>
    </div>
  );
}

interface TableProps {
  label: string;
  head: string[];
  /** Columns of figures, which line up at their end: the last one, or all but the first. */
  figures?: 'last' | 'rest';
  children: React.ReactNode;
}

export function Table({ label, head, figures, children }: TableProps) {
  return (
    <div className={styles.tableBox} tabIndex={0} role="region" aria-label={label}>
      <table className={cx(styles.table, figures && styles[figures])} aria-label={label}>
        <thead>
          <tr>
            {head.map((words) => (
              <th key={words} scope="col">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
