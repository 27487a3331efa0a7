/** When a result runs out, where it says so itself (spec host §13): a quote holds for so many seconds, or until a time. */
import type { Call } from './calls.ts';
import { isObject } from './json.ts';

/** Milliseconds since the epoch; null where the result says nothing of it. */
export function endOf(source: Pick<Call, 'structured' | 'settled_at' | 'created_at'>): number | null {
  const record = source.structured;
  if (!isObject(record)) return null;
  const { expires_in_seconds: seconds, expires_at: at } = record;
  const from = Date.parse(source.settled_at ?? source.created_at);
  const end = typeof seconds === 'number' ? from + seconds * 1_000 : typeof at === 'string' ? Date.parse(at) : NaN;
  return Number.isNaN(new Date(end).getTime()) ? null : end;
}

export interface Expiry {
  /** The argument it is about, where the tool it came from is named for it too ("quote"); else null. */
  noun: string | null;
  source: Call;
  end: number;
}

/** Of the results a call's arguments came from, the one that runs out first. */
export function expiryOf(call: Pick<Call, 'origins'>, earlier: readonly Call[]): Expiry | null {
  const found = Object.entries(call.origins).flatMap(([pointer, origin]): Expiry[] => {
    const source = origin.from === 'result' ? earlier.find((one) => one.n === origin.call) : undefined;
    const end = source === undefined ? null : endOf(source);
    if (source === undefined || end === null) return [];
    const named = pointer.slice(1).replace(/_(?:id|number|handle)$/, '');
    const isNamed = source.tool
      .slice(source.prefix.length + 1)
      .split('_')
      .includes(named);
    return [{ noun: isNamed ? named : null, source, end }];
  });
  // Where several of its values came from one result, the one it is named for says what it is.
  found.sort((a, b) => a.end - b.end || Number(a.noun === null) - Number(b.noun === null));
  return found[0] ?? null;
}
