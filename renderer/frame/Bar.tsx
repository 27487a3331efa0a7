// The head of a pane: what it is, how many, what can be done.
import styles from './Bar.module.css';

export function Bar({
  title,
  count,
  children,
}: {
  title: React.ReactNode;
  count?: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <header className={styles.bar}>
      <h1>{title}</h1>
      {count !== undefined && <span className={styles.count}>{count}</span>}
      <span className={styles.grow} />
      {children}
    </header>
  );
}
