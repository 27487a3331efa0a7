// What a waiting call would send: each argument whole, where it came from, and the record behind it, so that a person sees
// the order and the amount where the call has only a handle.
import type { Call } from '../../shared/calls.ts';
import { isObject, textOf, type Json } from '../../shared/json.ts';
import { useAsked } from '../asked.ts';
import { cx } from '../classes.ts';
import { Foreign } from '../parts/Foreign.tsx';
import styles from './CallFacts.module.css';
import { originWords, titleOf, toolWords } from './callWords.ts';

export function CallFacts({ call }: { call: Call }) {
  const { value: earlier = [] } = useAsked('calls.list', call.run === '' ? null : { run: call.run });
  const names = Object.entries(call.arguments);
  const behind = new Set(names.flatMap(([name]) => call.origins[`/${name}`]?.call ?? []));
  return (
    <div className={styles.facts}>
      <dl>
        {names.map(([name, value]) => {
          const { words, look } = originWords(call.origins[`/${name}`]);
          return (
            <div key={name} className={styles.row}>
              <dt className={styles.name}>
                <Foreign as="code" text={name} />
              </dt>
              <dd className={styles.value}>
                <Foreign text={textOf(value)} className={styles.code} />
                <span className={cx(styles.origin, look && styles.look)}>from {words}</span>
              </dd>
            </div>
          );
        })}
      </dl>
      {earlier
        .filter(({ n }) => behind.has(n) && n !== call.n)
        .map((one) => (
          <Record key={one.id} call={one} shown={Object.values(call.arguments)} />
        ))}
    </div>
  );
}

/** The plain values of an earlier result. */
function Record({ call, shown }: { call: Call; shown: Json[] }) {
  const structured = call.structured ?? undefined;
  const record = isObject(structured) ? Object.entries(structured) : [];
  return (
    <div className={styles.record}>
      <p className={styles.of}>
        Call {call.n}, {toolWords(call)}
      </p>
      <dl>
        {record
          .filter(([, value]) => value !== null && typeof value !== 'object' && !shown.includes(value))
          .map(([name, value]) => (
            <div key={name} className={styles.row}>
              <dt className={styles.name}>
                <Foreign text={titleOf(name)} />
              </dt>
              <dd>
                <Foreign text={typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value)} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
