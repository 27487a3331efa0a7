// What came back, short: the plain fields of the record in a line, the field a claim rests on marked; else the first words.
import type { Call } from '../../shared/calls.ts';
import { isObject, textOf, type Json } from '../../shared/json.ts';
import { cx } from '../classes.ts';
import { Foreign } from '../parts/Foreign.tsx';
import styles from './Calls.module.css';
import { useHot } from './hot.ts';
import { stateWords } from './words.ts';

const mostWords = 320;

export function Result({ call }: { call: Call }) {
  const state = stateWords(call);
  const words = call.detail ?? call.text ?? '';
  if (state !== null)
    return (
      <div className={cx(styles.result, state.look && styles.look)}>
        {state.words}
        {call.state !== 'asking' && words !== '' && <Foreign as="p" text={cut(words)} />}
      </div>
    );
  return isObject(call.structured ?? undefined) ? (
    <Record n={call.n} value={call.structured} />
  ) : (
    <Foreign as="div" text={cut(call.text ?? '')} className={styles.result} />
  );
}

function Record({ n, value }: { n: number; value: Json }) {
  const field = useHot((state) => (state.call === n ? state.field : null));
  if (!isObject(value)) return null;
  return (
    <ul className={cx(styles.result, styles.record)}>
      {Object.entries(value)
        .filter(([, one]) => one !== null && one !== '')
        .map(([name, one]) => (
          <li key={name} className={cx(field !== null && field.split('/')[1] === name && styles.marked)}>
            <Foreign text={name} className={styles.name} />
            <Foreign text={short(one)} />
          </li>
        ))}
    </ul>
  );
}

function short(value: Json): string {
  if (Array.isArray(value)) {
    const names = value.map((one) => (isObject(one) ? one['name'] : one)).filter((one) => typeof one === 'string');
    return names.length === value.length && names.length > 0 ? cut(names.join(', '), 160) : `${value.length} of them`;
  }
  return cut(textOf(value), 160);
}
function cut(text: string, most = mostWords): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
