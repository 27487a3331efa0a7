// What was asked of the host for a view: on its way, there, or failed. The old value stays on screen while a new one comes.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Feature, GivenOf, RouteName, ValueOf } from '../shared/contract.ts';
import { Failure, reason } from '../shared/failures.ts';
import { desk } from './session.ts';

export interface Asked<Value> {
  value: Value | undefined;
  failed: string | null;
  again: () => void;
}

/**
 * Asks a route, and again when one of the features changes or the line is new. `params` null asks nothing. `patient` waits
 * as long as it takes: for what a server must answer.
 */
export function useAsked<R extends RouteName>(
  route: R,
  params: GivenOf<R> | null,
  { follow = [], patient = false }: { follow?: readonly Feature[]; patient?: boolean } = {},
): Asked<ValueOf<R>> {
  const [state, setState] = useState<{ of: string; value: ValueOf<R> | undefined; failed: string | null }>({
    of: '',
    value: undefined,
    failed: null,
  });
  const key = params === null ? '' : `${route} ${JSON.stringify(params)}`;
  const latest = useRef({ params, turn: 0 });
  const features = follow.join();
  const ask = useCallback(() => {
    const { params: given } = latest.current;
    const turn = ++latest.current.turn;
    if (given === null) return;
    desk.ask(route, given, { deadline: patient ? null : 30_000 }).then(
      (value) => {
        if (turn === latest.current.turn) setState({ of: key, value, failed: null });
      },
      (error: unknown) => {
        if (turn !== latest.current.turn || (error instanceof Failure && error.code === 'desk.lost')) return;
        // Who may not see it does not keep what another saw.
        const kept = !(error instanceof Failure && error.code.startsWith('people.'));
        setState((old) => ({ of: key, value: kept && old.of === key ? old.value : undefined, failed: reason(error) }));
      },
    );
  }, [key, route, patient]);
  useEffect(() => {
    const kept = latest.current;
    kept.params = params;
    let soon: ReturnType<typeof setTimeout> | undefined;
    // Many changes at once are one question.
    const change = () => {
      clearTimeout(soon);
      soon = setTimeout(ask, 60);
    };
    // The first feature also lists on every new line; without one, follow what never changes by itself.
    const names: Feature[] = features === '' ? ['people'] : (features.split(',') as Feature[]); // joined from such above
    const ends = names.map((name, index) =>
      desk.follow(name, {
        list: index === 0 ? ask : () => undefined,
        change: features === '' ? () => undefined : change,
      }),
    );
    return () => {
      clearTimeout(soon);
      kept.turn++;
      for (const end of ends) end();
    };
    // `key` stands for `params`.
  }, [ask, key, features]);
  return state.of === key
    ? { value: state.value, failed: state.failed, again: ask }
    : { value: undefined, failed: null, again: ask };
}

/** Something a person starts: while it goes on, how it failed. */
export function useDoing(): {
  busy: boolean;
  failed: Failure | null;
  clear: () => void;
  /** Runs one thing at a time; undefined where it failed. */
  run: <Value>(work: () => Promise<Value>) => Promise<Value | undefined>;
} {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Failure | null>(null);
  const going = useRef(false);
  const run = useCallback(async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    if (going.current) return undefined;
    going.current = true;
    setBusy(true);
    setFailed(null);
    try {
      return await work();
    } catch (error) {
      setFailed(error instanceof Failure ? error : new Failure('internal', reason(error)));
      return undefined;
    } finally {
      going.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setFailed(null), []);
  return { busy, failed, clear, run };
}
