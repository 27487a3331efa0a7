// Dates a ticket says, for slots: "since 12 Jun" names a day, "in the last two weeks" a first day. A missing year is
// settled by the ticket's own date and marked, so that whoever is asked sees it (spec model, "choose, then fill").
import { addDays, findDates, isoDay } from './evidence/dates.ts';
import { foldText, storedSpan } from './evidence/foldText.ts';
import { numberWord } from './numbers.ts';

export interface SeenDate {
  /** `YYYY-MM-DD`. */
  value: string;
  /** UTF-16 offsets into the text. */
  start: number;
  end: number;
  /** As the text has it. */
  written: string;
  /** True where the host settled what the text left open (a year, "last two weeks"). */
  resolved: boolean;
}

interface Found {
  value: string;
  start: number;
  end: number;
  resolved: boolean;
}

const month = /^\d{4}-\d{2}/;
const back =
  /(?<![\p{L}])(?:(?:in|over|within|for|during|den)\s{1,3})?(?:the\s{1,3})?(?:last|past|letzten|vergangenen)\s{1,3}(?:(?<n>\d{1,3}|[\p{L}-]{3,10})\s{1,3})?(?<u>days?|weeks?|months?|tagen?|wochen?|monaten?)(?![\p{L}])|(?<n2>\d{1,3}|[\p{L}-]{3,10})\s{1,3}(?<u2>days?|weeks?|months?)\s{1,3}ago(?![\p{L}])/giu;
const part =
  /(?<![\p{L}])(?:the\s{1,3})?(?:start|beginning|begin|anfang|first)\s{1,3}(?:(?:of|des|vom|von)\s{1,3})?(?:the\s{1,3})?(?<w>this month|the month|this year|the year|diesem jahr|dieses jahres|dieses monats)(?![\p{L}])|(?<![\p{L}])(?<w2>this month|this year|dieses jahr|diesen monat)(?![\p{L}])/giu;

function monthsBack(day: string, months: number): string {
  const [year = 0, number = 0, date = 0] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 1 - months, 1));
  for (let tried = date; tried > 0; tried--) {
    const found = isoDay(first.getUTCFullYear(), first.getUTCMonth() + 1, tried);
    if (found !== null) return found;
  }
  return day;
}

function spansBack(text: string, today: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(back)) {
    const { n, u, n2, u2 } = match.groups ?? {};
    const written = (n ?? n2 ?? '1').trim();
    const count = /^\d+$/.test(written) ? Number(written) : numberWord(written);
    const unit = (u ?? u2 ?? '').toLowerCase();
    if (count === null) continue;
    // "last week" without a number is a week, not a first day: seven days back is what people mean by it here.
    const value = /^mon/.test(unit) ? monthsBack(today, count) : addDays(today, -count * (/^w/.test(unit) ? 7 : 1));
    const lead = match[0].length - match[0].trimStart().length;
    found.push({ value, start: match.index + lead, end: match.index + match[0].length, resolved: true });
  }
  return found;
}

function spansOfToday(text: string, today: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(part)) {
    const what = (match.groups?.['w'] ?? match.groups?.['w2'] ?? '').toLowerCase();
    const value = /year|jahr/.test(what) ? `${today.slice(0, 4)}-01-01` : `${today.slice(0, 7)}-01`;
    found.push({ value, start: match.index, end: match.index + match[0].length, resolved: true });
  }
  for (const match of text.matchAll(/(?<![\p{L}])(?:yesterday|today|gestern|heute)(?![\p{L}])/giu))
    found.push({
      value: /yester|gest/i.test(match[0]) ? addDays(today, -1) : today,
      start: match.index,
      end: match.index + match[0].length,
      resolved: true,
    });
  return found;
}

/** A year-less day lies on or before the ticket's own: people write about what was. */
function past(day: string, today: string): string {
  if (day <= today) return day;
  const [year = 0, number = 0, date = 0] = day.split('-').map(Number);
  return isoDay(year - 1, number, date) ?? day;
}

/** Days a text names, in order; `receivedAt` is the ticket's time (ISO 8601). What can be read twice is left out. */
export function seenDates(text: string, receivedAt: string): SeenDate[] {
  const folded = foldText(text);
  const today = new Date(receivedAt).toISOString().slice(0, 10);
  const found: Found[] = [];
  for (const date of findDates(folded.text, 'en', today)) {
    const [day, other] = date.days;
    if (day === undefined || other !== undefined || !month.test(day)) continue;
    found.push({
      value: date.year ? day : past(day, today),
      start: date.start,
      end: date.end,
      resolved: !date.year || date.precision === 'month',
    });
  }
  for (const one of [...spansBack(folded.text, today), ...spansOfToday(folded.text, today)])
    if (!found.some((other) => one.start < other.end && other.start < one.end)) found.push(one);
  return found
    .sort((a, b) => a.start - b.start)
    .map((one) => {
      const span = storedSpan(folded, one.start, one.end);
      return { value: one.value, ...span, written: text.slice(span.start, span.end), resolved: one.resolved };
    });
}
