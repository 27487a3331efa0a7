// A text cut at its claims, and claims carried over an edit as far as the edit left them alone.
import type { ReplyDraft } from '../../shared/queue.ts';
import type { Claim } from '../../shared/runs.ts';

export interface Segment {
  text: string;
  claim: Claim | null;
}

/** Text and claims in order; a claim that overlaps an earlier one, or lies outside, is left out. */
export function segmentsOf(text: string, claims: readonly Claim[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const claim of claims.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (claim.start < from || claim.end <= claim.start || claim.end > text.length) continue;
    if (claim.start > from) segments.push({ text: text.slice(from, claim.start), claim: null });
    segments.push({ text: text.slice(claim.start, claim.end), claim });
    from = claim.end;
  }
  if (from < text.length) segments.push({ text: text.slice(from), claim: null });
  return segments;
}

/** It waits for a lead's word, or an edit. */
export function isHeld(draft: ReplyDraft): boolean {
  return draft.blocked && draft.override === null;
}

export function isBacked(claim: Claim): boolean {
  return claim.verdict === 'backed';
}

/** Claims of `before` that stand unchanged in `after`, at their new places. */
export function carried(before: string, after: string, claims: readonly Claim[]): Claim[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const shift = after.length - before.length;
  return claims.flatMap((claim) => {
    if (claim.end <= head) return [claim];
    if (claim.start >= before.length - tail) return [moved(claim, claim.start + shift)];
    const words = before.slice(claim.start, claim.end);
    return once(before, words) && once(after, words) ? [moved(claim, after.indexOf(words))] : [];
  });
}

function moved(claim: Claim, start: number): Claim {
  return { ...claim, start, end: start + claim.end - claim.start };
}
function once(text: string, words: string): boolean {
  const at = text.indexOf(words);
  return at !== -1 && text.indexOf(words, at + 1) === -1;
}

/** The sign a claim carries: the number of its call, P for policy text, T for the ticket. */
export function signOf(claim: Claim): string {
  if (!isBacked(claim) && claim.verdict !== 'reported') return '?';
  if (claim.call !== undefined) return String(claim.call);
  const signs = { call: '', resource: 'P', ticket: 'T', derived: '=', person: 'H' };
  return claim.source === undefined ? '' : signs[claim.source];
}
