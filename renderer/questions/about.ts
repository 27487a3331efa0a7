// A waiting call as a person reads it: the money, what it is for, the facts that count. What only programs read (handles,
// seconds, flags) is kept apart. Knows no server: it goes by records, definitions and where each value came from.
import { isObject, textOf, type Json } from '../../shared/json.ts';
import type { Call, Money, Origin } from '../../shared/calls.ts';
import type { CallAbout } from '../../shared/questions.ts';
import { moneyWords } from '../calls/money.ts';
import { titleOf } from './callWords.ts';

export interface CallFact {
  /** As it stands on the wire. */
  key: string;
  name: string;
  value: string;
  /** Of an argument; a record's own field has none. */
  origin?: Origin | undefined;
  argument: boolean;
}
export interface CallSummary {
  /** The money it moves with its currency; null where it moves none, or no record says how much. */
  amount: string | null;
  /** The record it is about, as "O-1145". */
  subject: string | null;
  facts: CallFact[];
  details: CallFact[];
}

/** Counted or measured for programs. */
const technical =
  /(?:^|_)(?:seconds?|secs?|ms|millis|ttl|hash|sha256|etag|version|revision|cursor|token|expires?)(?:_|$)/i;
/** A long run of letters and digits with no word in it. */
const handle = /^(?:[A-Za-z]{1,4}[-_])?[0-9a-f]{16,}$|^[0-9a-f]{8}-[0-9a-f]{4}-/i;
/** Counted in the currency of the money that moves. */
const worth = /(?:^|_)(?:amount|total|price|refund|paid|balance|cost|fee|limit)s?$/i;
const decimal = /^-?\d+[.,]\d{2}$/;
const reference = /(?:^|_)(?:id|order|number|ref|reference|key)$/i;

function pointerOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function summaryOf(call: Call, about: CallAbout): CallSummary {
  const moved = call.money;
  const amount = moved && moneyWords(moved);
  const all = [...argumentsOf(call), ...about.behind.flatMap((one) => [...argumentsOf(one), ...recordOf(one)])];
  const hidden = new Set(about.handles);
  const subject =
    all.find(({ key, value }) => reference.test(key) && isShort(value) && !hidden.has(value))?.value ?? null;
  const seen = new Set<string>();
  const facts: CallFact[] = [];
  const details: CallFact[] = [];
  for (const fact of all) {
    const apart = hidden.has(fact.value) || handle.test(fact.value) || technical.test(fact.key) || isFlag(fact);
    const said = fact.value === subject || (amount !== null && fact.value === moved?.amount);
    const once = `${fact.key}=${fact.value}`;
    if (seen.has(once)) continue;
    seen.add(once);
    if (apart || (said && !needsALook(fact))) details.push(fact);
    else
      facts.push(
        moved !== null && worth.test(fact.key) && decimal.test(fact.value)
          ? { ...fact, value: priced(fact.value, moved) }
          : fact,
      );
  }
  return { amount, subject, facts, details };
}

function priced(amount: string, { currency }: Money): string {
  return moneyWords({ amount, currency, call: null }) ?? amount;
}
/** Nobody decides by a value whose source is doubtful without having seen where it came from. */
function needsALook({ argument, origin }: CallFact): boolean {
  return argument && (origin === undefined || ['model', 'example', 'view'].includes(origin.from));
}
function isShort(value: string): boolean {
  return value.length > 0 && value.length <= 24 && !/\s/.test(value) && !handle.test(value);
}
/** What a yes or no of a record says is said again by the question; not that something is beyond a limit. */
function isFlag({ argument, key, value }: CallFact): boolean {
  if (value === 'no' && /^within_/i.test(key)) return false;
  return !argument && (value === 'yes' || value === 'no');
}

function argumentsOf({ arguments: given, origins }: Call): CallFact[] {
  return Object.entries(given).map(([key, value]) => ({
    key,
    name: nameOf(key),
    value: wordsOf(value),
    origin: origins[pointerOf(key)],
    argument: true,
  }));
}
function recordOf({ structured }: Call): CallFact[] {
  const record = structured ?? undefined;
  if (!isObject(record)) return [];
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
    .map(([key, value]) => ({ key, name: nameOf(key), value: wordsOf(value), argument: false }));
}
/** "Order" of `order_id`. */
function nameOf(key: string): string {
  return titleOf(key.replace(/(.)_id$/i, '$1'));
}
function wordsOf(value: Json): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value);
}
