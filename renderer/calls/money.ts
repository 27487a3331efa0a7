// Whether a call moves money, and how much: read from its arguments, else from the records its arguments came from. In doubt
// it does: then it takes a second key.
import type { Call } from '../../shared/calls.ts';
import { at, isObject, type Json, type JsonObject } from '../../shared/json.ts';

export interface Moved {
  /** With the record's own digits; null where no record says. */
  amount: string | null;
  /** The record it stands in: number of the call; null: in the arguments. */
  call: number | null;
}

const names = /refund|pay|charge|credit|transfer|invoice|payout|reimburse/i;
const amountFields = ['amount', 'refund_amount', 'total', 'value'];

/** Null where the call moves none. `earlier` are calls of the same run. */
export function movedBy(call: Call, earlier: readonly Call[]): Moved | null {
  if (call.listed || call.method !== 'tools/call') return null;
  const own = amountIn(call.arguments);
  if (own !== null) return { amount: own, call: null };
  for (const origin of Object.values(call.origins)) {
    if (origin.from !== 'result') continue;
    const source = earlier.find((one) => one.n === origin.call && one.structured !== null);
    const amount = amountIn(source?.structured ?? null);
    if (source !== undefined && amount !== null) return { amount, call: source.n };
  }
  return names.test(call.tool) ? { amount: null, call: null } : null;
}

function amountIn(value: Json): string | null {
  if (!isObject(value)) return null;
  for (const field of amountFields) {
    const found = value[field];
    if (typeof found === 'number' || (typeof found === 'string' && /^\d[\d.,]*$/.test(found))) return String(found);
  }
  return null;
}

const currencies: [RegExp, string][] = [
  [/\beuros?\b|\bEUR\b|€/i, '€'],
  [/\bpounds?\b|\bGBP\b|£/i, '£'],
  [/\bUS dollars?\b|\bUSD\b/i, 'US$'],
];

/** The amount with its currency, where the record or the tool's definition names one. */
export function amountWords(amount: string, record: Json | undefined, definition: JsonObject | undefined): string {
  const named = isObject(record) ? record['currency'] : undefined;
  if (typeof named === 'string') return `${currencies.find(([word]) => word.test(named))?.[1] ?? `${named} `}${amount}`;
  const said = amountFields
    .map((field) => at(definition, `/outputSchema/properties/${field}/description`))
    .find((text) => typeof text === 'string');
  const sign = typeof said === 'string' ? currencies.find(([word]) => word.test(said))?.[1] : undefined;
  return `${sign ?? ''}${amount}`;
}
