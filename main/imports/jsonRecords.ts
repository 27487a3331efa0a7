// The records of a JSON file: an array, one object a line, or the envelopes suites put around them. Whole numbers too long for
// JavaScript keep their digits; what nests too deep for those who read it is cut out, and its record refused.
import { reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Refused } from '../../shared/tickets.ts';
import { sha256 } from '../mcp/canonical.ts';
import { cutDeeper, deeper } from '../mcp/jsonText.ts';
import { idOf, type Found, type Users } from './record.ts';
import { unreadable } from './unreadable.ts';

export interface JsonRecords {
  found: Found[];
  users: Users;
}

/** Levels of a record and of what is around it; exports of suites have ten. */
const deepest = 100;

export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Lines that are no JSON are added to `refused`. Failure `tickets.unreadable`. */
export function jsonRecords(text: string, refused: Refused[]): JsonRecords {
  const records: JsonRecords = { found: [], users: new Map() };
  const whole = parsed(text);
  if (whole.ok) {
    unfold(whole, 1, records, Array.isArray(whole.value));
    return records;
  }
  if (text.trimStart().startsWith('['))
    throw unreadable(
      `it begins as a JSON array but is none (${whole.why}). It must be a JSON array or one JSON object a line`,
    );
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const one = parsed(line.replace(/^\ufeff/, ''));
    if (one.ok) unfold(one, index + 1, records, false);
    else refused.push({ line: index + 1, reason: `the line is no JSON (${one.why})` });
  }
  if (!records.found.some(({ value }) => typeof value === 'object'))
    throw unreadable(
      `no line of it is a JSON object (${whole.why}). It must be a JSON array or one JSON object a line`,
    );
  return records;
}

/** Takes the records out of what is around them. In an array records are counted, else they have the line's number. */
function unfold({ value, cut }: Document, line: number, to: JsonRecords, counted: boolean): void {
  if (Array.isArray(value) && counted) {
    for (const [index, one] of value.entries()) unfold({ value: one, cut }, index + 1, to, false);
    return;
  }
  const found = (at: number, one: Json): Found =>
    cut !== null && JSON.stringify(one).includes(cut)
      ? { line: at, value: one, why: `it is nested deeper than ${deepest} levels` }
      : { line: at, value: one };
  const inside = isObject(value) ? enveloped(value) : null;
  if (inside === null) to.found.push(found(line, value));
  else for (const [index, one] of inside.entries()) to.found.push(found(inside.length === 1 ? line : index + 1, one));
  const users = isObject(value) && Array.isArray(value['users']) ? value['users'] : [];
  for (const user of users) {
    const id = isObject(user) ? idOf(user['id']) : null;
    if (isObject(user) && id !== null) to.users.set(id, user);
  }
}

/** The list in Zendesk's `{tickets}`, `{ticket}` and Chatwoot's `{data: {payload}}`, `{payload}`; null for a record. */
function enveloped(value: JsonObject): Json[] | null {
  const data = value['data'];
  const inner = isObject(data) ? data : value;
  for (const key of ['tickets', 'payload', 'conversations'])
    if (Array.isArray(inner[key]) && inner['id'] === undefined) return inner[key];
  return isObject(value['ticket']) && value['id'] === undefined ? [value['ticket']] : null;
}

interface Document {
  value: Json;
  /** What stands where something was cut out; null where nothing was. */
  cut: string | null;
}
type Parsed = ({ ok: true } & Document) | { ok: false; why: string };
function parsed(text: string): Parsed {
  try {
    // Goes as deep as the text does; no other reader does.
    const value: unknown = JSON.parse(text);
    // No text holds its own hash.
    const cut = deeper(text, deepest) ? sha256(text) : null;
    const flat = cut === null ? text : cutDeeper(text, deepest, JSON.stringify(cut));
    // Slower by far, so only where a number may be too long.
    if (/[:[,\s]-?\d{16,}/.test(flat)) return { ok: true, value: JSON.parse(flat, exact) as Json, cut };
    return { ok: true, value: (cut === null ? value : JSON.parse(flat)) as Json, cut }; // what JSON.parse gives is JSON
  } catch (error) {
    return { ok: false, why: reason(error) };
  }
}
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  const long =
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source);
  return long ? source : value;
}
