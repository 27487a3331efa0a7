// The call log as facts: each value of a result with the records it belongs to. A value belongs to the identifiers of
// its own object and of the objects around it; of one kind (orders, customers) only the nearest counts.
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { findAmounts, readNumber } from './amounts.ts';
import { findDates } from './dates.ts';
import { foldText } from './foldText.ts';
import { findIdentifiers, idKind, type IdPattern } from './identifiers.ts';
import { sentences } from './sentences.ts';
import { lookThrough, textLimit } from './within.ts';

export interface CheckedCall {
  n: number;
  /** `{prefix}.{tool}`. */
  tool: string;
  prefix: string;
  outcome: string;
  arguments: JsonObject;
  structured?: Json | null | undefined;
  text?: string | null | undefined;
  systemOfRecord: boolean;
  /** Who is asked, where the call waits. */
  asked?: string | undefined;
}
export interface Money {
  minor: number;
  /** Null: the currency of the record is not written beside it. */
  currency: string | null;
}
export interface Fact {
  call: number;
  tool: string;
  /** JSON pointer into the structured result; `text` where only words came, `arguments/…` for what was asked. */
  pointer: string;
  /** Words of the field's name: `shipped_on` → shipped, on. */
  name: string[];
  value: Json;
  /** Identifiers this value belongs to, by kind. */
  ids: Map<string, string>;
  amounts: Money[];
  days: string[];
  reported: boolean;
}

const moneyWords = new Set(
  'amount total price subtotal sum cost costs fee fees shipping refund refunded paid value limit balance tax discount charge charged minor cents'.split(
    ' ',
  ),
);

