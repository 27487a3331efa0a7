// The two live regions: off screen, always there, so that readers have found them before anything is said.
import { useTold } from './announce.ts';
import styles from './Live.module.css';

export function Live() {
  const { polite, urgent } = useTold();
  return (
    <div className={styles.hidden}>
      <div role="status">{polite}</div>
      <div role="alert">{urgent}</div>
    </div>
  );
}
