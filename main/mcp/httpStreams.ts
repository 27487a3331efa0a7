/**
 * Streams of an older server that are asked for by GET (2025-11-25): its notices, and the rest of an answer whose stream
 * ended early. Asking for the rest runs nothing again: the call itself went out once.
 */
import type { StreamMark } from './events.ts';
import { pause, readEvents } from './httpBody.ts';
import { exchange } from './httpExchange.ts';
import type { Limits } from './limits.ts';

/** How often the rest of one answer is asked for without anything new. */
const mostTries = 5;
const usualRetryMs = 1_000;
const longestRetryMs = 30_000;

export interface Streams {
  /** Notices, until `going` says no or the server has no such stream. */
  hear(going: () => boolean): Promise<void>;
  /** What follows the mark, while it is wanted. */
  resume(mark: StreamMark, options: { wanted: () => boolean; signal: AbortSignal }): Promise<void>;
}

export function createStreams(deps: {
  url: URL;
  limits: Limits;
  headers: () => Promise<Record<string, string>>;
  onData: (data: Buffer) => void;
  closing: AbortSignal;
}): Streams {
  const { url, limits, onData } = deps;

  /** Reads one stream to its end; false where the server has none. A stream that breaks is one that ended. */
  async function listen(mark: StreamMark, signal: AbortSignal, wanted: () => boolean): Promise<boolean> {
    try {
      const answer = await exchange({
        url,
        method: 'GET',
        headers: {
          ...(await deps.headers()),
          accept: 'text/event-stream',
          ...(mark.id !== null && { 'last-event-id': mark.id }),
        },
        limits,
        signal,
        onWritten: () => undefined,
      });
      if (answer.status !== 200 || answer.type !== 'text/event-stream') {
        answer.body.destroy();
        return false;
      }
      await readEvents(answer.body, { limits, signal, onData, wanted, mark });
    } catch {
      // asked for again by who called: a list also goes by its time to live
    }
    return true;
  }

  return {
    async hear(going) {
      const mark: StreamMark = { id: null, retryMs: null };
      while (going() && (await listen(mark, deps.closing, () => true)))
        await pause(Math.max(limits.relistMs, Math.min(mark.retryMs ?? 0, longestRetryMs)), deps.closing);
    },
    async resume(mark, { wanted, signal }) {
      const going = () => wanted() && !signal.aborted;
      for (let tries = 0; tries < mostTries && going(); tries++) {
        const before = mark.id;
        await pause(Math.min(mark.retryMs ?? usualRetryMs, longestRetryMs), signal);
        if (!going() || !(await listen(mark, signal, wanted))) return;
        if (mark.id !== before) tries = 0;
      }
    },
  };
}
