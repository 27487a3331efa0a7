// Where sentences and paragraphs begin and end: a claim's subject is looked for in its own sentence first.
import { monthNumber } from './months.ts';

export interface Stretch {
  start: number;
  end: number;
  /** Number of the paragraph, from 0. */
  paragraph: number;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|approx|no|nr|ca|st|mr|mrs|ms|dr|incl|excl|bzw|z\.\s?b|usw|inkl|vs|sr|sra|env|bijv)$/i;

function endsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at);
  const after = /^[.!?]+["')\]]*\s+(\S+)/.exec(text.slice(at, at + 40))?.[1];
  if (text[at] !== '.') return true;
  if (abbreviation.test(before)) return false;
  // "24. Juni" and "am 3. und 4." go on; "Your order is O-2415. It …" ends.
  if (/(?:^|[^\p{L}\d.-])\d{1,2}$/u.test(before) && after !== undefined)
    return monthNumber(after) === null && !/^\p{Ll}/u.test(after);
  return true;
}

function breaks(text: string): { at: number; paragraph: boolean }[] {
  const found: { at: number; paragraph: boolean }[] = [];
  for (const match of text.matchAll(
    /[.!?]+["')\]]*(?=\s)|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*•>]|\d{1,2}[.)]\s|\p{Lu}))/gu,
  )) {
    if (match[0].startsWith('\n'))
      found.push({ at: match.index + match[0].length, paragraph: /\n[ \t]*\n/.test(match[0]) });
    else if (endsSentence(text, match.index)) found.push({ at: match.index + match[0].length, paragraph: false });
  }
  return found;
}

/** The sentences of a text, in order, covering all of it. A list's lines are sentences of their own. */
export function sentences(text: string): Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  let paragraph = 0;
  for (const stop of breaks(text)) {
    if (text.slice(start, stop.at).trim() !== '') found.push({ start, end: stop.at, paragraph });
    else if (found.length > 0) found[found.length - 1] = { ...(found.at(-1) ?? { start, paragraph }), end: stop.at };
    start = stop.at;
    if (stop.paragraph) paragraph++;
  }
  if (start < text.length) found.push({ start, end: text.length, paragraph });
  return found;
}

/** The sentence an offset lies in. */
export function sentenceAt(all: Stretch[], offset: number): Stretch {
  return all.find((one) => offset >= one.start && offset < one.end) ?? all.at(-1) ?? { start: 0, end: 0, paragraph: 0 };
}

const emptyWords = new Set(
  'the and you your are was were have has had for with that this these those not will would been from into its our their they them who which what when where how can may than then there here also only within about after before until upon per each every any all some more most other such day days week weeks working business hour hours month months der die das und ist sind ein eine für mit von auf les des une pour dans avec los las una para con het een van voor met'.split(
    ' ',
  ),
);

/** Words that carry meaning, cut to five letters so that "arrives" meets "arrive". */
function contentStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !emptyWords.has(word)).map((word) => word.slice(0, 5)));
}

/** How many meaning words two texts share. */
export function overlap(a: string, b: string): number {
  const stems = contentStems(b);
  return [...contentStems(a)].filter((stem) => stems.has(stem)).length;
}
