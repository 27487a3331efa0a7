/** What changed between two definitions, in words a person can decide by (spec host §7). Nothing here decides. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { FieldDifference, WordPiece } from '../shared/pins.ts';
import { schemaDifference } from './schemaDifference.ts';
import { visible } from './visible.ts';

/** Field by field; empty where the two are equal. */
export function difference(before: JsonObject, after: JsonObject): FieldDifference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const [old, now] = [member(before, field), member(after, field)];
    if (isDeepStrictEqual(old, now)) return [];
    if (field === 'inputSchema' || field === 'outputSchema') return [schemaField(field, old, now)];
    if (isObject(old) && isObject(now))
      return difference(old, now).map((inner) => ({ ...inner, field: `${visible(field)}.${inner.field}` }));
    return [plainField(field, old, now)];
  });
}

function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
function shown(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return visible(typeof value === 'string' ? value : JSON.stringify(value, null, 1));
}

function schemaField(field: string, old: Json | undefined, now: Json | undefined): FieldDifference {
  const schema = schemaDifference(old ?? true, now ?? true, field === 'inputSchema' ? 'input' : 'output');
  return { field, before: shown(old), after: shown(now), schema };
}
function plainField(field: string, old: Json | undefined, now: Json | undefined): FieldDifference {
  const [before, after] = [shown(old), shown(now)];
  const changed = { field: visible(field), before, after };
  return typeof old === 'string' && typeof now === 'string'
    ? { ...changed, words: wordDifference(before ?? '', after ?? '') }
    : changed;
}

/** Above this many comparisons the middle is shown as replaced as a whole: a definition may be 256 KiB. */
const mostComparisons = 4_000_000;

/** Words kept, added and removed, so that joining the kept and added ones gives `after`. */
export function wordDifference(before: string, after: string): WordPiece[] {
  const old = before.match(/\s+|[^\s]+/g) ?? [];
  const now = after.match(/\s+|[^\s]+/g) ?? [];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = aligned(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return joined([
    { kind: 'same', text: old.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: old.slice(old.length - end).join('') },
  ]);
}

/** Longest common subsequence over words. */
function aligned(old: string[], now: string[]): WordPiece[] {
  if (old.length * now.length > mostComparisons)
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: now.join('') },
    ];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const length = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
  const pieces: WordPiece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      pieces.push({ kind: 'same', text: was });
      i++;
      j++;
    } else if (was !== undefined && (is === undefined || length(i + 1, j) >= length(i, j + 1))) {
      pieces.push({ kind: 'removed', text: was });
      i++;
    } else {
      pieces.push({ kind: 'added', text: is ?? '' });
      j++;
    }
  }
  return pieces;
}

function joined(pieces: WordPiece[]): WordPiece[] {
  const result: WordPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.text === '') continue;
    if (last?.kind === piece.kind) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}
