// Numbers a text says, in digits or in words: the only numbers a slot may be filled with (spec model, "choose, then fill").
const small: Record<string, number> = {};
function learn(from: number, words: string): void {
  for (const [index, alternatives] of words.split(' ').entries())
    for (const word of alternatives.split('/')) small[word] = from + index;
}
learn(
  2,
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
);
learn(
  2,
  'zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
);
learn(
  2,
  'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
);
learn(
  2,
  'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
);
learn(
  2,
  'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
);
const tens: Record<string, number> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  dreißig: 30,
  vierzig: 40,
  fünfzig: 50,
  hundert: 100,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  cent: 100,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  cien: 100,
  dertig: 30,
  veertig: 40,
  vijftig: 50,
  honderd: 100,
};
// "six" and "elf" and the like mean the same in every list they are in. French "six", "neuf" (new) and Spanish "once"
// (English: at one time) do not: a wrong number is worse than none.
for (const unsure of ['once', 'neuf']) Reflect.deleteProperty(small, unsure);

const word = `(?:${[...Object.keys(small), ...Object.keys(tens)].sort((a, b) => b.length - a.length).join('|')})`;
const spelled = new RegExp(
  `(?<![\\p{L}\\p{N}_'-])(?:(?:a|one)\\s+(?:dozen|couple)|an?\\s+hundred|one|eine[nrms]?\\s+einzige[nrs]?|${word}(?:-(?:one|${word}))?(?:\\s+(?:hundred|thousand)(?:\\s+and)?(?:\\s+${word}(?:-(?:one|${word}))?)?)?)(?![\\p{L}\\p{N}_-])`,
  'giu',
);

/** The value of a number written in words ("five hundred and twenty-one"), or null. */
export function numberWord(written: string): number | null {
  const text = written.toLowerCase().trim();
  if (/^(?:a|one)\s+dozen$/.test(text)) return 12;
  if (/^(?:a|one)\s+couple$/.test(text)) return 2;
  if (/^an?\s+hundred$/.test(text)) return 100;
  if (text === 'one' || /einzige/.test(text)) return 1;
  let total = 0;
  let part = 0;
  for (const piece of text.split(/[\s-]+/)) {
    const value = small[piece] ?? tens[piece];
    if (value !== undefined) part += value;
    else if (piece === 'hundred') part = Math.max(part, 1) * 100;
    else if (piece === 'thousand') [total, part] = [Math.max(part, 1) * 1000, 0];
    else if (piece === 'one') part += 1;
    else if (piece !== 'and') return small[text] ?? null;
  }
  return total + part;
}

export interface SeenNumber {
  value: number;
  /** UTF-16 offsets into the text. */
  start: number;
  end: number;
}

/** "one" counts things only before a noun: not in "which one", "the one I bought", "no one". */
function countsOne(text: string, start: number, end: number): boolean {
  if (
    /(?:which|the|this|that|no|any|every|each|some|another|wrong|right|new|old|other|last|first)\s+$/i.test(
      text.slice(0, start),
    )
  )
    return false;
  return /^\s+(?!that|which|who|i|we|you|is|was|day|more\s+time)\p{L}/iu.test(text.slice(end));
}

/** Whole numbers in a text, in order. Parts of identifiers, dates, amounts, times and percentages are not numbers here. */
export function seenNumbers(text: string): SeenNumber[] {
  const found: SeenNumber[] = [];
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}_#€$£.,:/-])(?<!#\s?|(?:no|nr|number)[.:]?\s)\d{1,9}(?![\p{L}_]|[.,:/-]?\d|\s?[%€$£]|\s?(?:eur|euros?|usd)\b)(?:\s?[x×](?=\s))?/giu,
  ))
    found.push({
      value: Number.parseInt(match[0], 10),
      start: match.index,
      end: match.index + match[0].replace(/\s?[x×]$/, '').length,
    });
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_#€$£.,:/-])(\d{1,4})[x×](?=\s)/giu))
    found.push({ value: Number(match[1]), start: match.index, end: match.index + (match[1] ?? '').length });
  for (const match of text.matchAll(spelled)) {
    const value = numberWord(match[0]);
    const end = match.index + match[0].length;
    if (value === null || (match[0].toLowerCase() === 'one' && !countsOne(text, match.index, end))) continue;
    found.push({ value, start: match.index, end });
  }
  return found.sort((a, b) => a.start - b.start);
}
