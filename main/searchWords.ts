// What a person types into the search box, in the words of the index, and the stretch of a text around what was found.
import { Failure } from '../shared/failures.ts';

const wordy = /[\p{L}\p{N}]/gu;

/** Every word must occur, the last one as a beginning where it has two letters. Failure `tickets.short` below two letters or digits. */
export function matchOf(text: string): string {
  const words = text.split(/\s+/).filter((word) => word.search(wordy) !== -1);
  if ((words.join('').match(wordy) ?? []).length < 2)
    throw new Failure('tickets.short', 'Write at least two letters or digits to search for.');
  // Quoted, nothing a person writes is taken for the index's own language.
  const quoted = words.map((word) => `"${word.replaceAll('"', '""').replaceAll('\0', ' ')}"`).join(' ');
  return (words.at(-1)?.match(wordy) ?? []).length < 2 ? quoted : `${quoted} *`;
}

const around = 60;

/** One line around the first of the words found in a text; its beginning where none stands there as it was typed. */
export function excerpt(text: string, typed: string): string {
  const folded = text.toLowerCase();
  const places = typed
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (word === '' ? -1 : folded.indexOf(word)))
    .filter((place) => place !== -1);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - around);
  const to = Math.min(text.length, from + 3 * around);
  const line = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${line}${to < text.length ? ' …' : ''}`;
}
