// Amounts of money (and percentages) in a text, read per locale. What has two readings ("1.234") is kept as ambiguous:
// to check by a person, never guessed.
import { numberWord } from '../numbers.ts';
import { createTaken } from './taken.ts';

export interface AmountSpan {
  start: number;
  end: number;
  /** Integer minor units (cents); null where the written number has two readings or none. */
  minor: number | null;
  /** ISO code; null for a bare decimal, which is in the record's currency; `%` for a percentage. */
  currency: string | null;
}

const codes: Record<string, string> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
  zł: 'PLN',
  kr: 'SEK',
  euro: 'EUR',
  euros: 'EUR',
  eur: 'EUR',
  usd: 'USD',
  us$: 'USD',
  gbp: 'GBP',
  chf: 'CHF',
  sfr: 'CHF',
  jpy: 'JPY',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  pln: 'PLN',
  czk: 'CZK',
  cad: 'CAD',
  aud: 'AUD',
  dollar: 'USD',
  dollars: 'USD',
  dólares: 'USD',
  pound: 'GBP',
  pounds: 'GBP',
  franken: 'CHF',
  francs: 'CHF',
  quid: 'GBP',
  bucks: 'USD',
};
const pattern = Object.keys(codes)
  .sort((a, b) => b.length - a.length)
  .map((code) => code.replace('$', '\\$'))
  .join('|');
const number = String.raw`\d{1,3}(?:[ '\u00A0]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,18}){0,6}`;
const sign = String.raw`(?<sign>-)?`;
const marked = new RegExp(
  String.raw`(?<![\p{L}\p{N}_]|\d[.,])${sign}(?:(?<c1>${pattern})\s{0,2}-?(?<n1>${number})(?:(?:,|\.)(?:-|--))?(?<k1>\s?[kKmM](?![\p{L}]))?(?:\s?(?:-|–|to)\s?(?<r1>${number}))?|(?:(?<r2>${number})\s?(?:-|–|to|bis)\s?)?(?<n2>${number})(?:,--?|,–)?\s{0,2}(?<c2>${pattern}|%|per ?cent|percent|prozent|procent|por ciento|pour cent)(?![\p{L}]))(?!\d)`,
  'giu',
);
const bare = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,:/#$€£-])(?:${number})(?![\p{L}\p{N}_]|[.,:/-]\d|\s?(?:%|kg|g|cm|mm|m|l|ml|cl|km|gb|mb|h|am|pm|uhr|stars?|${pattern})(?![\p{L}]))`,
  'giu',
);
const currencyWords = Object.keys(codes)
  .filter((code) => /^\p{L}{4,}$/u.test(code))
  .join('|');
const spelled = new RegExp(String.raw`(?<![\p{L}\p{N}_-])((?:\p{L}+[\s-]+){1,5}?)(${currencyWords})(?![\p{L}])`, 'giu');
const possible = new RegExp(String.raw`\p{N}|${currencyWords}`, 'iu');

const commaLocales = new Set(['de', 'fr', 'es', 'nl']);

/** Minor units of a written number; null where it has two readings in this language, or is no amount at all. */
export function readNumber(written: string, language: string): number | null {
  const text = written.replace(/(?<=\d)[ '\u00A0](?=\d{3})/g, '');
  const parts = /^(\d+(?:[.,]\d{3})*)(?:([.,])(\d{1,2}))?$/.exec(text);
  const [, whole, point, cents] = parts ?? [];
  if (whole === undefined) return null;
  const groups = new Set(whole.match(/[.,]/g) ?? []);
  if (groups.size > 1 || (point !== undefined && groups.has(point))) return null;
  if (groups.size > 0) {
    const [group] = groups;
    const pieces = whole.split(/[.,]/);
    const locale = commaLocales.has(language) ? '.' : ',';
    if ((pieces[0] ?? '').length > 3 || /^0/.test(whole)) return null;
    if (pieces.length === 2 && point === undefined && group !== locale) return null;
  }
  const minor = Number(whole.replace(/[.,]/g, '')) * 100 + Number((cents ?? '').padEnd(2, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}

function currencyOf(written: string): string {
  return codes[written.toLowerCase()] ?? '%';
}

function markedAmounts(text: string, language: string): AmountSpan[] {
  const found: AmountSpan[] = [];
  for (const match of text.matchAll(marked)) {
    const { c1, n1, k1, r1, c2, n2, r2, sign: minus } = match.groups ?? {};
    const currency = currencyOf(c1 ?? c2 ?? '');
    const times = k1 === undefined ? 1 : null;
    const span = { start: match.index, end: match.index + match[0].length, currency };
    const first = readNumber(n1 ?? n2 ?? '', language);
    const minor = first === null || times === null ? null : minus === '-' && r2 === undefined ? -first : first;
    const other = r1 ?? r2;
    // A range holds two amounts; both need a source, at the same words.
    if (other !== undefined) found.push({ ...span, minor: readNumber(other, language) });
    found.push({ ...span, minor });
  }
  return found;
}

function spelledAmounts(text: string): AmountSpan[] {
  const found: AmountSpan[] = [];
  for (const match of text.matchAll(spelled)) {
    const words = (match[1] ?? '').trim().split(/\s+/);
    for (let first = 0; first < words.length; first++) {
      const written = words.slice(first).join(' ');
      const value = numberWord(written);
      if (value === null || value === 0) continue;
      const start = match.index + match[0].lastIndexOf(written);
      found.push({
        start,
        end: match.index + match[0].length,
        minor: value * 100,
        currency: currencyOf(match[2] ?? ''),
      });
      break;
    }
  }
  return found;
}

/** All amounts in folded text, in order. A bare number is one only with two decimals ("503.99") or grouped with two. */
export function findAmounts(text: string, language: string): AmountSpan[] {
  // Most values of a result hold none.
  if (!possible.test(text)) return [];
  const taken = createTaken(text.length);
  const found = [...markedAmounts(text, language), ...spelledAmounts(text)];
  for (const span of found) taken.take(span.start, span.end);
  for (const match of text.matchAll(bare)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (!/[.,]\d{2}$|[.,]\d{3}$/.test(match[0])) continue;
    if (/^(?:0[.,]|\d{4,}[.,]\d{3}$)/.test(match[0]) && !/[.,]\d{2}$/.test(match[0])) continue;
    // In languages that write 24.06. for a day, "24.06" may be either; with a preposition of dates it is a day.
    if (language !== 'en' && /(?:am|vom|bis|seit|den|dem|op|le|el)\s$/i.test(text.slice(0, span.start))) continue;
    if (taken.take(span.start, span.end))
      found.push({ ...span, minor: readNumber(match[0], language), currency: null });
  }
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** An amount as a person reads it: "€23.98", "23.98 CHF". */
export function sayAmount(minor: number, currency: string): string {
  const digits = `${minor < 0 ? '-' : ''}${Math.trunc(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
  if (currency === '%') return `${digits.replace(/\.00$/, '')}%`;
  const symbol = { EUR: '€', USD: '$', GBP: '£' }[currency];
  return symbol === undefined ? `${digits} ${currency}` : `${symbol}${digits}`;
}
