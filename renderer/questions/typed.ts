// What a person has typed into answers that were not sent yet, by person and by what waits. Kept for this page only: another
// question, or a reload of the window, loses none of it.
import { z } from 'zod';
import { create } from 'zustand';
import { useMe } from '../session.ts';
import type { Filled } from './filled.ts';

const storedUnder = 'desk.answers';
const stored = z.array(
  z.tuple([
    z.string(),
    z.array(z.tuple([z.string(), z.union([z.string(), z.boolean(), z.array(z.string()), z.null()])])),
  ]),
);

// Pairs, not objects: a field may be called `__proto__`.
function read(): ReadonlyMap<string, Filled> {
  try {
    const kept = stored.parse(JSON.parse(sessionStorage.getItem(storedUnder) ?? '[]'));
    return new Map(kept.map(([id, fields]) => [id, Object.fromEntries(fields)]));
  } catch {
    return new Map();
  }
}
const useTyped = create<{ typed: ReadonlyMap<string, Filled> }>(() => ({ typed: read() }));

function keep(typed: ReadonlyMap<string, Filled>): void {
  useTyped.setState({ typed });
  const pairs = [...typed].map(([id, filled]) => [id, Object.entries(filled)]);
  sessionStorage.setItem(storedUnder, JSON.stringify(pairs));
}

const untouched: Filled = {};
export function useFilled(id: string): Filled {
  const me = useMe(({ person }) => person?.id ?? '');
  return useTyped((state) => state.typed.get(`${me}/${id}`) ?? untouched);
}
function keyOf(id: string): string {
  return `${useMe.getState().person?.id ?? ''}/${id}`;
}
export function fillIn(id: string, name: string, value: Filled[string]): void {
  const { typed } = useTyped.getState();
  const key = keyOf(id);
  keep(new Map(typed).set(key, Object.fromEntries([...Object.entries(typed.get(key) ?? {}), [name, value]])));
}
/** It was sent, or waits no longer. */
export function forget(id: string): void {
  const rest = new Map(useTyped.getState().typed);
  if (rest.delete(keyOf(id))) keep(rest);
}
