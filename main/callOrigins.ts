/** Origins after a person edited the arguments: what they left alone keeps its origin, the rest is theirs. */
import { isDeepStrictEqual } from 'node:util';
import type { Origins } from '../shared/calls.ts';
import { at, isObject, type Json, type JsonObject } from '../shared/json.ts';

export function editedOrigins(before: JsonObject, origins: Origins, after: JsonObject): Origins {
  const kept = Object.entries(origins).filter(
    ([pointer]) => at(after, pointer) !== undefined && isDeepStrictEqual(at(before, pointer), at(after, pointer)),
  );
  const result: Origins = Object.fromEntries(kept);
  for (const pointer of leaves(after, ''))
    if (!kept.some(([covering]) => pointer === covering || pointer.startsWith(`${covering}/`)))
      result[pointer] = { from: 'person', trust: 'trusted' };
  return result;
}

/** Pointers to every value without members of its own. */
function leaves(value: Json, pointer: string): string[] {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (members.length === 0) return pointer === '' ? [] : [pointer];
  return members.flatMap(([key, member]) =>
    leaves(member, `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
