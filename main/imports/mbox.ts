// A file of mails cut into its mails, byte for byte: an mbox, or one mail of its own (EML).

/** A mail and where it stood: the first is 1. */
export interface RawMail {
  number: number;
  bytes: Uint8Array;
}

/** Bytes looked at to know what a file is. */
const looked = 64_000;
/** `From somebody Thu Nov 26 10:00:00 2026`: what parts the mails of an mbox. */
const envelope = /^From \S.*\d{1,2}:\d{2}.*$/;
const field = /^[!-9;-~]+[ \t]*:/;

/** By its beginning: an mbox, or the head of a mail. */
export function looksLikeMail(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, looked))
    .toString('latin1')
    .replace(/^(?:ï»¿)?\s*/, '');
  const lines = text.split(/\r?\n/);
  const [first = '', second = ''] = lines;
  if (envelope.test(first)) return field.test(second) || second.startsWith('>From ');
  const end = lines.indexOf('');
  const head = lines.slice(0, end < 0 ? lines.length : end);
  if (!field.test(first) || !head.every((line) => field.test(line) || /^[ \t]/.test(line))) return false;
  const names = new Set(head.map((line) => /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1]?.toLowerCase()));
  return names.has('from') && ['date', 'message-id', 'received', 'mime-version', 'to'].some((name) => names.has(name));
}

export function mailsIn(bytes: Uint8Array): RawMail[] {
  // One letter a byte, so that nothing changes on the way through text.
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^(?:ï»¿)?\s*/, '');
  if (!envelope.test(text.slice(0, text.search(/\r?\n/)))) return [{ number: 1, bytes: Buffer.from(text, 'latin1') }];
  return pieces(text).map((piece, index) => ({ number: index + 1, bytes: Buffer.from(inside(piece), 'latin1') }));
}

/** A line begins a mail where it follows an empty one, has a time, and a head follows it: words of a letter do not. */
function pieces(text: string): string[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(
    /(?<=^|\n\r?\n)From \S[^\r\n]*\d{1,2}:\d{2}[^\r\n]*\r?\n(?=[!-9;-~]+[ \t]*:|>From )/g,
  ))
    starts.push(index);
  return starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length));
}
/** Without its envelope; a line of the letter that began with `From ` was kept as `>From `. */
function inside(piece: string): string {
  return piece
    .slice(piece.indexOf('\n') + 1)
    .replace(/^>(>*From )/gm, '$1')
    .replace(/\r?\n$/, '');
}
