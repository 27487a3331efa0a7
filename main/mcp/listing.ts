/** Reads a whole list page by page, within time, pages and elements (spec trust, "Limits"). */
import { Failure, reason } from '../../shared/failures.ts';
import { anyResult } from './ask.ts';
import type { Limits } from './limits.ts';
import { signInFailure } from './oauthChallenge.ts';
import type { Session } from './session.ts';

export interface Listing {
  /** Raw text of each element. */
  elements: string[];
  /** The shortest the server allows any page to be kept, at most a day. */
  ttlMs: number;
  /** Why the list is not whole, or null. */
  cut: string | null;
}

const day = 24 * 60 * 60_000;

/** Only one list may be read at a time on a session: raw elements are collected by the transport. */
export async function readList(
  session: Session,
  method: 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list',
  most: number,
  limits: Limits,
): Promise<Listing> {
  const elements: string[] = [];
  const cursors = new Set<string>();
  const deadline = performance.now() + limits.listMs;
  let ttlMs = day;
  let cursor: string | undefined;
  session.transport.takeList();
  for (let page = 1; ; page++) {
    const left = deadline - performance.now();
    const late = `The list was not finished within ${limits.listMs / 1_000} s.`;
    if (left <= 0) return { elements, ttlMs: 0, cut: late };
    let result: Record<string, unknown>;
    try {
      const params = cursor === undefined ? {} : { cursor };
      result = await session.client.request({ method, params }, anyResult, { timeout: left });
    } catch (error) {
      // What came before a later page failed is still good; the first page decides whether there is a list at all.
      if (page === 1 || !session.alive()) throw error;
      return { elements, ttlMs: 0, cut: `Page ${page} of the list could not be read: ${reason(error).slice(0, 200)}` };
    }
    elements.push(...session.transport.takeList());
    ttlMs = Math.min(ttlMs, typeof result.ttlMs === 'number' ? result.ttlMs : 0);
    if (elements.length > most)
      return {
        elements: elements.slice(0, most),
        ttlMs,
        cut: `The list is longer than ${most}; the rest is left out.`,
      };
    if (typeof result.nextCursor !== 'string') return { elements, ttlMs, cut: null };
    cursor = result.nextCursor;
    if (cursors.has(cursor))
      return { elements, ttlMs: 0, cut: 'The list turns in a circle of pages; the rest is left out.' };
    cursors.add(cursor);
    if (page >= limits.pages)
      return { elements, ttlMs, cut: `The list has more than ${limits.pages} pages; the rest is left out.` };
  }
}

/** A read that failed, as a sentence for a person. */
export function readFailure(prefix: string, what: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const sentence = `${prefix}: ${what} could not be read: ${reason(error).slice(0, 300)}`;
  return signInFailure(error, prefix, sentence) ?? new Failure('servers.read', sentence);
}
