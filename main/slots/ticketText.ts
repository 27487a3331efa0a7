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

/** Words that speak to a machine, not to the shop: what begins there is not the customer's request. */
const toMachine =
  /\b(?:(?:note|message|instructions?) (?:to|for) (?:the )?(?:ai|assistant|agent|bot|model|system)|ai (?:agent|assistant|model)s?|(?:assistant|agent) handling|language model|automated (?:processing|systems?)|system prompt|(?:previous|prior|above|earlier) instructions|you are now)\b|(?:^|[\n.!?]\s*)\[?(?:system|agent|assistant)\]?\s*[:\]]/iu;

/** Index of the first line that speaks to a machine; a first sentence that does is kept, or nothing would be left. */
function machineLine(lines: string[]): { line: number; column: number } | null {
  for (const [index, line] of lines.entries()) {
    const found = toMachine.exec(line);
    if (found === null) continue;
    const before = line.slice(0, found.index);
    const column = Math.max(0, Math.max(before.lastIndexOf('.'), before.lastIndexOf('!'), before.lastIndexOf('?')) + 1);
    const earlier = lines.slice(0, index).join(' ') + line.slice(0, column);
    if (/\p{L}{3}/u.test(earlier)) return { line: index, column };
  }
  return null;
}

/** Splits a body into own words and quoted history; HTML comments belong to neither. */
export function written(body: string): Written {
  const visible = body.replace(/<!--[\s\S]*?(?:-->|$)/g, blank);
  const lines = visible.split('\n');
  const isQuote = quotedLines(lines);
  const unquoted = lines.map((line, index) => (isQuote[index] === true ? blank(line) : line));
  const end = letterEnd(unquoted);
  const machine = machineLine(unquoted.slice(0, end));
  /** How much of a line, from its beginning, is the customer's own. */
  function kept(line: string, index: number): number {
    if (isQuote[index] === true || index >= end || (machine !== null && index > machine.line)) return 0;
    return machine?.line === index ? machine.column : line.length;
  }
  const split = lines.map((line, index) => ({
    own: line.slice(0, kept(line, index)),
    rest: line.slice(kept(line, index)),
  }));
  return {
    own: split.map(({ own, rest }) => own + blank(rest)).join('\n'),
    quoted: split.map(({ own, rest }) => blank(own) + rest).join('\n'),
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
