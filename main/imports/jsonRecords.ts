// The records of a JSON file: an array, one object a line, or the envelopes suites put around them. Whole numbers too long for
// JavaScript keep their digits.
import { reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Refused } from '../../shared/tickets.ts';
import { idOf, type Found, type Users } from './record.ts';
import { unreadable } from './unreadable.ts';

export interface JsonRecords {
  found: Found[];
  users: Users;
}

export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Lines that are no JSON are added to `refused`. Failure `tickets.unreadable`. */
export function jsonRecords(text: string, refused: Refused[]): JsonRecords {
  const records: JsonRecords = { found: [], users: new Map() };
  const whole = parsed(text);
  if (whole.ok) {
    unfold(whole.value, 1, records, Array.isArray(whole.value));
    return records;
  }
  if (text.trimStart().startsWith('['))
    throw unreadable(
      `it begins as a JSON array but is none (${whole.why}). It must be a JSON array or one JSON object a line`,
    );
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    const one = parsed(line.replace(/^\ufeff/, ''));
    if (one.ok) unfold(one.value, index + 1, records, false);
    else refused.push({ line: index + 1, reason: `the line is no JSON (${one.why})` });
  }
  if (!records.found.some(({ value }) => typeof value === 'object'))
    throw unreadable(
      `no line of it is a JSON object (${whole.why}). It must be a JSON array or one JSON object a line`,
    );
  return records;
}

/** Takes the records out of what is around them. In an array records are counted, else they have the line's number. */
function unfold(value: Json, line: number, to: JsonRecords, counted: boolean): void {
  if (Array.isArray(value) && counted) {
    for (const [index, one] of value.entries()) unfold(one, index + 1, to, false);
    return;
  }
  const inside = isObject(value) ? enveloped(value) : null;
  if (inside === null) to.found.push({ line, value });
  else
    for (const [index, one] of inside.entries())
      to.found.push({ line: inside.length === 1 ? line : index + 1, value: one });
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

type Parsed = { ok: true; value: Json } | { ok: false; why: string };
function parsed(text: string): Parsed {
  try {
    // Slower by far, so only where a number may be too long.
    const value: unknown = /[:[,\s]-?\d{16,}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
    return { ok: true, value: value as Json }; // what JSON.parse gives is JSON
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
