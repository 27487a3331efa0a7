// Drafts as the checks read them: invisible characters gone, unusual letters, digits and hyphens in their plain form.
// Otherwise "re<zero width>funded" or "２３.９８" would pass unseen. Every place maps back to the text as it is stored.
export interface Folded {
  text: string;
  /** UTF-16 offset in the stored text of each unit of `text`, and of its end. */
  from: number[];
}

const plain: Record<string, string> = {
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '−': '-',
  '－': '-',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
};

/** ASCII form of a decimal digit of any script, or null. Digits of a script are ten code points in a row. */
function digit(character: string): string | null {
  if (!/^\p{Nd}$/u.test(character)) return null;
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && (zero - 1) % 16 !== 15) zero--;
  // Most blocks start at …0 or …6; what does not is still marked as a digit, so a claim is found and has no source.
  return String((code - zero) % 10);
}

function fold(cluster: string): string {
  if (/^[\n\t -~]+$/.test(cluster)) return cluster;
  const bare = cluster.normalize('NFKC').replace(/[\p{Cf}\p{Mn}\u115F\u1160\u3164]|(?![\n\t])\p{Cc}/gu, '');
  return Array.from(bare, (character) => plain[character] ?? digit(character) ?? character).join('');
}

/** Folds a text, keeping for each unit where it came from. */
export function foldText(stored: string): Folded {
  const from: number[] = [];
  let text = '';
  let offset = 0;
  // A letter with its combining marks is one piece, so that a decomposed "ü" is the composed one.
  for (const [cluster] of stored.matchAll(/[\s\S]\p{M}*/gu)) {
    const folded = fold(cluster);
    for (let unit = 0; unit < folded.length; unit++) from.push(offset);
    text += folded;
    offset += cluster.length;
  }
  from.push(stored.length);
  return { text, from };
}

/** The stored text's span for a span of the folded one. */
export function storedSpan(folded: Folded, start: number, end: number): { start: number; end: number } {
  const first = folded.from[start] ?? 0;
  const last = folded.from[end] ?? first;
  return { start: first, end: last };
}
