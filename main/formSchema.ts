// Reads one property of a server's form schema (MCP 2026-07-28, elicitation) into a field, or says why it is no field.
import { Failure } from '../shared/failures.ts';
import type { Choice, Field, FieldKind } from '../shared/forms.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import { fits, quoted } from '../shared/fieldValues.ts';
import { secretAsked } from './secretWords.ts';

const limits = { name: 128, title: 300, description: 2000, choices: 1000 };

/** Thrown for a form nobody is asked: `readForm` turns it into `{kind: 'refused'}`. */
export function refusal(why: string): Failure {
  return new Failure('forms.refused', why);
}

/** The text, whole or cut at a code point with the cut said. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept} … (cut: ${text.length} characters in all)`;
}

function text(schema: JsonObject, key: string, limit: number): string | null {
  const value = own(schema, key);
  return typeof value === 'string' ? bounded(value, limit) : null;
}

/** Only what the server sent: `constructor` and `__proto__` are names like any other. */
function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function limit(schema: JsonObject, key: string, name: string): number | null {
  const value = own(schema, key) ?? null;
  if (value === null) return null;
  const count = key !== 'minimum' && key !== 'maximum';
  if (typeof value !== 'number' || !Number.isFinite(value) || (count && (!Number.isInteger(value) || value < 0)))
    throw refusal(`The field ${quoted(name)} has a ${key} that is no ${count ? 'count' : 'number'}.`);
  return value;
}

function possible(low: number | null, high: number | null, name: string): void {
  if (low !== null && high !== null && low > high)
    throw refusal(`The field ${quoted(name)} cannot be answered: it wants at least ${low} and at most ${high}.`);
}

function titled(list: Json[], name: string): Choice[] {
  return list.map((one) => {
    const value = isObject(one) ? own(one, 'const') : undefined;
    if (!isObject(one) || typeof value !== 'string')
      throw refusal(`The field ${quoted(name)} has a choice that is no text.`);
    return { value, title: text(one, 'title', limits.title) ?? value };
  });
}

function named(list: Json[], titles: Json | undefined, name: string, notes: string[]): Choice[] {
  const names = Array.isArray(titles) && titles.length === list.length ? titles : [];
  if (titles !== undefined && names.length === 0) notes.push('Its names for the choices do not fit them: left out.');
  return list.map((value, index) => {
    if (typeof value !== 'string') throw refusal(`The field ${quoted(name)} has a choice that is no text.`);
    const title = names[index];
    return { value, title: typeof title === 'string' ? bounded(title, limits.title) : value };
  });
}

/** The choices of `enum`, `enum` + `enumNames`, or `oneOf`/`anyOf` of `{const, title}`; null where it offers none. */
function choicesOf(schema: JsonObject, name: string, notes: string[]): Choice[] | null {
  const list = own(schema, 'oneOf') ?? own(schema, 'anyOf');
  const values = own(schema, 'enum');
  let choices: Choice[];
  if (Array.isArray(values)) choices = named(values, own(schema, 'enumNames'), name, notes);
  else if (Array.isArray(list)) choices = titled(list, name);
  else return null;
  if (choices.length === 0) throw refusal(`The field ${quoted(name)} offers no choice.`);
  if (choices.length > limits.choices)
    throw refusal(`The field ${quoted(name)} offers ${choices.length} choices; at most ${limits.choices} are shown.`);
  if (new Set(choices.map((one) => one.value)).size < choices.length)
    throw refusal(`The field ${quoted(name)} offers the same choice twice.`);
  return choices;
}

