// Forms servers ask a person to fill (spec host §§17, 18): reading the question, and what a person types in a terminal. Everything of the server's is foreign: bounded here, drawn visible by whoever shows it.
import { Failure } from '../shared/failures.ts';
import { typedNumber } from '../shared/formAnswer.ts';
import type { Choice, Field, Form } from '../shared/forms.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import { allowed, choiceWords, fits, quoted } from '../shared/fieldValues.ts';
import { bounded, readField, refusal } from './formSchema.ts';
import { readUrl } from './questionUrls.ts';
import { secretAskedIn } from './secretWords.ts';

const limits = { fields: 20, message: 4000 };
/** Keywords over the whole answer: left unread they would let a person fill a form in vain. */
const overall = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'dependentRequired'];

function readFields(schema: Json): Field[] {
  if (!isObject(schema) || (schema['type'] !== undefined && schema['type'] !== 'object'))
    throw refusal('The form is no list of fields: its schema is not of the type “object”.');
  const rule = overall.find((key) => Object.hasOwn(schema, key));
  if (rule !== undefined) throw refusal(`The form is no plain list of fields: its schema has ${quoted(rule)}.`);
  const properties = schema['properties'] ?? {};
  const required = schema['required'] ?? [];
  if (!isObject(properties) || !Array.isArray(required)) throw refusal('The form’s list of fields cannot be read.');
  const names = Object.keys(properties);
  if (names.length > limits.fields)
    throw refusal(`The form has ${names.length} fields; at most ${limits.fields} are shown.`);
  const missing = required.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  if (missing !== undefined)
    throw refusal(`The form requires ${quoted(JSON.stringify(missing))}, which is none of its fields.`);
  return names.map((name) => readField(name, properties[name] ?? null, required.includes(name)));
}

function readParams(params: JsonObject): Form {
  const given = params['message'] ?? '';
  if (typeof given !== 'string') throw refusal('The question has a message that is no text.');
  const message = bounded(given, limits.message);
  const mode = params['mode'] ?? 'form';
  if (mode === 'url') {
    const read = readUrl(typeof params['url'] === 'string' ? params['url'] : '');
    if (!read.ok) throw refusal(read.why);
    const { url, host, spelled, domain, warnings } = read;
    return { kind: 'url', message, url, host, spelled, domain, warnings };
  }
  if (mode !== 'form')
    throw refusal(`The question is of the mode ${quoted(JSON.stringify(mode))}; only form and url are known.`);
  const fields = readFields(params['requestedSchema'] ?? {});
  // Only where something could be typed: "enter your password on their page?" over a yes or no takes none.
  const typed = fields.some(
    (field) =>
      (field.type === 'string' && field.format === null) || field.type === 'integer' || field.type === 'number',
  );
  const secret = typed ? secretAskedIn(message) : null;
  if (secret !== null)
    throw refusal(`The message asks for ${secret}; such things are never typed into a server's form.`);
  return { kind: 'form', message, fields };
}

/** The stored request `{method, params}` as a question for a person, or why nobody is asked. Never throws on foreign data. */
export function readForm(request: JsonObject): Form {
  const { method, params } = request;
  try {
    if (method !== 'elicitation/create')
      throw refusal(
        `The server asks by ${quoted(JSON.stringify(method ?? null))}; only elicitation/create is answered.`,
      );
    if (!isObject(params)) throw refusal('The question has no content.');
    return readParams(params);
  } catch (error) {
    if (error instanceof Failure && error.code === 'forms.refused') return { kind: 'refused', why: error.message };
    throw error;
  }
}

export type TypedAnswer = { ok: true; value: Json | undefined } | { ok: false; says: string };

/** Numbers name choices only where no choice is itself a number. */
function numbered(choices: Choice[]): boolean {
  return !choices.some((choice) => /^\s*\d+\s*$/.test(choice.value) || /^\s*\d+\s*$/.test(choice.title));
}

