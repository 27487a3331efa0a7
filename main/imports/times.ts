// Times as exports write them. What has one meaning is read; whether the day or the month comes first, and in which zone a
// clock without one stood, is found in the file or asked, never taken from this machine.
import { monthNumber, monthPattern } from '../evidence/months.ts';
import { utc } from '../ticketRecord.ts';
import { instantOf, type LocalTime } from './zones.ts';

/** A time as it is written: an instant, a clock without a zone, or none the desk can read. */
export type Written =
  | { kind: 'instant'; at: string }
  | { kind: 'local'; local: LocalTime }
  /** `first` and `second` are day and month, in an order the text does not say. */
  | { kind: 'either'; first: number; second: number; local: LocalTime; zone: string | null }
  | { kind: 'none' };
export type DayOrder = 'day first' | 'month first';

const clock = String.raw`(?:(?:,|\s+um|\s+at|T)?\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap]\.?m\.?)?(?:\s*(?:uhr|h))?)?`;
const zoned = String.raw`(\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?(?:\s*\([A-Z]{2,5}\))?`;
const day = String.raw`(?:\p{L}{2,12}\.?,?\s+)?`;
const patterns: { order: 'ymd' | 'dmy' | 'either' | 'mdy'; pattern: RegExp }[] = [
  { order: 'ymd', pattern: whole(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`) },
  // With dots the day always comes first.
  { order: 'dmy', pattern: whole(String.raw`${day}(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})`) },
  { order: 'either', pattern: whole(String.raw`(\d{1,2})[-/](\d{1,2})[-/](\d{4})`) },
  { order: 'either', pattern: whole(String.raw`(\d{1,2})/(\d{1,2})/(\d{2})`) },
  {
    order: 'dmy',
    pattern: whole(
      String.raw`${day}(\d{1,2})(?:\.|st|nd|rd|th)?[\s-](?:de\s)?(${monthPattern})\.?,?[\s-](?:de\s)?(\d{4})`,
    ),
  },
  { order: 'mdy', pattern: whole(String.raw`${day}(${monthPattern})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})`) },
];
function whole(date: string): RegExp {
  return new RegExp(`^${date}${clock}${zoned}$`, 'iu');
}

export function readTime(text: string): Written {
  const trimmed = text.trim();
  const exact = utc(trimmed);
  if (exact !== undefined) return { kind: 'instant', at: exact };
  for (const { order, pattern } of patterns) {
    const found = pattern.exec(trimmed);
    if (found !== null) return written(order, found);
  }
  return { kind: 'none' };
}

function written(order: (typeof patterns)[number]['order'], found: RegExpExecArray): Written {
  const [, a = '', b = '', c = '', hours, minutes = '0', seconds = '0', half, zone] = found;
  const hour = hourOf(hours === undefined ? 0 : Number(hours), half);
  const at = { hour, minute: Number(minutes), second: Number(seconds) };
  const [year, month, date] = order === 'ymd' ? [a, b, c] : order === 'mdy' ? [c, a, b] : [c, b, a];
  const local = { year: yearOf(year), month: monthNumber(month) ?? Number(month), day: Number(date), ...at };
  if (order === 'either')
    return { kind: 'either', first: Number(a), second: Number(b), local, zone: zone?.trim() ?? null };
  if (zone === undefined) return { kind: 'local', local };
  const instant = instantOf(local, zone.trim());
  return instant === null ? { kind: 'none' } : { kind: 'instant', at: instant };
}
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}
function yearOf(year: string): number {
  return year.length === 2 ? 2_000 + Number(year) : Number(year);
}

/** It says no zone, so somebody must. */
export function lacksZone(time: Written): boolean {
  return time.kind === 'local' || (time.kind === 'either' && time.zone === null);
}

/** Which order the times of a file have; `both` where some say one and some the other; null where none says. */
export function orderOf(all: Written[]): DayOrder | 'both' | null {
  const doubtful = all.flatMap((one) => (one.kind === 'either' ? [one] : []));
  const dayFirst = doubtful.some(({ first, second }) => first > 12 && second <= 12);
  const monthFirst = doubtful.some(({ first, second }) => second > 12 && first <= 12);
  if (dayFirst && monthFirst) return 'both';
  if (dayFirst) return 'day first';
  if (monthFirst) return 'month first';
  return doubtful.every(({ first, second }) => first === second) ? 'day first' : null;
}

/** ISO 8601 UTC; null where there is no such time. */
export function settle(time: Written, order: DayOrder | null, zone: string | null): string | null {
  switch (time.kind) {
    case 'instant':
      return time.at;
    case 'local':
      return zone === null ? null : instantOf(time.local, zone);
    case 'either': {
      const [date, month] = order === 'month first' ? [time.second, time.first] : [time.first, time.second];
      const at = time.zone ?? zone;
      return at === null ? null : instantOf({ ...time.local, day: date, month }, at);
    }
    case 'none':
      return null;
  }
}
