// Reads a tool's input schema as slots: one per argument the host may fill, each with the way it is filled
// (spec model, "choose, then fill"). Whatever does not fit a slot is left to a person.
import { isObject, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import type { Mark } from '../../shared/pins.ts';

interface Common {
  /** JSON pointer into the arguments. */
  pointer: string;
  name: string;
  required: boolean;
  description: string;
}
export type SlotSpec = Common &
  (
    | { way: 'const'; value: Json }
    | { way: 'choice'; values: (string | number | boolean)[]; titles: string[] }
    | { way: 'reference'; pattern: string | null; maxLength: number }
    | { way: 'number'; integer: boolean; minimum: number | null; maximum: number | null; fallback: number | null }
    | { way: 'date' }
    | { way: 'prose'; maxLength: number }
    | { way: 'list'; item: SlotSpec; most: number }
    | { way: 'person' }
  );

const depthLimit = 4;

/** The slots of an input schema, in the schema's order; prose last. Nested objects become slots of their own. */
export function slotsOf(schema: JsonObject, marks: Record<string, Mark>): SlotSpec[] {
  const slots = objectSlots(schema, schema, '', true, marks, 0);
  return [...slots.filter((slot) => slot.way !== 'prose'), ...slots.filter((slot) => slot.way === 'prose')];
}

function resolve(schema: Json | undefined, root: JsonObject): JsonObject | null {
  let here = schema;
  for (let hops = 0; hops < 16 && isObject(here) && typeof here['$ref'] === 'string'; hops++) {
    const ref: string = here['$ref'];
    if (!ref.startsWith('#/')) return null;
    let target: Json | undefined = root;
    for (const key of ref.slice(2).split('/'))
      target = isObject(target) ? target[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    here = target;
  }
  return isObject(here) && typeof here['$ref'] !== 'string' ? here : null;
}

function objectSlots(
  schema: JsonObject,
  root: JsonObject,
  base: string,
  required: boolean,
  marks: Record<string, Mark>,
  depth: number,
): SlotSpec[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const needs = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const pointer = `${base}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return slotsFor(name, pointer, resolve(property, root), root, required && needs.includes(name), marks, depth + 1);
  });
}

function slotsFor(
  name: string,
  pointer: string,
  schema: JsonObject | null,
  root: JsonObject,
  required: boolean,
  marks: Record<string, Mark>,
  depth: number,
): SlotSpec[] {
  const description = typeof schema?.['description'] === 'string' ? schema['description'] : '';
  const common: Common = { pointer, name, required, description };
  if (schema === null || depth > depthLimit) return [{ ...common, way: 'person' }];
  if ('const' in schema) return [{ ...common, way: 'const', value: schema['const'] ?? null }];
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches)) return branchSlots(common, branches, root, marks, depth);
  const choices = choicesOf(schema);
  if (choices !== null) return [{ ...common, way: 'choice', ...choices }];
  switch (typeOf(schema)) {
    case 'object':
      return objectSlots(schema, root, pointer, required, marks, depth);
    case 'array':
      return listSlots(common, schema, root, marks, depth);
    case 'string':
      return [stringSlot(common, schema, marks)];
    case 'integer':
    case 'number':
      return [numberSlot(common, schema)];
    case null:
    default:
      return [{ ...common, way: 'person' }];
  }
}

function typeOf(schema: JsonObject): string | null {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  const named = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return named.length === 1 && typeof named[0] === 'string' ? named[0] : null;
}

function choicesOf(schema: JsonObject): { values: (string | number | boolean)[]; titles: string[] } | null {
  if (schema['type'] === 'boolean') return { values: [true, false], titles: ['yes', 'no'] };
  const values = schema['enum'];
  if (!Array.isArray(values)) return null;
  const plain = values.filter(
    (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  );
  return plain.length === 0 ? null : { values: plain, titles: plain.map(String) };
}

function branchSlots(
  common: Common,
  branches: Json[],
  root: JsonObject,
  marks: Record<string, Mark>,
  depth: number,
): SlotSpec[] {
  const titled = branches.map((branch) => resolve(branch, root));
  const constants = titled.filter((branch) => branch !== null && typeof branch['const'] === 'string');
  if (constants.length === titled.length && constants.length > 0)
    return [
      {
        ...common,
        way: 'choice',
        values: constants.map((branch) => textOf(branch?.['const'])),
        titles: constants.map((branch) => textOf(branch?.['title'] ?? branch?.['const'])),
      },
    ];
  const real = titled.filter((branch) => branch !== null && branch['type'] !== 'null');
  return real.length === 1 && real[0] !== undefined
    ? slotsFor(common.name, common.pointer, real[0], root, common.required, marks, depth + 1)
    : [{ ...common, way: 'person' }];
}

function listSlots(
  common: Common,
  schema: JsonObject,
  root: JsonObject,
  marks: Record<string, Mark>,
  depth: number,
): SlotSpec[] {
  const item = slotsFor(common.name, common.pointer, resolve(schema['items'], root), root, true, marks, depth + 1);
  const most = typeof schema['maxItems'] === 'number' ? Math.min(schema['maxItems'], 8) : 8;
  const only = item[0];
  if (item.length !== 1 || only === undefined || (only.way !== 'reference' && only.way !== 'choice'))
    return [{ ...common, way: 'person' }];
  return [{ ...common, way: 'list', item: only, most }];
}

function stringSlot(common: Common, schema: JsonObject, marks: Record<string, Mark>): SlotSpec {
  const maxLength = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 400;
  if (typeof schema['pattern'] === 'string')
    return { ...common, way: 'reference', pattern: schema['pattern'], maxLength };
  if (schema['format'] === 'date') return { ...common, way: 'date' };
  if (typeof schema['format'] === 'string' || marks[common.pointer] !== 'prose')
    return { ...common, way: 'reference', pattern: null, maxLength };
  return { ...common, way: 'prose', maxLength };
}

function numberSlot(common: Common, schema: JsonObject): SlotSpec {
  function bound(key: string): number | null {
    const value = schema[key];
    return typeof value === 'number' ? value : null;
  }
  return {
    ...common,
    way: 'number',
    integer: schema['type'] === 'integer',
    minimum: bound('minimum'),
    maximum: bound('maximum'),
    fallback: bound('default'),
  };
}