/** The choice a person means: by value or title, then without regard to case, then by its place in the list. */
function choose(choices: Choice[], typed: string): Choice | string {
  const low = typed.toLowerCase();
  const exact = choices.filter((one) => one.value === typed || one.title === typed);
  const near = choices.filter((one) => one.value.toLowerCase() === low || one.title.toLowerCase() === low);
  const [found, other] = exact.length > 0 ? exact : near;
  if (found && other)
    return `${quoted(typed)} names more than one choice; give ${numbered(choices) ? 'its number' : 'the other name'}`;
  const counted = numbered(choices) && /^[1-9]\d{0,3}$/.test(typed) ? choices[Number(typed) - 1] : undefined;
  return found ?? counted ?? `${quoted(typed)} is none of the choices`;
}

function typedChoices(choices: Choice[], text: string): Json[] | string {
  const whole = choose(choices, text.trim());
  if (typeof whole !== 'string') return [whole.value];
  if (/^none$/i.test(text.trim())) return [];
  const found = text.split(',').map((one) => choose(choices, one.trim()));
  const wrong = found.find((one) => typeof one === 'string');
  return wrong ?? [...new Set(found.flatMap((one) => (typeof one === 'string' ? [] : [one.value])))];
}

function typedValue(field: Field, text: string): { value?: Json; says?: string } {
  switch (field.type) {
    case 'string':
      return { value: text === '""' ? '' : text };
    case 'number':
    case 'integer': {
      const value = typedNumber(text);
      return value === undefined ? {} : { value };
    }
    case 'boolean':
      if (/^\s*(?:y|yes|true)\s*$/i.test(text)) return { value: true };
      return /^\s*(?:n|no|false)\s*$/i.test(text) ? { value: false } : {};
    case 'choice': {
      const choice = choose(field.choices, text.trim());
      return typeof choice === 'string' ? { says: choice } : { value: choice.value };
    }
    case 'choices': {
      const values = typedChoices(field.choices, text);
      return typeof values === 'string' ? { says: values } : { value: values };
    }
  }
}

/**
 * What a person typed for one field. Nothing typed is no answer: `value` is undefined, to be left out of the content. A
 * text of two quotes, `""`, is the empty text; `none` ticks nothing; several choices are parted by commas.
 */
export function fromText(field: Field, text: string): TypedAnswer {
  if (text === '' || (field.type !== 'string' && text.trim() === '')) {
    if (!field.required || field.default !== null) return { ok: true, value: undefined };
    return { ok: false, says: `Needs an answer: ${allowed(field)}.` };
  }
  const { value, says } = typedValue(field, text);
  if (value !== undefined && fits(field, value)) return { ok: true, value };
  return { ok: false, says: says === undefined ? `Takes ${allowed(field)}.` : `${says}: it takes ${allowed(field)}.` };
}

function defaultWords(field: Field): string[] {
  const value = field.default;
  if (value === null) return [];
  if (typeof value === 'boolean') return [`default ${value ? 'yes' : 'no'}`];
  if (typeof value === 'number') return [`default ${value}`];
  if (value === '') return ['default the empty text'];
  const choices = field.type === 'choice' || field.type === 'choices' ? field.choices : [];
  const titles = [value].flat().map((one) => choices.find((choice) => choice.value === one)?.title ?? one);
  return [`default ${titles.length === 0 ? 'nothing ticked' : titles.map(quoted).join(', ')}`];
}

/** One line: name, what is allowed (choices with the numbers `fromText` takes), whether needed, default. */
export function describeField(field: Field): string {
  const named = field.title === null ? quoted(field.name) : `${quoted(field.title)} (${quoted(field.name)})`;
  const counted = (field.type === 'choice' || field.type === 'choices') && numbered(field.choices);
  const listed = (choices: Choice[]): string =>
    choices.map((choice, index) => `${counted ? `${index + 1} ` : ''}${choiceWords(choice)}`).join(', ');
  const words = allowed(field, listed);
  return [`${named}: ${words}`, field.required ? 'required' : 'optional', ...defaultWords(field)].join('; ');
}
