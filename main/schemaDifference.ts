/**
 * Changes between two JSON Schemas in sentences, each judged for who calls a tool and who reads its results. Works on
 * the usual parts (types, properties, required, enum, limits); any other difference is named and taken as breaking.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { SchemaChange } from '../shared/pins.ts';
import { isFreeText } from './freeText.ts';
import { visible } from './visible.ts';

type Side = 'input' | 'output';

const deepest = 32;
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
/** Members that describe without restricting. */
const words = ['description', 'title', 'examples', 'default', '$comment', 'deprecated', '$schema', '$id'];
const known = new Set([
  ...lower,
  ...upper,
  ...words,
  'type',
  'properties',
  'required',
  'enum',
  'items',
  'additionalProperties',
]);

/** `input`: the tool takes such values. `output`: it gives them, so looser is what breaks. */
export function schemaDifference(before: Json, after: Json, side: Side): SchemaChange[] {
  return compare(before, after, { side, at: '', depth: 0 });
}

interface Place {
  side: Side;
  at: string;
  depth: number;
}
/** `stricter` breaks callers of an input, `looser` breaks readers of an output; null is neither. */
function change(place: Place, text: string, effect: 'stricter' | 'looser' | 'both' | null): SchemaChange {
  const breaks = effect === 'both' || effect === (place.side === 'input' ? 'stricter' : 'looser');
  return { at: place.at, text, breaking: breaks ? (place.side === 'input' ? 'callers' : 'readers') : null };
}
function named(place: Place): string {
  return place.at === '' ? 'The whole value' : `\`${visible(place.at.slice(1))}\``;
}
function show(value: Json | undefined): string {
  return visible(JSON.stringify(value ?? null)).slice(0, 200);
}

function compare(before: Json, after: Json, place: Place): SchemaChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [whole(before, after, place)];
  if (place.depth > deepest) return [change(place, `${named(place)} changed.`, 'both')];
  return [
    ...types(before, after, place),
    ...enums(before, after, place),
    ...limits(before, after, place),
    ...members(before, after, place),
    ...extra(before, after, place),
    ...items(before, after, place),
    ...others(before, after, place),
  ];
}

function whole(before: Json, after: Json, place: Place): SchemaChange {
  if (before === true) return change(place, `${named(place)} took anything and is now described.`, 'stricter');
  if (after === true) return change(place, `${named(place)} is no longer described: anything goes.`, 'looser');
  return change(place, `${named(place)} changed from ${show(before)} to ${show(after)}.`, 'both');
}

function types(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  const [old, now] = [before['type'], after['type']];
  if (isDeepStrictEqual(old, now)) return [];
  if (now === undefined)
    return [change(place, `${named(place)} was ${typeWords(old)} and now takes any type.`, 'looser')];
  if (old === undefined)
    return [change(place, `${named(place)} took any type and is now ${typeWords(now)}.`, 'stricter')];
  return [
    change(
      place,
      `${named(place)} was ${typeWords(old)} and is now ${typeWords(now)}.`,
      effectOf(allowed(old), allowed(now)),
    ),
  ];
}
/** Every whole number is a number too. */
function allowed(type: Json): Json[] {
  const types = [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
}
function typeWords(type: Json | undefined): string {
  return Array.isArray(type) ? type.map(show).join(' or ') : show(type);
}
function effectOf(old: Json[], now: Json[]): 'stricter' | 'looser' | 'both' | null {
  const has = (list: Json[], one: Json) => list.some((other) => isDeepStrictEqual(one, other));
  const lost = old.some((one) => !has(now, one));
  const gained = now.some((one) => !has(old, one));
  if (lost && gained) return 'both';
  return lost ? 'stricter' : gained ? 'looser' : null;
}

function enums(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  const [old, now] = [before['enum'], after['enum']];
  if (isDeepStrictEqual(old, now)) return [];
  if (!Array.isArray(now)) return [change(place, `${named(place)} is no longer limited to ${show(old)}.`, 'looser')];
  if (!Array.isArray(old)) return [change(place, `${named(place)} is now limited to ${show(now)}.`, 'stricter')];
  return [change(place, `${named(place)} was one of ${show(old)} and is now one of ${show(now)}.`, effectOf(old, now))];
}

function limits(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  return [...lower, ...upper].flatMap((key) => {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) return [];
    if (now === undefined)
      return [change(place, `${named(place)} has no ${key} any more (was ${show(old)}).`, 'looser')];
    if (old === undefined) return [change(place, `${named(place)} has a new ${key} of ${show(now)}.`, 'stricter')];
    const higher = Number(now) > Number(old);
    const effect = higher === lower.includes(key) ? 'stricter' : 'looser';
    return [change(place, `${named(place)}: ${key} went from ${show(old)} to ${show(now)}.`, effect)];
  });
}

