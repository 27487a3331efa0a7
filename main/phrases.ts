// Phrases of the playbook, found in a customer's sentences: words in order, `*` for up to four words between.
export interface FoundSentence {
  text: string;
  start: number;
}

/** Sentences of a text with their UTF-16 offsets. */
export function sentencesOf(text: string): FoundSentence[] {
  return [...text.matchAll(/[^.!?;\n]+/g)].map((match) => ({ text: match[0], start: match.index }));
}

/** Clauses: sentences cut at commas, brackets and dashes too. */
export function clausesOf(text: string): FoundSentence[] {
  return [...text.matchAll(/[^.!?;\n,()–—]+/g)].map((match) => ({ text: match[0], start: match.index }));
}

/** Whether a sentence has one of the phrases, of any language. */
export function hasPhrase(sentence: string, phrases: Record<string, string[]>): boolean {
  const said = words(sentence);
  return Object.values(phrases)
    .flat()
    .some((phrase) => contains(said, words(phrase)));
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .split(/[^\p{L}\p{N}*]+/u)
    .filter((word) => word !== '');
}

const gap = 4;

function contains(said: string[], phrase: string[]): boolean {
  return said.some((_, start) => matchFrom(said, start, phrase));
}

function matchFrom(said: string[], start: number, phrase: string[]): boolean {
  const [first, ...rest] = phrase;
  if (first === undefined) return true;
  if (first !== '*') return said[start] === first && matchFrom(said, start + 1, rest);
  for (let skipped = 0; skipped <= gap; skipped++) if (matchFrom(said, start + skipped, rest)) return true;
  return false;
}
