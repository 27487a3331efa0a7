// Words for a screen reader only.
import styles from './Live.module.css';

export function Hidden({ children }: { children: React.ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
