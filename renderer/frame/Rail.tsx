// The rail: screens with what waits there, and the person at the desk.
import { Button } from 'react-aria-components';
import { cx } from '../classes.ts';
import { Hidden } from '../parts/Hidden.tsx';
import { go, usePlace, type ScreenId } from '../place.ts';
import { Me } from '../people/Me.tsx';
import styles from './Rail.module.css';
import { screens } from './screens.tsx';

export function Rail() {
  return (
    <nav className={styles.rail} aria-label="Screens">
      {/* Keys of the record are exactly the screens. */}
      {(Object.keys(screens) as ScreenId[]).map((id) => (
        <Entry key={id} id={id} />
      ))}
      <Me />
    </nav>
  );
}

function Entry({ id }: { id: ScreenId }) {
  const on = usePlace((place) => place.screen === id);
  const { words, icon, useWaiting } = screens[id];
  const waiting = useWaiting();
  return (
    <Button
      className={cx(styles.entry, on && styles.on)}
      onPress={() => go(id)}
      {...(on ? { 'aria-current': 'page' } : {})}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={icon} />
      </svg>
      {words}
      {waiting > 0 && (
        <span className={styles.count}>
          {waiting > 99 ? '99+' : waiting}
          <Hidden> waiting</Hidden>
        </span>
      )}
    </Button>
  );
}
