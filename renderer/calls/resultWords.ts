// A record that came back, as a person reads it: what matters first (money, order, status, dates), names and dates in words;
// long handles and limits of the system are left to the exact JSON.
import { isObject, textOf, type Json, type JsonObject } from '../../shared/json.ts';

export interface Told {
  /** Field of the record. */
  field: string;
  name: string;
  words: string;
  /** As the record has it, where the words differ. */
  exact: string | null;
  /** Left to the details unless a claim rests on it. */
  detail: boolean;
}

const kinds = ['money', 'order', 'limit', 'status', 'date', 'list', 'other', 'detail'] as const;
type Kind = (typeof kinds)[number];

const money = /(^|_)(amount|total|price|refund|paid|balance|cost|fee)s?$/i;
const decimal = /^-?\d+[.,]\d{2}$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** Made by a machine for machines: long, without a space, digits and letters mixed. */
const handle = /^(?=.*\d)[\w-]{20,}$/;

const within = /^within_/i;
const limit = /_limit$/i;
function isLimit(field: string): boolean {
  return within.test(field) || limit.test(field);
}
/** A limit of the record and whether it is kept, before a person lets money move. */
export function limitsOf(record: JsonObject, sign: string): Told[] {
  return toldOf(record, sign).told.filter(({ field }) => isLimit(field));
}

/** `sign` is the currency's, where the record or the tool's definition names one. */
export function toldOf(record: JsonObject, sign: string): { told: Told[]; more: number } {
  const beyond = Object.entries(record).some(([field, value]) => within.test(field) && value === false);
  const ranked = Object.entries(record)
    .filter(([, value]) => value !== null && value !== '')
    .map(([field, value]) => {
      const kind = beyond && isLimit(field) ? 'limit' : kindOf(field, value);
      return { rank: kinds.indexOf(kind), told: wordsOf(field, value, kind, sign) };
    });
  const told = ranked.toSorted((a, b) => a.rank - b.rank).map((one) => one.told);
  return { told, more: told.filter(({ detail }) => detail).length };
}

function kindOf(field: string, value: Json): Kind {
  if (typeof value === 'string' && handle.test(value)) return 'detail';
  if (/_(seconds|ms|limit|hash|version)$|^within_|^customer_id$/i.test(field)) return 'detail';
  if (money.test(field)) return 'money';
  if (/^order(_id)?$/i.test(field)) return 'order';
  if (/^(status|state)$/i.test(field)) return 'status';
  if (typeof value === 'string' && (day.test(value) || instant.test(value))) return 'date';
  return Array.isArray(value) ? 'list' : 'other';
}

function wordsOf(field: string, value: Json, kind: Kind, sign: string): Told {
  const name = field.replace(/_id$/, '').replaceAll('_', ' ');
  const raw = textOf(value);
  const words = (kind === 'money' || limit.test(field)) && decimal.test(raw) ? `${sign}${raw}` : inWords(field, value);
  return { field, name, words, exact: words === raw || Array.isArray(value) ? null : raw, detail: kind === 'detail' };
}

function inWords(field: string, value: Json): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return listWords(value);
  if (typeof value === 'number' && /_seconds$/.test(field)) return durationWords(value);
  if (typeof value === 'string' && (day.test(value) || instant.test(value))) return dateWords(value);
  return textOf(value);
}
/** "26 June 2026": a day has no zone. */
function dateWords(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(value.slice(0, 10))) return value;
  const date = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const time = instant.test(value) ? ({ hour: '2-digit', minute: '2-digit' } as const) : {};
  return at.toLocaleString('en-GB', { ...date, ...time });
}
function durationWords(seconds: number): string {
  const of = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  if (seconds % 86_400 === 0) return of(seconds / 86_400, 'day');
  if (seconds % 3_600 === 0) return of(seconds / 3_600, 'hour');
  return seconds % 60 === 0 ? of(seconds / 60, 'minute') : of(seconds, 'second');
}
/** What the things of a list are called: by name, else by what they are and how they stand. */
function listWords(values: readonly Json[]): string {
  const names = values.map((one) => (isObject(one) ? titleOf(one) : typeof one === 'object' ? null : textOf(one)));
  if (values.length === 0) return 'none';
  return names.every((one) => one !== null) ? names.join(', ') : `${values.length} of them`;
}
function titleOf(one: JsonObject): string | null {
  const name = one['name'] ?? one['title'] ?? one['order_id'] ?? one['id'];
  if (typeof name !== 'string') return null;
  return typeof one['status'] === 'string' ? `${name} ${one['status']}` : name;
}
