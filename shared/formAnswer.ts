/** The one check of an answered form, in the view before it is sent and in the host before it is stored (spec host §§17, 18). */
import { allowed, fits } from './fieldValues.ts';
import type { CheckedAnswer, Field, FieldProblem, FillableForm } from './forms.ts';
import type { Json, JsonObject } from './json.ts';

/** What is sent for a field: undefined = nothing, not even null. An empty tick list that is too short is no answer. */
function given(field: Field, content: JsonObject): Json | undefined {
  if (!Object.hasOwn(content, field.name)) return field.default ?? undefined;
  const value = content[field.name] ?? null;
  const unticked = field.type === 'choices' && Array.isArray(value) && value.length === 0;
  return value === null || (unticked && (field.minItems ?? 0) > 0) ? undefined : value;
}

/**
 * The answer as it is sent, or everything that is wrong with it. An absent field takes its default; `null` means that a
 * person emptied it: it is left out, default or not.
 */
export function checkAnswer(form: FillableForm, content: JsonObject): CheckedAnswer {
  const problems: FieldProblem[] = [];
  const entries: [string, Json][] = [];
  for (const field of form.fields) {
    const value = given(field, content);
    if (value === undefined) {
      if (field.required) problems.push({ field: field.name, says: `needs an answer: ${allowed(field)}.` });
    } else if (fits(field, value)) entries.push([field.name, value]);
    else problems.push({ field: field.name, says: `takes ${allowed(field)}.` });
  }
  const names = new Set(form.fields.map((field) => field.name));
  for (const name of Object.keys(content))
    if (!names.has(name)) problems.push({ field: name, says: 'is no field of this form.' });
  // fromEntries defines own keys, so a field called `__proto__` is only a key.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, content: Object.fromEntries(entries) };
}

/** A number as a person types one; undefined for anything that would be sent as another. */
export function typedNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  // More than 15 digits would be sent as another number than was typed.
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');
  return digits.length <= 15 || Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
