/** Finding products by the words a customer uses: any word order, singular or plural, small words ignored. */
const SMALL = new Set([
  'a',
  'an',
  'the',
  'of',
  'with',
  'and',
  'in',
  'your',
  'my',
  'our',
  'for',
  'some',
  'any',
  'from',
  'on',
  'to',
]);

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:sh|ch|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

/** The words that matter, in a form that compares: lower case, no accents, no apostrophes, singular; "9l" is "9 l". */
function nameWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’‘`]/g, '')
    .toLowerCase();
  const words = plain.replace(/(\d)([a-z])/g, '$1 $2').match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !SMALL.has(word)).map(stem);
}

/** True when two words are the same or one slip of the pen apart (one letter more, fewer, other, or two swapped). */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const restA = a.slice(start, a.length - end);
  const restB = b.slice(start, b.length - end);
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}

/**
 * Products whose names have all the words (`exact`), and else those that share the most words with them (`near`).
 * A product named by exactly these words stands alone, whatever else contains them.
 */
export function matchProducts<T extends { name: string }>(
  all: readonly T[],
  wanted: string,
): { exact: T[]; near: T[] } {
  const words = nameWords(wanted);
  if (words.length === 0) return { exact: [], near: [] };
  const scored = all.map((product) => {
    const own = nameWords(product.name);
    const hits = words.filter((word) => own.some((other) => alike(word, other))).length;
    return { product, hits, whole: hits === words.length && own.length === words.length };
  });
  const whole = scored.filter((entry) => entry.whole);
  const every = whole.length === 1 ? whole : scored.filter((entry) => entry.hits === words.length);
  const most = Math.max(...scored.map((entry) => entry.hits));
  const near = scored.filter((entry) => entry.hits > 0 && entry.hits >= most - 1).sort((a, b) => b.hits - a.hits);
  return { exact: every.map((entry) => entry.product), near: near.map((entry) => entry.product) };
}
