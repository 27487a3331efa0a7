// The money a call moves, in words: the record's own digits with their currency. Whether it moves any is the host's to say.
import type { Money } from '../../shared/calls.ts';

const signs: Record<string, string> = { EUR: '€', GBP: '£', USD: 'US$' };

/** Null where no record says how much. */
export function moneyWords({ amount, currency }: Money): string | null {
  if (amount === null) return null;
  return `${signOf(currency)}${amount}`;
}
/** What stands before an amount. */
export function signOf(currency: string | null): string {
  if (currency === null) return '';
  return signs[currency.toUpperCase()] ?? (/^\p{Sc}$/u.test(currency) ? currency : `${currency} `);
}
