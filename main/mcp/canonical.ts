/**
 * Canonical JSON (RFC 8785) and its hash: what a pin, a consent and a configuration are compared by. Two texts that
 * differ only in key order or spelling hash alike; texts that could mean two things are refused before hashing.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../shared/failures.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { deeper, strictProblem } from './jsonText.ts';

const deepest = 512;

/** RFC 8785 text of a value. Failure `json.canonical` for lone surrogates, numbers that are not finite, or 512 levels. */
export function canonical(value: Json): string {
  return write(value, 0);
}

function write(value: Json, depth: number): string {
  if (depth > deepest) throw new Failure('json.canonical', `The value is nested deeper than ${deepest} levels.`);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Failure('json.canonical', 'The value holds a number that JSON cannot express.');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const members: string[] = [];
  // The default sort compares UTF-16 code units, which is the order RFC 8785 §3.2.3 asks for.
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${text(key)}:${write(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new Failure('json.canonical', 'A text holds half of a surrogate pair.');
  return JSON.stringify(value);
}

/** SHA-256 of a text's UTF-8 bytes, lower-case hex. */
export function sha256(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex');
}

/**
 * Parses JSON and refuses what hashing could not tell apart: duplicate keys, half surrogate pairs, numbers outside
 * the range, and nesting over `depth`. Failure `json.strict` with the reason. Linear in the text, without recursion.
 */
export function parseStrict(source: string, depth = 64): Json {
  if (deeper(source, depth)) throw new Failure('json.strict', `It is nested deeper than ${depth} levels.`);
  let value: Json;
  try {
    value = JSON.parse(source) as Json; // JSON.parse returns nothing but JSON values
  } catch {
    throw new Failure('json.strict', 'It is not valid JSON.');
  }
  const problem = strictProblem(source);
  if (problem !== null) throw new Failure('json.strict', problem);
  return value;
}

/** Members that no pin covers: pictures, which the desk never shows. */
const unpinned = new Set(['icons']);

/** The hash a definition is pinned by (spec host §6): every member of the raw wire object but the unpinned ones. */
export function definitionHash(raw: JsonObject): string {
  return sha256(canonical(Object.fromEntries(Object.entries(raw).filter(([key]) => !unpinned.has(key)))));
}
