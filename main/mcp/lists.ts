/** Raw list elements → definitions: each judged, hashed and, if need be, parked alone (spec host §6, trust §1). */
import { Failure, reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Definition } from '../../shared/pins.ts';
import { definitionHash, parseStrict } from './canonical.ts';
import { checkTool } from './toolCheck.ts';
import type { Validator } from './validator.ts';

/** One raw tool (or prompt, by its own `check`) as text, judged. `n` counts from 1, for those that have no name. */
export function definition(
  text: string,
  n: number,
  depth: number,
  check: (raw: Json) => string | null = checkTool,
): Definition {
  let raw: Json;
  try {
    raw = parseStrict(text, depth);
  } catch (error) {
    return {
      name: nameIn(text) ?? `(tool ${n})`,
      raw: {},
      hash: null,
      problem: `Its definition cannot be read. ${reason(error)}`,
    };
  }
  const object: JsonObject = isObject(raw) ? raw : {};
  const name = typeof object.name === 'string' && object.name !== '' ? object.name : `(tool ${n})`;
  const problem = check(raw);
  if (!isObject(raw)) return { name, raw: object, hash: null, problem };
  try {
    return { name, raw: object, hash: definitionHash(object), problem };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, raw: object, hash: null, problem: problem ?? error.message };
  }
}

/** The name in a definition that could not be read, for people only. */
function nameIn(text: string): string | null {
  const found = /"name"\s*:\s*"([A-Za-z0-9_.-]{1,128})"/.exec(text.slice(0, 4_096));
  return found?.[1] ?? null;
}

/**
 * One definition a name. A list that changed while its pages were read may repeat a tool: the same definition twice is
 * one tool; two definitions under one name are parked, because a call could mean either.
 */
export function merge(found: Definition[]): Definition[] {
  const byName = new Map<string, Definition>();
  for (const one of found) {
    const before = byName.get(one.name);
    if (!before) byName.set(one.name, one);
    else if (before.hash === null || before.hash !== one.hash)
      before.problem = 'The server lists this name more than once, with different definitions.';
  }
  return [...byName.values()];
}

/** Compiles the schemas of definitions not seen before. `seen` keeps what was found, by hash. */
export async function compileAll(
  found: Definition[],
  validator: Validator,
  seen: Map<string, string | null>,
): Promise<void> {
  for (const one of found) {
    if (one.problem !== null || one.hash === null) continue;
    let known = seen.get(one.hash);
    if (known === undefined) {
      known = await compileOne(one, validator);
      seen.set(one.hash, known);
    }
    one.problem = known;
  }
}

async function compileOne(one: Definition, validator: Validator): Promise<string | null> {
  for (const key of ['inputSchema', 'outputSchema']) {
    const schema = one.raw[key];
    if (!isObject(schema)) continue;
    const problem = await validator.compile(schema);
    if (problem !== null) return `Its ${key}: ${problem}`;
  }
  return null;
}

export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  mimeType?: string;
  priority?: number;
  audience?: string[];
  size?: number;
}

/** One raw resource as text, or null where it has no usable URI and name. */
export function resource(text: string, depth: number): ListedResource | null {
  let raw: Json;
  try {
    raw = parseStrict(text, depth);
  } catch {
    return null;
  }
  if (!isObject(raw) || typeof raw.uri !== 'string' || raw.uri.length > 2_048 || typeof raw.name !== 'string')
    return null;
  const notes = isObject(raw.annotations) ? raw.annotations : {};
  return {
    uri: raw.uri,
    name: raw.name,
    ...(typeof raw.title === 'string' && { title: raw.title }),
    ...(typeof raw.mimeType === 'string' && { mimeType: raw.mimeType }),
    ...(typeof raw.size === 'number' && { size: raw.size }),
    ...(typeof notes.priority === 'number' && { priority: notes.priority }),
    ...(Array.isArray(notes.audience) && { audience: notes.audience.filter((one) => typeof one === 'string') }),
  };
}
