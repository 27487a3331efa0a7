// What a person has filled in so far, and the answer it comes to. A field that was never touched is absent: its default
// counts. A field that was cleared is null: it is left out, default or not.
import { checkAnswer, typedNumber } from '../../shared/formAnswer.ts';
import type { CheckedAnswer, Field, FillableForm } from '../../shared/forms.ts';
import { textOf, type Json, type JsonObject } from '../../shared/json.ts';

type Typed = string | boolean | string[] | null;
export type Filled = Readonly<Record<string, Typed>>;

/** The answer, or all that is wrong with it. */
export function answerOf(form: FillableForm, filled: Filled): CheckedAnswer {
  return checkAnswer(form, contentOf(form, filled));
}

/** What is sent: fields that were never touched are not in it, so that the host takes their default. */
export function contentOf({ fields }: FillableForm, filled: Filled): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      const typed = Object.hasOwn(filled, field.name) ? filled[field.name] : undefined;
      return typed === undefined ? [] : [[field.name, sent(field, typed)]];
    }),
  );
}

function sent({ type }: Field, typed: Typed): Json {
  if (typed === '' || typed === null) return null;
  // What is no number is sent to the check as it was typed, which says what is wrong with it.
  if ((type === 'number' || type === 'integer') && typeof typed === 'string') return typedNumber(typed) ?? typed;
  return typed;
}

/** What the field shows: what was typed, else its default. */
export function shownOf(field: Field, filled: Filled): Typed {
  const typed = Object.hasOwn(filled, field.name) ? filled[field.name] : undefined;
  if (typed !== undefined) return typed;
  return typeof field.default === 'number' ? String(field.default) : field.default;
}

/** The value as a person reads it before it is sent. */
export function answerWords(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) return 'no answer';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === '') return 'the empty text';
  const titles = field.type === 'choice' || field.type === 'choices' ? field.choices : [];
  const named = [value].flat().map((one) => titles.find((choice) => choice.value === one)?.title ?? textOf(one));
  return named.length === 0 ? 'nothing ticked' : named.join(', ');
}
