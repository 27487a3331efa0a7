// Handles, such as the ID of a quote, never reach a customer: whoever holds one might use it. What is sent loses them, also
// where they are written with other letters, invisible ones between, or cut.
import { foldText, storedSpan } from './evidence/foldText.ts';

/** Eight characters of a handle are enough to be used or guessed. */
const part = /[a-z0-9_-]{8,}/g;

/** `text` without the handles, a pair of brackets around one and the space before it. */
export function withoutHandles(text: string, handles: string[]): string {
  const folded = foldText(text);
  const lower = folded.text.toLowerCase();
  // Where lower case is longer than what it was made of, places would be wrong.
  const searched = lower.length === folded.text.length ? lower : folded.text;
  const spans: { start: number; end: number }[] = [];
  for (const handle of handles.map((one) => one.toLowerCase()).filter((one) => one.length >= 3))
    for (let at = searched.indexOf(handle); at !== -1; at = searched.indexOf(handle, at + 1))
      spans.push({ start: at, end: at + handle.length });
  for (const { 0: found, index } of searched.matchAll(part))
    if (/\d/.test(found) && handles.some((one) => one.toLowerCase().includes(found)))
      spans.push({ start: index, end: index + found.length });
  let left = '';
  let from = 0;
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const around = widened(text, storedSpan(folded, span.start, span.end));
    if (around.end <= from) continue;
    left += text.slice(from, Math.max(from, around.start));
    from = around.end;
  }
  return left + text.slice(from);
}

function widened(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const brackets = text[start - 1] === '(' && text[end] === ')';
  let from = brackets ? start - 1 : start;
  while (text[from - 1] === ' ') from--;
  return { start: from, end: brackets ? end + 1 : end };
}
