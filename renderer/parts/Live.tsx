// The two live regions: off screen, always there, so that readers have found them before anything is said.
import { useTold } from './announce.ts';
import { spelled } from './Foreign.tsx';
import styles from './Live.module.css';

export function Live() {
  const { polite, urgent } = useTold();
  return (
    <div className={styles.hidden}>
      <div role="status">{spelled(polite)}</div>
      <div role="alert">{spelled(urgent)}</div>
    </div>
  );
}
