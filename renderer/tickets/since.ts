// What came since a draft was made that can no longer be sent.
import type { OpenTicket } from '../../shared/queue.ts';

/** Only a person attached something, and no message, note or reply came. */
export function onlyAttached({ thread, attached, run }: Pick<OpenTicket, 'thread' | 'attached' | 'run'>): boolean {
  const made = run?.started_at ?? null;
  return made !== null && attached.some(({ at }) => at > made) && thread.every(({ at }) => at <= made);
}