function propertiesOf(schema: JsonObject): JsonObject {
  const found = schema['properties'];
  return isObject(found) ? found : {};
}
function requires(schema: JsonObject, name: string): boolean {
  const required = schema['required'];
  return Array.isArray(required) && required.includes(name);
}

function members(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
    const inner = { ...place, at: `${place.at}/${pointer}`, depth: place.depth + 1 };
    const was = Object.hasOwn(old, name) ? old[name] : undefined;
    const is = Object.hasOwn(now, name) ? now[name] : undefined;
    if (was === undefined && is !== undefined) return [added(is, before, requires(after, name), inner)];
    if (was === undefined || is === undefined) return [removed(after, requires(before, name), inner)];
    return [...need(requires(before, name), requires(after, name), inner), ...compare(was, is, inner)];
  });
}
function added(schema: Json, before: JsonObject, required: boolean, place: Place): SchemaChange {
  const takes = isObject(schema) && isFreeText(schema) ? ' and takes any text' : '';
  if (place.side === 'output') {
    // Whoever holds results against the old schema refuses what it does not name.
    const refused = before['additionalProperties'] === false;
    const text = `${named(place)} is new${takes}${required ? ' and always there' : ''}${refused ? ', where nothing else was to come' : ''}.`;
    return change(place, text, refused ? 'looser' : null);
  }
  return change(
    place,
    `${named(place)} is new${takes}${required ? ' and required' : ''}.`,
    required ? 'stricter' : null,
  );
}
function removed(after: JsonObject, required: boolean, place: Place): SchemaChange {
  if (place.side === 'output') return change(place, `${named(place)} is gone.`, 'looser');
  const refused = after['additionalProperties'] === false;
  const was = required ? ' (it was required)' : '';
  return change(place, `${named(place)} is gone${was}${refused ? ' and is now refused' : ''}.`, 'stricter');
}
function need(before: boolean, after: boolean, place: Place): SchemaChange[] {
  if (before === after) return [];
  return [change(place, `${named(place)} is ${after ? 'now' : 'no longer'} required.`, after ? 'stricter' : 'looser')];
}

function extra(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  const [old, now] = [before['additionalProperties'] ?? true, after['additionalProperties'] ?? true];
  if (isDeepStrictEqual(old, now)) return [];
  if (now === false) return [change(place, `${named(place)} now refuses members it does not name.`, 'stricter')];
  if (old === false) return [change(place, `${named(place)} now takes members it does not name.`, 'looser')];
  return [change(place, `What ${named(place)} takes beside its named members changed.`, 'both')];
}
function items(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  return compare(before['items'] ?? true, after['items'] ?? true, {
    ...place,
    at: `${place.at}/*`,
    depth: place.depth + 1,
  });
}
function others(before: JsonObject, after: JsonObject, place: Place): SchemaChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now) || (known.has(key) && !words.includes(key))) return [];
    const text = `${named(place)}: ${visible(key)} went from ${show(old)} to ${show(now)}.`;
    if (words.includes(key)) return [change(place, text, null)];
    return [change(place, text, old === undefined ? 'stricter' : now === undefined ? 'looser' : 'both')];
  });
}
