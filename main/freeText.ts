/** Parameters that take any text: a way for data to leave, so they are pointed out and marked at approval (host §6). */
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { FreeText, Mark } from '../shared/pins.ts';

const bounds = ['enum', 'const', 'pattern', 'format'];
const prosaic =
  /\b(notes?|messages?|comments?|reasons?|explanations?|remarks?|body|feedback|free[- ]?text|in (your )?own words)\b/i;
const deepest = 4;

/** True for a string schema that nothing bounds but its length. */
export function isFreeText(schema: JsonObject): boolean {
  const type = schema['type'];
  const text = type === 'string' || (Array.isArray(type) && type.includes('string'));
  return text && !bounds.some((bound) => Object.hasOwn(schema, bound));
}

/** Every free text parameter of an input schema, to four levels. */
export function freeTexts(inputSchema: Json | undefined): FreeText[] {
  return isObject(inputSchema) ? inObject(inputSchema, { root: inputSchema, base: '', required: true, depth: 0 }) : [];
}

interface Place {
  root: JsonObject;
  base: string;
  required: boolean;
  depth: number;
}
function inObject(schema: JsonObject, place: Place): FreeText[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const needs = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const pointer = `${place.base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const required = place.required && needs.includes(name);
    return inSchema(name, property, { ...place, base: pointer, required, depth: place.depth + 1 });
  });
}
function inSchema(name: string, given: Json | undefined, place: Place): FreeText[] {
  const schema = resolved(given, place.root);
  if (schema === null || place.depth > deepest) return [];
  if (isFreeText(schema)) return [{ pointer: place.base, guess: guess(name, schema), required: place.required }];
  const deeper = { ...place, depth: place.depth + 1 };
  const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const found = [
    ...inObject(schema, place),
    ...(schema['items'] === undefined ? [] : inSchema(name, schema['items'], deeper)),
    ...branches.flatMap((branch) => inSchema(name, branch, deeper)),
  ];
  return [...new Map(found.map((one) => [one.pointer, one])).values()];
}

function guess(name: string, schema: JsonObject): Mark {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const spelled = name.replaceAll(/[_-]/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return prosaic.test(spelled) || prosaic.test(description) ? 'prose' : 'reference';
}

/** The schema itself, or what a local `$ref` names; null where there is none. */
function resolved(schema: Json | undefined, root: JsonObject): JsonObject | null {
  let here: Json | undefined = schema;
  for (let hops = 0; isObject(here) && typeof here['$ref'] === 'string'; hops++) {
    const name = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(here['$ref']);
    const defs: Json | undefined = name ? root[name[1] ?? ''] : undefined;
    if (hops > deepest || !isObject(defs)) return null;
    here = defs[(name?.[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return isObject(here) ? here : null;
}
