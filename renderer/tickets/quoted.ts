// What of a message is a quote of earlier mail: shown folded, so that the new words stand first.
export interface Part {
  kind: 'own' | 'quoted';
  text: string;
}

/** Lines that begin what mail programs quote whole. */
const opening =
  /^\s*(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht)\s*-{2,}|on .{4,120} wrote:|am .{4,120} schrieb.*:|le .{4,120} a écrit\s*:)\s*$/iu;

/** `From:`, `Sent:` and `To:` over each other, as some programs set a mail they quote below. */
function isHead([first = '', ...next]: string[]): boolean {
  return (
    /^\s*\*?(?:from|von|de)\s?:/i.test(first) &&
    next.some((line) => /^\s*\*?(?:sent|date|gesendet|datum|envoyé|enviado)\s?:/i.test(line)) &&
    next.some((line) => /^\s*\*?(?:to|an|à|para|subject|betreff|objet|asunto)\s?:/i.test(line))
  );
}

/** The message in order: own words, and stretches that are quoted; trailing blank lines of each are left out. */
export function partsOf(body: string): Part[] {
  const parts: { kind: Part['kind']; lines: string[] }[] = [];
  let rest = false;
  const lines = body.split('\n');
  for (const [at, line] of lines.entries()) {
    rest ||= opening.test(line) || isHead(lines.slice(at, at + 5));
    const last = parts.at(-1);
    const blank = line.trim() === '';
    const kind = rest || /^\s*>/.test(line) || (blank && last?.kind === 'quoted') ? 'quoted' : 'own';
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts
    .map(({ kind, lines }) => ({ kind, text: lines.join('\n').replace(/^\n+|\s+$/g, '') }))
    .filter(({ text }) => text !== '');
}
