// Changing the arguments of a call that waits: the question is closed, and a new one asked with what stands here.
import { useEffect, useRef, useState } from 'react';
import type { Call } from '../../shared/calls.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import styles from './Calls.module.css';
import { focusBar } from './reveal.ts';
import { askAnew, consent } from './waiting.ts';

/** Text as it is; anything else as JSON, which it must stay. */
function shownAs(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
function readAs(before: Json, text: string): { ok: true; value: Json } | { ok: false } {
  if (typeof before === 'string') return { ok: true, value: text };
  try {
    // What JSON.parse gives is JSON.
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return { ok: false };
  }
}

export function EditArguments({ call }: { call: Call }) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(Object.entries(call.arguments).map(([name, value]) => [name, shownAs(value)])),
  );
  const read = Object.entries(call.arguments).map(([name, value]) => [name, readAs(value, texts[name] ?? '')] as const);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  useCommand('tickets.list', () => {
    consent.back();
    focusBar();
  });
  const good = read.every(([, one]) => one.ok);
  function ask(): void {
    const given: JsonObject = {};
    for (const [name, one] of read) if (one.ok) given[name] = one.value;
    void askAnew(call, given);
  }
  return (
    <div className={styles.edit} ref={box}>
      {read.map(([name, one]) => (
        <Field
          key={name}
          label={name}
          value={texts[name] ?? ''}
          onChange={(text) => setTexts((old) => ({ ...old, [name]: text }))}
          wrong={one.ok ? null : 'This is no JSON. A number, true, false, or text in quotes.'}
        />
      ))}
      <div className={styles.acts}>
        <Button onPress={ask} disabled={!good}>
          Ask anew
        </Button>
        <Button look="quiet" onPress={() => consent.back()}>
          Leave as it was
        </Button>
      </div>
      <p className={styles.says}>Nothing runs by this: the changed call asks again.</p>
    </div>
  );
}
