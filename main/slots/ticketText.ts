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

/** Splits a body into own words and quoted history; HTML comments belong to neither. */
export function written(body: string): Written {
  const visible = body.replace(/<!--[\s\S]*?(?:-->|$)/g, blank);
  let quoting = false;
  const own: string[] = [];
  const quoted: string[] = [];
  for (const line of visible.split('\n')) {
    if (
      /^\s*(?:On .{4,80} wrote:|-{2,}\s*(?:original|forwarded) message\s*-{2,}|am .{4,80} schrieb.*:)\s*$/i.test(line)
    )
      quoting = true;
    const isQuote = quoting || /^\s*>/.test(line);
    own.push(isQuote ? blank(line) : line);
    quoted.push(isQuote ? line : blank(line));
  }
  return { own: own.join('\n'), quoted: quoted.join('\n') };
}