function nameWords(key: string): string[] {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

function moneyOf(value: Json, name: string[], currency: string | null): Money[] {
  if (typeof value === 'string' && /^-?\d+\.\d{2}$/.test(value)) {
    const minor = readNumber(value.replace('-', ''), 'en');
    return minor === null ? [] : [{ minor: value.startsWith('-') ? -minor : minor, currency }];
  }
  if (typeof value === 'number' && (name.some((word) => moneyWords.has(word)) || !Number.isInteger(value)))
    return [{ minor: name.includes('cents') || name.includes('minor') ? value : Math.round(value * 100), currency }];
  if (typeof value === 'string' && value.length <= 24)
    return findAmounts(value, 'en').flatMap(({ minor, currency: own }) =>
      minor === null ? [] : [{ minor, currency: own ?? currency }],
    );
  return [];
}

function daysOf(value: Json, reference: string): string[] {
  if (typeof value !== 'string' || value.length > 40 || !/\d/.test(value)) return [];
  return findDates(value, 'en', reference).flatMap((date) =>
    date.days.length === 1 && date.precision === 'day' ? date.days : [],
  );
}

/** The kind under which an identifier is remembered, or null where a value names nothing. */
function recordKind(key: string, value: Json): string | null {
  if (typeof value !== 'string' || value === '' || value.length > 128) return null;
  const kind = idKind(value);
  if (kind !== null) return kind;
  return /(?:^|_)(?:id|sku|number|email)$/i.test(key) && /^\S+$/.test(value) ? key.toLowerCase() : null;
}

function ownIds(object: JsonObject, around: Map<string, string>): Map<string, string> {
  const own = new Map<string, string>();
  // The object's own key ("order_id") goes before what it points at ("replaced_by").
  const keys = Object.keys(object).sort(
    (a, b) => Number(/(?:^|_)(?:id|sku)$/i.test(b)) - Number(/(?:^|_)(?:id|sku)$/i.test(a)),
  );
  for (const key of keys) {
    const value = object[key];
    const kind = value === undefined ? null : recordKind(key, value);
    if (kind !== null && typeof value === 'string' && !own.has(kind)) own.set(kind, value);
  }
  return new Map([...around, ...own]);
}

interface Walk {
  call: CheckedCall;
  reference: string;
  found: Fact[];
}

function walk(
  into: Walk,
  value: Json,
  pointer: string,
  key: string,
  ids: Map<string, string>,
  currency: string | null,
): void {
  if (Array.isArray(value)) {
    into.found.push({
      call: into.call.n,
      tool: into.call.tool,
      pointer,
      name: nameWords(key),
      value,
      ids,
      amounts: [],
      days: [],
      reported: !into.call.systemOfRecord,
    });
    for (const [index, item] of value.entries()) walk(into, item, `${pointer}/${index}`, key, ids, currency);
    return;
  }
  if (isObject(value)) {
    const inner = ownIds(value, ids);
    const own = typeof value['currency'] === 'string' ? value['currency'].toUpperCase() : currency;
    for (const [name, item] of Object.entries(value))
      walk(into, item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, name, inner, own);
    return;
  }
  const name = nameWords(key);
  into.found.push({
    call: into.call.n,
    tool: into.call.tool,
    pointer,
    name,
    value,
    ids,
    amounts: moneyOf(value, name, currency),
    days: daysOf(value, into.reference),
    reported: !into.call.systemOfRecord,
  });
}

function textFacts(into: Walk, text: string, ids: Map<string, string>, patterns: IdPattern[]): void {
  const folded = foldText(text.slice(0, textLimit)).text;
  const said = sentences(folded);
  // One that was cut might hold half a number.
  for (const one of text.length > textLimit ? said.slice(0, -1) : said) {
    const value = folded.slice(one.start, one.end).trim();
    const named = new Map(ids);
    for (const { value: id } of findIdentifiers(value, patterns)) named.set(idKind(id) ?? id, id);
    const amounts = findAmounts(value, 'en').flatMap(({ minor, currency }) =>
      minor === null ? [] : [{ minor, currency }],
    );
    const days = findDates(value, 'en', into.reference).flatMap((date) => (date.days.length === 1 ? date.days : []));
    into.found.push({
      call: into.call.n,
      tool: into.call.tool,
      pointer: 'text',
      name: [],
      value,
      ids: named,
      amounts,
      days,
      reported: !into.call.systemOfRecord,
    });
  }
}

/**
 * The identifiers a call is about: those of its arguments, and of the earlier record an argument was taken from (a
 * quote's handle leads to its order).
 */
export function argumentIds(call: CheckedCall, earlier: Fact[]): Map<string, string> {
  const ids = ownIds(call.arguments, new Map());
  for (const value of Object.values(call.arguments)) {
    if (typeof value !== 'string' || value.length < 4) continue;
    const source = earlier.findLast(
      (fact) => fact.call < call.n && fact.value === value && !fact.pointer.startsWith('arguments'),
    );
    for (const [kind, id] of source?.ids ?? []) if (!ids.has(kind)) ids.set(kind, id);
  }
  return ids;
}

/**
 * Facts of all calls with a result, in order. Arguments of such calls are facts too: they say what was asked. Of a call whose
 * result is too large to look through there is none.
 */
export function factsOf(calls: CheckedCall[], patterns: IdPattern[], reference: string): Fact[] {
  return factsIn(calls, lookThrough(calls).looked, patterns, reference);
}

/** The same of results that were looked through already. */
export function factsIn(
  calls: CheckedCall[],
  looked: Map<number, Json | undefined>,
  patterns: IdPattern[],
  reference: string,
): Fact[] {
  const found: Fact[] = [];
  for (const call of calls) {
    if (!looked.has(call.n)) continue;
    const ids = argumentIds(call, found);
    const into: Walk = { call, reference, found };
    const structured = looked.get(call.n);
    if (structured !== undefined) walk(into, structured, '', '', ids, null);
    else if (typeof call.text === 'string') textFacts(into, call.text, ids, patterns);
    walk(into, call.arguments, 'arguments', '', ids, null);
  }
  return found;
}

/** A fact in words, for the person who asks where a claim comes from. */
export function sayFact(fact: Fact): string {
  const what = fact.pointer === 'text' ? 'its words' : fact.name.join(' ') || 'its result';
  return `${fact.tool} (call ${fact.call}), ${what}`;
}
