// How what a person sends differs from what the model wrote, word by word: kept for measuring, and to know whose words are
// whose when the text is checked again.
import type { ReplyDifference } from '../shared/queue.ts';

/** Above this the middle of two texts is taken as replaced as a whole: the table would be too large. */
const mostCells = 4_000_000;

/** Words with the spaces after them, and single marks. */
function pieces(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

type Part = ReplyDifference['parts'][number];

function push(parts: Part[], kind: Part['kind'], text: string): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}

/** Lengths of the longest common subsequence of what follows each pair of places. */
function table(before: string[], after: string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
}

function middle(parts: Part[], before: string[], after: string[]): void {
  if (before.length * after.length > mostCells) {
    push(parts, 'removed', before.join(''));
    push(parts, 'added', after.join(''));
    return;
  }
  const lengths = table(before, after);
  const width = after.length + 1;
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      push(parts, 'kept', old);
      i++;
      j++;
    } else if (
      old !== undefined &&
      (fresh === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      push(parts, 'removed', old);
      i++;
    } else {
      push(parts, 'added', fresh ?? '');
      j++;
    }
  }
}

/** The parts joined without `added` are `before`, without `removed` they are `after`. */
export function wordDifference(before: string, after: string): ReplyDifference {
  const [old, fresh] = [pieces(before), pieces(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const parts: Part[] = [];
  push(parts, 'kept', old.slice(0, start).join(''));
  middle(parts, old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  push(parts, 'kept', end === 0 ? '' : old.slice(-end).join(''));
  const words = (kind: Part['kind']) =>
    parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + wordCount(part.text), 0);
  const [removed, added] = [words('removed'), words('added')];
  const all = Math.max(wordCount(before), wordCount(after), 1);
  const share = Math.min(1, Math.max(removed, added) / all);
  return { kind: kindOf(before === after, share), share, parts };
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0;
}
function kindOf(same: boolean, share: number): ReplyDifference['kind'] {
  if (same) return 'unedited';
  return share < 0.1 ? 'light' : share <= 0.5 ? 'heavy' : 'rewritten';
}

interface Span {
  start: number;
  end: number;
}
/** Stretches of the text after that a person typed. */
export function addedSpans(parts: Part[]): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const { kind, text } of parts) {
    if (kind === 'added') spans.push({ start: at, end: at + text.length });
    if (kind !== 'removed') at += text.length;
  }
  return spans;
}
/** Where a stretch of the text before stands in the text after; null where it was touched. */
export function movedSpan(parts: Part[], span: Span): Span | null {
  let [before, after] = [0, 0];
  for (const { kind, text } of parts) {
    const inside = span.start >= before && span.end <= before + text.length;
    if (kind === 'kept' && inside) return { start: after + span.start - before, end: after + span.end - before };
    if (kind !== 'added') before += text.length;
    if (kind !== 'removed') after += text.length;
  }
  return null;
}