const known: Record<FieldKind['type'], string[]> = {
  string: ['format', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  choice: ['enum', 'enumNames', 'oneOf', 'anyOf'],
  choices: ['items', 'minItems', 'maxItems', 'uniqueItems'],
};
const always = new Set(['type', 'title', 'description', 'default', 'examples', '$comment', '_meta']);

/** What the schema asks beyond a form's own keywords; a pattern above all is never run here (trust, foreign data). */
function unchecked(schema: JsonObject, type: FieldKind['type']): string[] {
  const others = Object.keys(schema).filter(
    (key) => !always.has(key) && !key.startsWith('x-') && !known[type].includes(key),
  );
  return others
    .slice(0, 5)
    .map((key) => `Its ${quoted(key)} is not checked here; the server may still turn the answer down.`);
}

function textKind(schema: JsonObject, name: string, notes: string[]): FieldKind {
  const given = own(schema, 'format') ?? null;
  if (given === 'password') throw refusal(`The field ${quoted(name)} asks for a password; a form must not.`);
  const format = given === 'email' || given === 'uri' || given === 'date' || given === 'date-time' ? given : null;
  if (given !== null && format === null)
    notes.push(`Its format ${quoted(JSON.stringify(given))} is not checked here; the server may still turn it down.`);
  const [minLength, maxLength] = [limit(schema, 'minLength', name), limit(schema, 'maxLength', name)];
  possible(minLength, maxLength, name);
  return { type: 'string', format, minLength, maxLength, default: null };
}

function choicesKind(schema: JsonObject, name: string, notes: string[]): FieldKind {
  const items = own(schema, 'items');
  const choices = isObject(items) ? choicesOf(items, name, notes) : null;
  if (choices === null)
    throw refusal(`The field ${quoted(name)} is a list of anything; a form has only lists to tick.`);
  const [minItems, maxItems] = [limit(schema, 'minItems', name), limit(schema, 'maxItems', name)];
  possible(minItems, Math.min(maxItems ?? Infinity, choices.length), name);
  return { type: 'choices', choices, minItems, maxItems, default: null };
}

function kindOf(schema: JsonObject, name: string, notes: string[]): FieldKind {
  const type = own(schema, 'type');
  if (type === 'string') {
    const choices = choicesOf(schema, name, notes);
    return choices ? { type: 'choice', choices, default: null } : textKind(schema, name, notes);
  }
  if (type === 'number' || type === 'integer') {
    const [minimum, maximum] = [limit(schema, 'minimum', name), limit(schema, 'maximum', name)];
    possible(minimum, maximum, name);
    return { type, minimum, maximum, default: null };
  }
  if (type === 'boolean') return { type, default: null };
  if (type === 'array') return choicesKind(schema, name, notes);
  if (type === 'object' || isObject(own(schema, 'properties')))
    throw refusal(`The field ${quoted(name)} is a form inside the form; only single answers can be asked for.`);
  const what = type === undefined ? 'has no type' : `is of the type ${quoted(JSON.stringify(type))}`;
  throw refusal(`The field ${quoted(name)} ${what}; a form has text, numbers, yes or no, and choices.`);
}

/** The kind with the schema's default, where it is an answer the field itself would take. */
function withDefault(kind: FieldKind, schema: JsonObject, notes: string[]): FieldKind {
  const value = own(schema, 'default') ?? null;
  if (value === null) return kind;
  // `fits` has just checked that the value is one this kind takes, which the type of the spread cannot say.
  if (fits(kind, value)) return { ...kind, default: value } as FieldKind;
  notes.push(`Its default ${quoted(JSON.stringify(value))} is no answer it allows: left out.`);
  return kind;
}

/** A field that takes free words could take a secret; a choice, a yes or no, a date and an e-mail address could not. */
function refuseSecrets(kind: FieldKind, name: string, schema: JsonObject): void {
  if (kind.type === 'boolean' || kind.type === 'choice' || kind.type === 'choices') return;
  if (kind.type === 'string' && kind.format !== null && kind.format !== 'uri') return;
  // What is cut is not shown, so it asks nobody.
  const title = text(schema, 'title', limits.title) ?? '';
  const description = text(schema, 'description', limits.description) ?? '';
  const secret = secretAsked({ name, title, description });
  if (secret !== null)
    throw refusal(`The field ${quoted(name)} asks for ${secret}; such things are never typed into a server's form.`);
}

/** One property of the schema as a field. Failure `forms.refused` with a sentence. */
export function readField(name: string, schema: Json, required: boolean): Field {
  if (name.length > limits.name) throw refusal(`A field's name has ${name.length} characters; at most ${limits.name}.`);
  if (!isObject(schema)) throw refusal(`The field ${quoted(name)} has no schema.`);
  const notes: string[] = [];
  const kind = kindOf(schema, name, notes);
  refuseSecrets(kind, name, schema);
  notes.push(...unchecked(schema, kind.type));
  const [title, description] = [text(schema, 'title', limits.title), text(schema, 'description', limits.description)];
  return { name, title, description, required, notes, ...withDefault(kind, schema, notes) };
}
