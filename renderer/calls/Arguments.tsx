// The arguments of a call as a table: name, value in full, where it came from.
import type { Call } from '../../shared/calls.ts';
import { textOf } from '../../shared/json.ts';
import { cx } from '../classes.ts';
import { Foreign, spelled } from '../parts/Foreign.tsx';
import { Whole } from '../parts/Whole.tsx';
import styles from './Calls.module.css';
import { originWords } from './words.ts';

export function Arguments({ call }: { call: Pick<Call, 'arguments' | 'origins'> }) {
  const entries = Object.entries(call.arguments);
  if (entries.length === 0) return <p className={styles.none}>No arguments</p>;
  return (
    <dl className={styles.args}>
      {entries.map(([name, value]) => {
        const origin = originWords(call.origins[`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`]);
        return (
          <div key={name}>
            <dt>
              <Foreign text={name} />
            </dt>
            <dd>
              <Whole text={textOf(value)} className={styles.value} />
              <span className={cx(styles.origin, origin.look && styles.doubt)} title={spelled(origin.title)}>
                {origin.words}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
