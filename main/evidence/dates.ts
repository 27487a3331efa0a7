// Calendar dates in a text: with or without a year, in words or in numbers. Nothing is guessed silently: what has two
// readings keeps both.
import { monthNumber, monthPattern } from './months.ts';
import { createTaken } from './taken.ts';

export interface DateSpan {
  start: number;
  end: number;
  /** Possible days as `YYYY-MM-DD`; empty where no such day exists ("31 June"); several where it can be read twice. */
  days: string[];
  precision: 'day' | 'month';
  /** False where the year was not written and comes from the reference date. */
  year: boolean;
}

interface Reading {
  day: number;
  month: number;
  year: number | null;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `YYYY-MM-DD`, or null where there is no such day. */
export function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year < 2200
    ? `${pad(year, 4)}-${pad(month)}-${pad(day)}`
    : null;
}

/** Days from a to b, both `YYYY-MM-DD`. */
export function dayDistance(a: string, b: string): number {
  return Math.round((Date.parse(b) - Date.parse(a)) / 86_400_000);
}

/** A day moved by whole days. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function century(year: string | undefined): number | null {
  if (year === undefined) return null;
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}

/** The day nearest to the reference among the years around it. */
function nearest(reading: Reading, reference: string): string[] {
  if (reading.year !== null) return [isoDay(reading.year, reading.month, reading.day)].filter((day) => day !== null);
  const base = Number(reference.slice(0, 4));
  const days = [base - 1, base, base + 1]
    .map((year) => isoDay(year, reading.month, reading.day))
    .filter((day) => day !== null);
  const [best] = days.sort((a, b) => Math.abs(dayDistance(reference, a)) - Math.abs(dayDistance(reference, b)));
  return best === undefined ? [] : [best];
}

const year = String.raw`(?:,?\s+(?:de\s+|del\s+)?'?(?<y>(?:19|20)\d{2}))?`;
const edge = String.raw`(?<![\p{L}\p{N}_-])`;
const stop = String.raw`(?![\p{L}\p{N}_])`;
const dayFirst = new RegExp(
  String.raw`${edge}(?<d>\d{1,2})(?:st|nd|rd|th|er|\.|º|e|ste|de)?\s*(?:of\s+|de\s+|-)?(?<m>${monthPattern})(?![\p{L}])(?:\.(?=\s+(?:19|20)\d{2}))?${year}${stop}`,
  'giu',
);
const monthFirst = new RegExp(
  String.raw`${edge}(?<m>${monthPattern})\.?\s+(?:the\s+)?(?<d>\d{1,2})(?:st|nd|rd|th)?(?![\d.]*\d)${year}${stop}`,
  'giu',
);
const isoForm =
  /(?<![\p{L}\p{N}_-])(?<y>(?:19|20)\d{2})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\p{L}\p{N}_-])/giu;
const numeric =
  /(?<![\p{L}\p{N}_.,/-])(?<a>\d{1,2})(?<s>[./-])(?<b>\d{1,2})\k<s>(?<y>(?:19|20)\d{2}|\d{2})(?![\p{N}\p{L}_/-])/gu;
const dotted = /(?<![\p{L}\p{N}_.,/€$£-])(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?![\p{N}\p{L}_])/gu;
const afterPreposition =
  /(?<=(?:^|\s)(?:am|vom|bis|seit|den|dem|ab)\s)(?<d>\d{1,2})\.(?<m>\d{1,2})(?![\p{N}\p{L}_.])/giu;
const slashed =
  /(?<=(?:^|\s)(?:on|by|since|until|from|am|vom|le|du|el|op)\s)(?<a>\d{1,2})\/(?<b>\d{1,2})(?![\p{N}\p{L}_/])/giu;
const monthOnly = new RegExp(
  String.raw`${edge}(?<p>in|since|from|until|of|early|mid|late|during|seit|im|ab|en|depuis|desde|sinds|begin|anfang|ende|last|this|next)\s+(?:the\s+)?(?<m>${monthPattern})(?![\p{L}])${year}(?!\s+\d)${stop}`,
  'giu',
);

function readings(groups: Record<string, string | undefined>, language: string): Reading[] {
  const written = century(groups['y']);
  if (groups['a'] !== undefined && groups['b'] !== undefined) {
    const [a, b] = [Number(groups['a']), Number(groups['b'])];
    const dayMonth = { day: a, month: b, year: written };
    const monthDay = { day: b, month: a, year: written };
    // Only English writes both orders; with dots it is always the day first.
    if (language !== 'en' || groups['s'] === '.' || a === b) return [dayMonth];
    return [dayMonth, monthDay].filter((one) => one.month <= 12);
  }
  const month = monthNumber(groups['m'] ?? '') ?? Number(groups['m']);
  return [{ day: Number(groups['d'] ?? 1), month, year: written }];
}

/** All calendar dates in folded text. `reference` (`YYYY-MM-DD`, the day the ticket came) settles a missing year. */
export function findDates(text: string, language: string, reference: string): DateSpan[] {
  const found: DateSpan[] = [];
  const taken = createTaken(text.length);
  const forms = [
    isoForm,
    numeric,
    dayFirst,
    monthFirst,
    slashed,
    ...(language === 'en' ? [] : [dotted, afterPreposition]),
    monthOnly,
  ];
  for (const form of forms)
    for (const match of text.matchAll(form)) {
      const groups: Record<string, string | undefined> = match.groups ?? {};
      const start =
        match.index +
        (groups['p'] === undefined ? 0 : match[0].toLowerCase().lastIndexOf((groups['m'] ?? '').toLowerCase()));
      const end = match.index + match[0].length;
      // "it may 3 times" is no third of May.
      if (
        form === monthFirst &&
        /^(?:may|mar)$/.test(groups['m'] ?? '') &&
        !/(?:on|since|from|until|by|of|before|after)\s+$/i.test(text.slice(0, start))
      )
        continue;
      if (form === monthOnly && /^(?:mar|set|dec|ene|in)$/i.test(groups['m'] ?? '')) continue;
      if (!taken.take(start, end)) continue;
      const days = readings(groups, language).flatMap((reading) => nearest(reading, reference));
      found.push({
        start,
        end,
        days: [...new Set(days)],
        precision: form === monthOnly ? 'month' : 'day',
        year: groups['y'] !== undefined,
      });
    }
  return found.sort((a, b) => a.start - b.start);
}
