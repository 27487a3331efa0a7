// What one field of a form allows: the check of a value, and the same in words. Nothing here runs a server's pattern.
import { z } from 'zod';
import type { Choice, FieldKind } from './forms.ts';
import type { Json } from './json.ts';

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/i;
const mailbox = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const uri = /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;
/** Addresses that run or read something where they are opened. */
const dangerous = /^(?:javascript|data|file|vbscript|blob|filesystem|about|view-source):/i;

/** Foreign words inside a sentence of ours: one line, bounded. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return `“${line.length > 80 ? `${line.slice(0, 79).replace(/[\uD800-\uDBFF]$/, '')}…` : line}”`;
}

/** A choice as a person reads it, with what is sent where that differs. */
export function choiceWords(choice: Choice): string {
  return choice.title === choice.value
    ? quoted(choice.value)
    : `${quoted(choice.title)} (sends ${quoted(choice.value)})`;
}

function isDay(text: string): boolean {
  const [, year, month, day] = (date.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const found = new Date(Date.UTC(year, month - 1, day));
  return found.getUTCMonth() === month - 1 && found.getUTCDate() === day;
}

function isMoment(text: string): boolean {
  const [, day = '', hour, minute, second, zoneHour = '0', zoneMinute = '0'] = dateTime.exec(text) ?? [];
  if (!isDay(day)) return false;
  return (
    [hour, zoneHour].every((one) => Number(one) < 24) && [minute, second, zoneMinute].every((one) => Number(one) < 60)
  );
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return text.length <= 254 && at <= 64 && mailbox.test(text.slice(0, at)) && domain.test(text.slice(at + 1));
}

function isUri(text: string): boolean {
  if (!uri.test(text) || dangerous.test(text)) return false;
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/?#]/i.test(text)) return false;
  return z.url().safeParse(text).success;
}

const formats = {
  email: { test: isEmail, words: 'an e-mail address like name@example.com' },
  uri: { test: isUri, words: 'a full address like https://example.com/page (not javascript:, data: or file:)' },
  date: { test: isDay, words: 'a day of the calendar as YYYY-MM-DD' },
  'date-time': {
    test: isMoment,
    words: 'a date and time with its zone, like 2026-03-07T14:30:00Z or 2026-03-07T14:30:00+01:00',
  },
};

function range(low: number | null, high: number | null, unit = ''): string {
  if (low !== null && high !== null) return low === high ? `exactly ${low}${unit}` : `${low} to ${high}${unit}`;
  if (low !== null) return `at least ${low}${unit}`;
  return high === null ? '' : `at most ${high}${unit}`;
}

function firstChoices(choices: Choice[]): string {
  const more = choices.length > 20 ? [`${choices.length - 20} more`] : [];
  return [...choices.slice(0, 20).map(choiceWords), ...more].join(', ');
}

/** What may be answered, in words; `listed` writes the choices. */
export function allowed(field: FieldKind, listed: (choices: Choice[]) => string = firstChoices): string {
  switch (field.type) {
    case 'string': {
      const words = field.format === null ? 'text' : formats[field.format].words;
      return [words, range(field.minLength, field.maxLength, ' characters')].filter(Boolean).join(', ');
    }
    case 'number':
    case 'integer': {
      const words = field.type === 'integer' ? 'a whole number' : 'a number';
      return [words, range(field.minimum, field.maximum)].filter(Boolean).join(', ');
    }
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return `one of ${listed(field.choices)}`;
    case 'choices': {
      const many = range(field.minItems, field.maxItems) || 'any number';
      return `${many} of ${listed(field.choices)}`;
    }
  }
}

function within(value: number, low: number | null, high: number | null): boolean {
  return (low === null || value >= low) && (high === null || value <= high);
}

function stringFits(field: FieldKind & { type: 'string' }, value: Json): boolean {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  if (field.format !== null && !formats[field.format].test(value)) return false;
  const { minLength: low, maxLength: high } = field;
  return (low === null && high === null) || within(Array.from(value).length, low, high);
}

function numberFits(field: FieldKind & { type: 'number' | 'integer' }, value: Json): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  // Beyond 2^53 a whole number is not the one that was typed.
  return (field.type === 'number' || Number.isSafeInteger(value)) && within(value, field.minimum, field.maximum);
}

function choicesFit(field: FieldKind & { type: 'choices' }, value: Json): boolean {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return false;
  const known = value.every((one) => field.choices.some((choice) => choice.value === one));
  return known && within(value.length, field.minItems, field.maxItems);
}

/** True where the value may be sent for this field. Lengths count code points. */
export function fits(field: FieldKind, value: Json): boolean {
  switch (field.type) {
    case 'string':
      return stringFits(field, value);
    case 'number':
    case 'integer':
      return numberFits(field, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return field.choices.some((choice) => choice.value === value);
    case 'choices':
      return choicesFit(field, value);
  }
}
