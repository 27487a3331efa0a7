// Simple identifier patterns, taken apart so that "o2415" or "order 2496" can be read as the form demanded.
// A foreign pattern is never run here: what is not of the simple form is matched in the validator's worker.
export interface SimplePattern {
  literal: string;
  digits: number;
}

/** `^O-[0-9]{4}$`, `^KG-\d{4}$` and the like; null for anything else. */
export function simplePattern(pattern: string): SimplePattern | null {
  const match = /^\^?([A-Za-z]{1,8}(?:\\?-|_|#)?)(?:\[0-9\]|\\d)\{(\d{1,2})\}\$?$/.exec(pattern);
  const [, literal, digits] = match ?? [];
  return literal === undefined || digits === undefined
    ? null
    : { literal: literal.replace('\\', ''), digits: Number(digits) };
}

export interface Seen {
  value: string;
  start: number;
  end: number;
  written: string;
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}

/**
 * Occurrences of an identifier in text, in order, each value once. `nouns` are the words that make a bare number one
 * ("order" in "order 2496"). Offsets are UTF-16.
 */
export function seenIdentifiers(text: string, pattern: SimplePattern, nouns: string[]): Seen[] {
  const letters = pattern.literal.replace(/[-_#]$/, '');
  const digits = `([0-9]{${pattern.digits}})(?![0-9])`;
  const forms = [`(?<![A-Za-z0-9])${quote(letters)}[\\s_#.-]{0,2}${digits}`];
  for (const noun of nouns)
    forms.push(`(?<![A-Za-z])${quote(noun)}s?[\\s:#.-]{0,3}(?:id|no|nr|number|num)?[\\s:#.-]{0,3}${digits}`);
  if (nouns.length > 0) forms.push(`#\\s?${digits}`);
  const found = new Map<string, Seen>();
  for (const form of forms) collect(text, form, pattern, found);
  // A bare number is one only where nothing better stands there, and never a year or an amount.
  if (found.size === 0 && nouns.length > 0)
    collect(
      text,
      `(?<![\\w.,€$£/:+-]|[€$£] )(?!(?:19|20)[0-9]{2}(?![0-9]))${digits}(?![\\w/:%€$£-]|[.,][0-9]| ?(?:€|eur|euro))`,
      pattern,
      found,
    );
  return [...found.values()].sort((a, b) => a.start - b.start);
}

function collect(text: string, form: string, pattern: SimplePattern, found: Map<string, Seen>): void {
  for (const match of text.matchAll(new RegExp(form, 'gi'))) {
    const value = pattern.literal + (match[1] ?? '');
    const seen = { value, start: match.index, end: match.index + match[0].length, written: match[0] };
    const before = found.get(value);
    if (before === undefined || seen.start < before.start) found.set(value, seen);
  }
}
