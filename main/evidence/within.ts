// Which results the check looks at: as many values as the host can look through while others wait. What does not fit is left
// out whole, never in part, as a part could hide whose record it is.
import { isObject, type Json } from '../../shared/json.ts';

/** Values of all results of a run together, 16 letters of words as one; the smallest results go first. */
export const valueLimit = 20_000;
/** UTF-16 units of words; what stands behind them backs nothing. */
export const textLimit = 256 * 1024;
/** Units of a result that came as JSON in words. */
const parsedLimit = 4 * 1024 * 1024;

interface Result {
  n: number;
  outcome: string;
  structured?: Json | null | undefined;
  text?: string | null | undefined;
}
interface Waiting {
  value: Json;
  /** Length of the path to it, and how many of the records around it could name it. */
  path: number;
  around: number;
}

/** What a result costs to look through, in values; stops counting above `limit`. Long names and many keys cost more. */
export function valuesOf(root: Json, limit: number): number {
  const waiting: Waiting[] = [{ value: root, path: 0, around: 0 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1 + (next.path >> 8) + (next.around >> 6);
    const { value, path, around } = next;
    if (Array.isArray(value)) {
      if (count + value.length > limit) return limit + 1;
      for (const item of value) waiting.push({ value: item, path: path + 8, around });
    } else if (isObject(value)) {
      const keys = Object.keys(value);
      if (count + keys.length > limit) return limit + 1;
      for (const key of keys)
        waiting.push({ value: value[key] ?? null, path: path + key.length, around: around + keys.length });
    }
    if (count > limit) return limit + 1;
  }
  return count;
}

/** What a result says in its own form; JSON that came as words counts as that. */
function structuredOf(call: Result): Json | undefined {
  const { structured, text } = call;
  if (structured !== undefined && structured !== null) return structured;
  if (typeof text !== 'string' || text.length > parsedLimit || !looksLikeJson(text)) return undefined;
  try {
    // What JSON.parse returns is Json by definition.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/**
 * The results to look at, by the number of their call, each in its own form; and the calls whose results are too large. Long
 * words are among both: what they begin with is looked at, but not known to be all.
 */
export function lookThrough(calls: Result[]): { looked: Map<number, Json | undefined>; left: Set<number> } {
  const looked = new Map<number, Json | undefined>();
  const left = new Set<number>();
  const sized = calls
    .filter((call) => call.outcome === 'result')
    .map((call) => {
      const structured = structuredOf(call);
      const words = structured === undefined ? (call.text ?? '') : '';
      const size =
        structured === undefined ? Math.ceil(Math.min(words.length, textLimit) / 16) : valuesOf(structured, valueLimit);
      return { call, structured, words, size };
    })
    .sort((a, b) => a.size - b.size);
  let free = valueLimit;
  for (const { call, structured, words, size } of sized) {
    const isCut = words.length > textLimit;
    const isLooked = size <= free && !(isCut && looksLikeJson(words));
    if (!isLooked || isCut) left.add(call.n);
    if (!isLooked) continue;
    free -= size;
    looked.set(call.n, structured);
  }
  return { looked, left };
}
