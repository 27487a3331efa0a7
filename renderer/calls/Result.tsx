// What came back, short: the plain fields of the record in a line, the field a claim rests on marked; else the first words.
import type { Call } from '../../shared/calls.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { cx } from '../classes.ts';
import { Foreign, spelled } from '../parts/Foreign.tsx';
import { Key } from '../parts/Key.tsx';
import styles from './Calls.module.css';
import { useSign } from './definitions.ts';
import { useHot } from './hot.ts';
import { toldOf } from './resultWords.ts';
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
  return isObject(call.structured) ? (
    <Record call={call} value={call.structured} />
  ) : (
    <Foreign as="div" text={cut(call.text ?? '')} className={styles.result} />
  );
}

function Record({ call, value }: { call: Call; value: JsonObject }) {
  const field = useHot((state) => (state.call === call.n ? state.field : null));
  const hot = field?.split('/')[1];
  const { told, more } = toldOf(value, useSign(call, value));
  return (
    <ul className={cx(styles.result, styles.record)}>
      {told
        .filter((one) => !one.detail || one.field === hot)
        .map(({ field: of, name, words, exact }) => (
          <li
            key={of}
            className={cx(of === hot && styles.marked)}
            {...(exact === null ? {} : { title: spelled(exact) })}
          >
            <Foreign text={name} className={styles.name} />
            <Foreign text={cut(words, 160)} />
          </li>
        ))}
      {more > 0 && (
        <li className={styles.more}>
          {more} more <Key of="calls.json" />
        </li>
      )}
    </ul>
  );
}

function cut(text: string, most = mostWords): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
