// Derivations by host code: the only arithmetic a draft may rest on. Each says in words what it was made from.
import { addDays, dayDistance } from './dates.ts';
import { sayAmount } from './amounts.ts';

export interface Derived {
  /** `amount` in minor units, `date` as `YYYY-MM-DD`, `count` and `days` as whole numbers. */
  kind: 'amount' | 'date' | 'count' | 'days';
  value: number | string;
  /** How it came about, for the person who reads the draft. */
  from: string;
  /** The records it speaks of; empty where it speaks of the whole run. */
  subjects: string[];
}

export function deriveCount(what: string, items: readonly unknown[], subjects: string[] = []): Derived {
  return { kind: 'count', value: items.length, from: `counted ${items.length} ${what}`, subjects };
}

export function deriveSum(what: string, minors: readonly number[], currency: string, subjects: string[] = []): Derived {
  const value = minors.reduce((sum, minor) => sum + minor, 0);
  return {
    kind: 'amount',
    value,
    from: `${what}: ${minors.map((minor) => sayAmount(minor, currency)).join(' + ')} = ${sayAmount(value, currency)}`,
    subjects,
  };
}

export function deriveDifference(
  what: string,
  from: number,
  less: number,
  currency: string,
  subjects: string[] = [],
): Derived {
  return {
    kind: 'amount',
    value: from - less,
    from: `${what}: ${sayAmount(from, currency)} − ${sayAmount(less, currency)} = ${sayAmount(from - less, currency)}`,
    subjects,
  };
}

/** A day `days` after `day` (`YYYY-MM-DD`). */
export function deriveDay(what: string, day: string, days: number, subjects: string[] = []): Derived {
  const value = addDays(day, days);
  return { kind: 'date', value, from: `${what}: ${day} and ${days} days make ${value}`, subjects };
}

/** Whole days from one day to another. */
export function deriveDays(what: string, from: string, to: string, subjects: string[] = []): Derived {
  const value = dayDistance(from, to);
  return { kind: 'days', value, from: `${what}: ${value} days from ${from} to ${to}`, subjects };
}
