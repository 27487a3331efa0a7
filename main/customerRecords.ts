// Orders and refunds as results of calls name them, for the person who reads the ticket. A record is an order where it has an
// order's ID with a status or a total, a refund where it has a refund's ID; of two about one the later call counts.
import type { Call } from '../shared/calls.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { CustomerRecord } from '../shared/queue.ts';

const most = 50;

/** Oldest call first; `currency` where a record names none. */
export function recordsIn(calls: readonly Call[], currency: string): CustomerRecord[] {
  const found = new Map<string, CustomerRecord>();
  for (const { n: call, ticket, structured } of calls)
    for (const value of objectsIn(structured)) {
      const record = recordOf(value);
      if (record === null) continue;
      const key = `${record.kind} ${record.id}`;
      const before = found.get(key);
      const amount = record.amount ?? before?.amount ?? null;
      const named = typeof value['currency'] === 'string' ? value['currency'] : currency;
      found.delete(key);
      found.set(key, { ...record, amount, currency: amount === null ? null : named, call, ticket });
    }
  return [...found.values()].slice(-most);
}

type Named = Omit<CustomerRecord, 'call' | 'ticket' | 'currency'>;
function recordOf(value: JsonObject): Named | null {
  const status = textAt(value, 'status');
  const refund = textAt(value, 'refund_id');
  const order = textAt(value, 'order_id');
  if (refund !== null)
    return {
      kind: 'refund',
      id: refund,
      of: order,
      status,
      on: onOf(value, status),
      amount: amountAt(value, 'amount'),
    };
  const total = amountAt(value, 'total');
  if (order === null || (status === null && total === null)) return null;
  return { kind: 'order', id: order, of: null, status, on: onOf(value, status), amount: total };
}
/** When it came to its status: `delivered_on` of what is delivered. */
function onOf(value: JsonObject, status: string | null): string | null {
  return status === null ? null : (textAt(value, `${status}_on`) ?? textAt(value, `${status}_at`));
}
function textAt(value: JsonObject, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}
function amountAt(value: JsonObject, key: string): string | null {
  const found = value[key];
  return typeof found === 'number'
    ? String(found)
    : typeof found === 'string' && /^\d[\d.,]*$/.test(found)
      ? found
      : null;
}
function* objectsIn(value: Json): Generator<JsonObject> {
  if (Array.isArray(value)) for (const one of value) yield* objectsIn(one);
  else if (isObject(value)) {
    yield value;
    for (const one of Object.values(value)) yield* objectsIn(one);
  }
}
