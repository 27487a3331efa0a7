/** Parsers of JSON columns: what was written is checked again when it is read. */
import { z } from 'zod';
import { Failure } from '../../shared/failures.ts';
import type { Json, JsonObject } from '../../shared/json.ts';

/** JSON.parse gives nothing but JSON, and a walk of zod's would drop a key named `__proto__`. */
export const json = z.custom<Json>(() => true);
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'it is no object',
);

/** The value of a JSON column. Failure `store.damaged` names the place when it is not what was once written. */
export function readJson<T>(schema: z.ZodType<T>, text: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('store.damaged', `The stored ${place} is no JSON. Restore the data folder from a copy.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Failure(
    'store.damaged',
    `The stored ${place} has an unexpected form (${parsed.error.issues[0]?.message ?? 'unknown'}). Restore the data folder from a copy.`,
  );
}
