// Which letters the bytes of a file are. A byte order mark and valid UTF-8 settle it; else the file's own words decide: an
// encoding stays in question where its letters make words of a language that is written in it. Two that stay and differ are
// asked about.
import type { ImportQuestion } from '../../shared/imports.ts';
import { decodeAs, tryDecode } from './decode.ts';
import { legacyReadings } from './legacyEncodings.ts';
import { unreadable } from './unreadable.ts';

export interface Decoded {
  name: string;
  text: string;
  /** Open where it is not sure. */
  question: ImportQuestion | null;
}

/** Bytes looked at where a guess is needed: of lines that are not ASCII alone. */
const sampled = 64_000;

/** Failures `tickets.unreadable`, `imports.option` for an encoding that is not known. */
export function decodeFile(bytes: Uint8Array, chosen: string | undefined): Decoded {
  if (bytes.length === 0) throw unreadable('it is empty');
  if (chosen !== undefined) return { name: chosen, text: decodeAs(bytes, chosen), question: null };
  const marked = byMark(bytes);
  if (marked !== null) return { name: marked, text: decodeAs(bytes, marked), question: null };
  const plain = tryDecode(bytes, 'utf-8');
  if (plain !== null && !plain.includes('\u0000')) return { name: 'utf-8', text: plain, question: null };
  const wide = wideWithoutMark(bytes);
  if (wide !== null) return { name: wide, text: decodeAs(bytes, wide), question: null };
  // NUL alone does not make valid UTF-8 anything else.
  if (plain !== null) return { name: 'utf-8', text: plain, question: null };
  refuseDamaged(bytes);
  return guessed(bytes);
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    throw unreadable('it is written in UTF-32. Save it as UTF-8');
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 of mostly Latin text has a zero in every other byte. */
function wideWithoutMark(bytes: Uint8Array): string | null {
  const looked = bytes.subarray(0, 4_096);
  if (looked.length < 4) return null;
  let [even, odd] = [0, 0];
  for (const [index, byte] of looked.entries())
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
  const half = looked.length / 2;
  if (odd > half * 0.4 && even < odd / 8) return 'utf-16le';
  if (even > half * 0.4 && odd < even / 8) return 'utf-16be';
  return null;
}

/** UTF-8 that a transfer or a cut has hurt would make nonsense of any other encoding. */
function refuseDamaged(bytes: Uint8Array): void {
  const text = new TextDecoder('utf-8').decode(bytes);
  const hurt = text.split('\ufffd').length - 1;
  const whole = text.match(/[\u0080-\u{10ffff}]/gu)?.filter((letter) => letter !== '\ufffd').length ?? 0;
  if (whole < 4 || whole < hurt * 4) return;
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  throw unreadable(
    `it is UTF-8 with ${hurt} damaged place${hurt === 1 ? '' : 's'}, the first in line ${line}. Export it again, or choose its encoding`,
  );
}

function guessed(bytes: Uint8Array): Decoded {
  const readings = legacyReadings(telling(bytes));
  const [best] = readings;
  if (best === undefined)
    throw unreadable('it is no text in an encoding the desk knows. Save it as UTF-8, or choose its encoding');
  const text = decodeAs(bytes, best.name);
  const differing = readings.filter((one) => one.text !== best.text);
  const sure = differing.length === 0 || best.score >= 2 * (differing[0]?.score ?? 0);
  if (sure) return { name: best.name, text, question: null };
  const choices = [best, ...differing].slice(0, 6).map((one) => ({
    value: one.name,
    label: one.name,
    example: firstDifference(one.text, one === best ? (differing[0]?.text ?? '') : best.text),
  }));
  return {
    name: best.name,
    text,
    question: {
      name: 'encoding',
      text: 'Which of these is spelled as it should be? The file does not say how its letters are encoded.',
      choices,
    },
  };
}

const separators = /[\s,;"]+/;
/** The first lines that hold other bytes than ASCII. */
function telling(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let from = 0; from < bytes.length && size < sampled;) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(from, Math.min(end, from + sampled));
    if (line.some((byte) => byte > 0x7f)) {
      lines.push(line);
      size += line.length;
    }
    from = end;
  }
  return Buffer.concat(lines);
}

/** The first words that read differently. */
function firstDifference(text: string, other: string): string {
  const words = text.split(separators);
  const others = other.split(separators);
  const found = words.flatMap((word, index) => (word === others[index] ? [] : [word.slice(0, 40)]));
  return [...new Set(found)].slice(0, 4).join('  ');
}
