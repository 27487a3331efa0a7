// The part of a ticket that its customer wrote now: quoted history and hidden mark-up are kept apart, so a value
// there is used only where nothing else is, and offsets stay those of the stored body.
export interface Written {
  /** Same length as the body; everything that is not the customer's own words is blanked. */
  own: string;
  /** Same length; only quoted history is left. */
  quoted: string;
}

function blank(text: string): string {
  return text.replace(/[^\n]/gu, (character) => ' '.repeat(character.length));
}

const signOff =
  /^(?:(?:many |kind |best |warm )?(?:thanks|thank you|regards|wishes|greetings|cheers|ta|best|sincerely)|yours (?:sincerely|faithfully|truly)|with (?:best|kind) (?:wishes|regards)|mit freundlichen grüßen|viele grüße|freundliche grüße|danke|gruß)\b/iu;
const nameLine = /^\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+){0,2}$/u;
const lineMost = 45;

/**
 * Where the letter ends: at its sign-off. That and what follows (a name, a footer, text somebody appended) is kept with
 * the quoted history. A sign-off stands below at least one sentence.
 */
function letterEnd(lines: string[]): number {
  let written = false;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const closes =
      written &&
      text.length <= lineMost &&
      !text.endsWith('?') &&
      (signOff.test(text) || (nameLine.test(text) && (lines[index - 1] ?? '').trim() === ''));
    if (closes) return index;
    if (
      text.length > 12 &&
      !/^(?:hi|hello|hey|dear|good (?:morning|day|evening|afternoon)|guten|hallo|liebe)\b[^.?!]*[,!]?$/iu.test(text)
    )
      written = true;
  }
  return lines.length;
}

/** Splits a body into own words and quoted history; HTML comments belong to neither. */
export function written(body: string): Written {
  const visible = body.replace(/<!--[\s\S]*?(?:-->|$)/g, blank);
  const lines = visible.split('\n');
  const isQuote = quotedLines(lines);
  const end = letterEnd(lines.map((line, index) => (isQuote[index] === true ? '' : line)));
  const kept = lines.map((_, index) => isQuote[index] !== true && index < end);
  return {
    own: lines.map((line, index) => (kept[index] === true ? line : blank(line))).join('\n'),
    quoted: lines.map((line, index) => (kept[index] === true ? blank(line) : line)).join('\n'),
  };
}

function quotedLines(lines: string[]): boolean[] {
  let quoting = false;
  return lines.map((line) => {
    if (
      /^\s*(?:On .{4,80} wrote:|-{2,}\s*(?:original|forwarded) message\s*-{2,}|am .{4,80} schrieb.*:)\s*$/i.test(line)
    )
      quoting = true;
    return quoting || /^\s*>/.test(line);
  });
}
