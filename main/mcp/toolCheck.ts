/** Why a tool or a schema is parked before anything compiles it: shape, size and depth (spec trust, "Limits"). */
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { defaultLimits, type Limits } from './limits.ts';

type SchemaLimits = Pick<Limits, 'schemaBytes' | 'schemaDepth' | 'schemaParts'>;

/** Reason to park a raw tool, or null. Everything else of the server goes on. */
export function checkTool(raw: Json, limits: SchemaLimits = defaultLimits): string | null {
  if (!isObject(raw)) return 'The list holds something that is no tool.';
  if (typeof raw.name !== 'string') return 'It has no name.';
  if (raw.name.length > 128) return 'Its name is longer than 128 characters.';
  if (!/^[A-Za-z0-9_.-]+$/.test(raw.name))
    return 'Its name holds characters other than letters, digits, "_", "-" and ".".';
  for (const text of ['title', 'description'] as const)
    if (raw[text] !== undefined && typeof raw[text] !== 'string') return `Its ${text} is not text.`;
  for (const object of ['annotations', '_meta'] as const)
    if (raw[object] !== undefined && !isObject(raw[object])) return `Its ${object} is not an object.`;
  if (!isObject(raw.inputSchema)) return 'Its inputSchema is not an object.';
  if (raw.inputSchema.type !== 'object')
    return 'Its inputSchema does not say "type": "object", so its arguments have no names.';
  const input = checkSchema(raw.inputSchema, limits);
  if (input !== null) return `Its inputSchema: ${input}`;
  if (raw.outputSchema === undefined) return null;
  if (!isObject(raw.outputSchema)) return 'Its outputSchema is not an object.';
  const output = checkSchema(raw.outputSchema, limits);
  return output === null ? null : `Its outputSchema: ${output}`;
}

/** A value of this name is lost on its way from whoever types it. */
const lost = '__proto__';
const noBlank = `It asks for “${lost}”, which nobody can fill in here.`;

/** Reason why a prompt cannot be used, or null. */
export function checkPrompt(raw: Json): string | null {
  if (!isObject(raw)) return 'The list holds something that is no prompt.';
  if (typeof raw.name !== 'string' || raw.name === '') return 'It has no name.';
  if (raw.name.length > 128) return 'Its name is longer than 128 characters.';
  for (const text of ['title', 'description'] as const)
    if (raw[text] !== undefined && typeof raw[text] !== 'string') return `Its ${text} is not text.`;
  const given = raw.arguments ?? [];
  if (!Array.isArray(given)) return 'Its arguments are no list.';
  if (given.length > 20) return `It wants ${given.length} arguments; 20 are allowed.`;
  const isNamed = given.every((one) => isObject(one) && typeof one.name === 'string');
  if (!isNamed) return 'One of its arguments has no name.';
  return given.some((one) => isObject(one) && one.name === lost) ? noBlank : null;
}

/** Reason why a template of resources cannot be used, or null. */
export function checkTemplate(raw: Json): string | null {
  if (!isObject(raw)) return 'The list holds something that is no template.';
  if (typeof raw.uriTemplate !== 'string' || raw.uriTemplate === '') return 'It has no uriTemplate.';
  if (raw.uriTemplate.length > 512) return 'Its uriTemplate is longer than 512 characters.';
  if (typeof raw.name !== 'string' || raw.name === '') return 'It has no name.';
  for (const text of ['title', 'description'] as const)
    if (raw[text] !== undefined && typeof raw[text] !== 'string') return `Its ${text} is not text.`;
  const left = raw.uriTemplate.replaceAll(/\{[A-Za-z0-9_]{1,64}\}/g, '');
  if (/[{}]/.test(left)) return 'Its uriTemplate is filled in a way the desk does not know; only “{name}” is.';
  return raw.uriTemplate.includes(`{${lost}}`) ? noBlank : null;
}

const dialects = ['draft-06', 'draft-07', '2019-09', '2020-12'];
const one = new Set(
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const many = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const named = new Set(['$defs', 'definitions', 'dependentSchemas', 'dependencies', 'patternProperties', 'properties']);

/** Reason not to compile a schema, or null. */
export function checkSchema(root: JsonObject, limits: SchemaLimits = defaultLimits): string | null {
  const declared = root.$schema;
  if (
    declared !== undefined &&
    !(typeof declared === 'string' && dialects.some((dialect) => declared.includes(dialect)))
  )
    return `it is written in a dialect the desk does not know (${JSON.stringify(declared).slice(0, 80)}).`;
  // JSON came in no deeper than a message may be, so writing it out is safe before its own depth is known.
  const bytes = Buffer.byteLength(JSON.stringify(root));
  if (bytes > limits.schemaBytes) return `it is ${bytes} bytes long; ${limits.schemaBytes} are allowed.`;
  let count = 0;
  const open: { schema: JsonObject; depth: number }[] = [{ schema: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { schema, depth } = next;
    if (depth > limits.schemaDepth) return `its schemas nest deeper than ${limits.schemaDepth} levels.`;
    if (++count > limits.schemaParts) return `it has more than ${limits.schemaParts} schemas inside.`;
    const problem = checkReference(root, schema);
    if (problem !== null) return problem;
    for (const child of children(schema)) if (isObject(child)) open.push({ schema: child, depth: depth + 1 });
  }
  return null;
}

function children(schema: JsonObject): Json[] {
  const found: Json[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (one.has(key)) found.push(value);
    if (many.has(key) && Array.isArray(value)) found.push(...value);
    if (named.has(key) && isObject(value)) found.push(...Object.values(value));
  }
  return found;
}

function checkReference(root: JsonObject, schema: JsonObject): string | null {
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef'] as const) {
    const target = schema[key];
    if (target === undefined) continue;
    if (typeof target !== 'string') return `its ${key} is not text.`;
    if (!target.startsWith('#'))
      return `it refers to another document (${target.slice(0, 120)}); only "#…" is followed.`;
    if ((target === '#' || target.startsWith('#/')) && !resolves(root, target))
      return `its ${key} ${target.slice(0, 120)} points to nothing.`;
  }
  return null;
}

function resolves(root: JsonObject, target: string): boolean {
  let here: Json | undefined = root;
  for (const part of target.split('/').slice(1)) {
    let key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    try {
      key = decodeURIComponent(key);
    } catch {
      return false;
    }
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return false;
  }
  return here !== undefined;
}
