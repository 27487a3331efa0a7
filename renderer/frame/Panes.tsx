// Panes side by side with borders that move by mouse and arrow keys. Below 1,200 px the last of three becomes a tab over the
// middle one. Widths are the person's own and are kept.
import { useState } from 'react';
import { cx } from '../classes.ts';
import { Divider } from './Divider.tsx';
import styles from './Panes.module.css';
import { useNarrow, useSide } from './side.ts';

interface Props {
  /** Names the widths that are kept. */
  name: string;
  list: React.ReactNode;
  main: React.ReactNode;
  /** The pane that goes behind a tab on a narrow screen. */
  side?: React.ReactNode;
  /** What the side pane is called, for a screen reader. */
  sideWords?: string;
  mainWords: string;
  listWords: string;
  /** First width of the list. */
  listWidth?: number;
}

export function Panes({ name, list, main, side, sideWords, mainWords, listWords, listWidth = 348 }: Props) {
  const narrow = useNarrow();
  const shown = useSide((state) => state.shown);
  const [left, setLeft] = useWidth(`${name}.list`, listWidth);
  const [right, setRight] = useWidth(`${name}.side`, 392);
  const tabbed = narrow && side !== undefined;
  const onSide = tabbed && shown;
  return (
    <div className={styles.panes}>
      <section className={styles.pane} style={{ width: narrow ? Math.min(left, 300) : left }} aria-label={listWords}>
        {list}
      </section>
      <Divider words={`Width of ${listWords}`} width={left} from={260} to={520} onWidth={setLeft} />
      <section className={cx(styles.pane, styles.main)} aria-label={mainWords} hidden={onSide}>
        {main}
      </section>
      {side !== undefined && !narrow && (
        <Divider
          words={`Width of ${sideWords ?? 'details'}`}
          width={right}
          from={320}
          to={560}
          onWidth={setRight}
          left
        />
      )}
      {side !== undefined && (!narrow || onSide) && (
        <aside
          className={cx(styles.pane, onSide && styles.main)}
          style={onSide ? undefined : { width: right }}
          aria-label={sideWords}
        >
          {side}
        </aside>
      )}
    </div>
  );
}

function useWidth(name: string, first: number): [number, (width: number) => void] {
  const key = `desk.width.${name}`;
  const [width, setWidth] = useState(() => Number(localStorage.getItem(key)) || first);
  return [
    width,
    (next) => {
      setWidth(next);
      localStorage.setItem(key, String(next));
    },
  ];
}
