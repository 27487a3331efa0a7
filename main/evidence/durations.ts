// Times that are no calendar date: "within 5 working days", "tomorrow", "by Friday", "the 24th", "at 14:00". They promise
// as much as a date does, so each is a claim.
import { numberWord } from '../numbers.ts';
import { addDays, dayDistance, isoDay } from './dates.ts';
import { weekdayNumber, weekdayPattern } from './months.ts';

export interface DurationSpan {
  start: number;
  end: number;
  least: number;
  most: number;
  unit: 'minute' | 'hour' | 'day' | 'working day' | 'week' | 'month' | 'year';
}
export interface RelativeSpan {
  start: number;
  end: number;
  /** Days it can mean, seen from the reference day; empty for a word that moves with the reader ("tomorrow") or a time. */
  days: string[];
  form: 'weekday' | 'day of month' | 'moving' | 'time';
}

const units: [RegExp, DurationSpan['unit']][] = [
  [/^(?:working|business|week[\s-]?day)|^(?:arbeits|werk)|ouvr|hábil|laborable|habil/i, 'working day'],
  [/^min/i, 'minute'],
  [/^(?:h|hours?|hrs?|stunden?|heures?|horas?|uur|uren)$/i, 'hour'],
  [/^(?:days?|tage?n?|jours?|días?|dias?|dag(?:en)?|nights?|calendar days?)$/i, 'day'],
  [/^(?:weeks?|wochen?|semaines?|semanas?|weken|week)$/i, 'week'],
  [/^(?:months?|monate?n?|mois|mes(?:es)?|maand(?:en)?)$/i, 'month'],
  [/^(?:years?|jahre?n?|ans?|années?|años?|jaar|jaren)$/i, 'year'],
];
const unitPattern = String.raw`(?:working|business|week)[\s-]?days?|calendar days?|arbeitstage?n?|werktage?n?|werkdag(?:en)?|jours?\s+ouvr\p{L}+|días?\s+(?:hábiles|laborables)|minutes?|mins?|minuten|hours?|hrs?|stunden?|heures?|horas?|uur|days?|tage?n?|jours?|días?|dag(?:en)?|weeks?|wochen?|semaines?|semanas?|weken|months?|monate?n?|mois|mes(?:es)?|maand(?:en)?|years?|jahre?n?|années?|años?|jaar`;
const count = String.raw`\d{1,3}|(?:a|one|ein(?:e[mnr]?)?|une?|een)(?=\s)|[\p{L}-]{3,12}`;
const duration = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,€$£-])(?<a>${count})(?:\s?(?:-|–|to|or|bis|oder|à|a|tot|ou|of)\s?(?<b>${count}))?(?:\s|-)?(?:more\s+|full\s+|weiteren?\s+)?(?<u>${unitPattern})(?![\p{L}])`,
  'giu',
);

function amount(written: string | undefined): number | null {
  if (written === undefined) return null;
  if (/^\d+$/.test(written)) return Number(written);
  return /^(?:a|one|ein(?:e[mnr]?)?|une?|een)$/i.test(written) ? 1 : numberWord(written);
}

/** Durations with a number, in folded text. */
export function findDurations(text: string): DurationSpan[] {
  const found: DurationSpan[] = [];
  for (const match of text.matchAll(duration)) {
    const { a, b, u = '' } = match.groups ?? {};
    const least = amount(a) ?? amount(b);
    const unit = units.find(([form]) => form.test(u))?.[1];
    if (least === null || unit === undefined) continue;
    // "a day", "one day" said of any day is no duration: "have a good day", "one day".
    if (
      least === 1 &&
      !/^\d/.test(match[0]) &&
      !/(?:within|in|after|about|takes?|for|innerhalb|binnen|nach|dans|sous|en|over|every|per|than)\s+$/i.test(
        text.slice(0, match.index),
      )
    )
      continue;
    found.push({ start: match.index, end: match.index + match[0].length, least, most: amount(b) ?? least, unit });
  }
  return found;
}

const moving =
  /(?<![\p{L}\p{N}_])(?:today|tonight|tomorrow|yesterday|next week|this week|last week|next month|this month|last month|this (?:morning|afternoon|evening)|by the end of (?:the )?(?:day|week|month)|over the weekend|heute|morgen|übermorgen|gestern|nächste woche|diese woche|letzte woche|aujourd'hui|demain|hier|la semaine prochaine|hoy|mañana|ayer|la próxima semana|vandaag|gisteren|volgende week)(?![\p{L}\p{N}_])/giu;
const weekday = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${weekdayPattern})(?![\p{L}])`, 'giu');
const ordinal =
  /(?<![\p{L}\p{N}_])(?:on|by|until|since|before|from)\s+the\s+(\d{1,2})(?:st|nd|rd|th)(?!\s+(?:of\s+)?\p{L}*(?:order|item|parcel|time))(?![\p{L}\p{N}_])/giu;
const clock =
  /(?<![\p{N}\p{L}_.,:-])(?:[01]?\d|2[0-3]):[0-5]\d(?:\s?(?:am|pm|uhr|h))?(?![\p{N}\p{L}_:])|(?<![\p{N}\p{L}_.,:-])(?:1[0-2]|[1-9])\s?(?:am|pm|uhr|o'clock)(?![\p{L}])/giu;
// "Thank you for writing today", "how can we help you today", "Guten Morgen" say nothing about the order.
const courtesy =
  /(?:writing|contacting|reaching|got in touch|touch with us|message|help you|assist you|guten|hello|good|have a \p{L}+)(?:\s+(?:to|out|us|in|you|with|from))*\s+$/iu;

function weekdayDays(name: string, reference: string): string[] {
  const wanted = weekdayNumber(name);
  return Array.from({ length: 15 }, (_, index) => addDays(reference, index - 7)).filter(
    (day) => new Date(day).getUTCDay() === wanted,
  );
}

function ordinalDays(day: number, reference: string): string[] {
  const [year = 0, month = 0] = reference.split('-').map(Number);
  const near = [-1, 0, 1].map((shift) => new Date(Date.UTC(year, month - 1 + shift, 1)));
  return near
    .map((first) => isoDay(first.getUTCFullYear(), first.getUTCMonth() + 1, day))
    .filter((found) => found !== null && Math.abs(dayDistance(reference, found)) <= 31)
    .filter((found) => found !== null);
}

/** Weekdays, days of the month, moving words and clock times, in folded text. */
export function findRelative(text: string, reference: string): RelativeSpan[] {
  const found: RelativeSpan[] = [];
  for (const match of text.matchAll(moving))
    if (!courtesy.test(text.slice(Math.max(0, match.index - 40), match.index)))
      found.push({ start: match.index, end: match.index + match[0].length, days: [], form: 'moving' });
  for (const match of text.matchAll(weekday))
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      days: weekdayDays(match[0], reference),
      form: 'weekday',
    });
  for (const match of text.matchAll(ordinal))
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      days: ordinalDays(Number(match[1]), reference),
      form: 'day of month',
    });
  for (const match of text.matchAll(clock))
    found.push({ start: match.index, end: match.index + match[0].length, days: [], form: 'time' });
  return found.sort((a, b) => a.start - b.start);
}
