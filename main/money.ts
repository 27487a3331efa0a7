// Whether a call moves money, and how much. The rule, in order: what the server's configuration says of the tool stands
// (`moves_money`); a tool on the host's own list without side effects moves none; else it does where an amount stands in its
// arguments or in the record they came from, or its name says so. In doubt it does: then it takes a second key.
import type { Call, Money } from '../shared/calls.ts';
import { at, isObject, type Json, type JsonObject } from '../shared/json.ts';

type Proposed = Pick<Call, 'method' | 'tool' | 'arguments' | 'origins' | 'listed'>;
/** Earlier calls of the same run, and what their definitions say of their results. */
interface Behind {
  earlier: readonly Call[];
  /** By the name for the model. */
  outputOf: (tool: string) => Promise<JsonObject | null>;
}

const names = /refund|pay|charge|credit|transfer|invoice|payout|reimburse/i;
const amountFields = ['amount', 'refund_amount', 'total', 'value'];

/** Null where it moves none. `said`: what the configuration says of the tool. */
export async function moneyOf(call: Proposed, said: boolean | undefined, behind: Behind): Promise<Money | null> {
  if (call.method !== 'tools/call' || said === false || (said === undefined && call.listed)) return null;
  const own = amountIn(call.arguments);
  if (own !== null) {
    const { currency } = call.arguments;
    return { amount: own, currency: typeof currency === 'string' ? currency : null, call: null };
  }
  for (const origin of Object.values(call.origins)) {
    if (origin.from !== 'result') continue;
    const source = behind.earlier.find((one) => one.n === origin.call && one.structured !== null);
    const amount = amountIn(source?.structured ?? null);
    if (source !== undefined && amount !== null)
      return { amount, currency: await currencyOf(source, behind), call: source.n };
  }
  return said === true || names.test(call.tool) ? { amount: null, currency: null, call: null } : null;
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
  [/\beuros?\b|\bEUR\b|€/i, 'EUR'],
  [/\bpounds?\b|\bGBP\b|£/i, 'GBP'],
  [/\bUS dollars?\b|\bUSD\b/i, 'USD'],
];
/** Of the record itself, else as its definition describes the amount. */
async function currencyOf({ structured, tool }: Call, { outputOf }: Behind): Promise<string | null> {
  const named = isObject(structured) ? structured['currency'] : undefined;
  if (typeof named === 'string') return named;
  const output = await outputOf(tool);
  const said = amountFields
    .map((field) => at(output ?? undefined, `/properties/${field}/description`))
    .find((text) => typeof text === 'string');
  return typeof said === 'string' ? (currencies.find(([word]) => word.test(said))?.[1] ?? null) : null;
}
