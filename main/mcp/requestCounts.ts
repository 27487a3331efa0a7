/** What a server was asked since the desk started: how often, under which revisions, and what went wrong (spec host §24). */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { RequestCounts } from '../../shared/servers.ts';
import { iso, type Clock } from '../ports.ts';
import { stoppedByPerson } from './ask.ts';
import type { Session } from './session.ts';

/** Counts over every life of one server. */
export function createRequestCounts(clock: Clock) {
  const since = iso(clock);
  const revisions = new Map<string, number>();
  const errors = new Map<string, number>();
  function more(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  return {
    /** Counts what a session is asked from now on; that it was agreed on is behind it. */
    watch({ client, revision, transport }: Session): void {
      const request = client.request.bind(client) as (...given: unknown[]) => Promise<unknown>; // only passed on
      async function counted(...given: unknown[]): Promise<unknown> {
        more(revisions, revision);
        try {
          return await request(...given);
        } catch (error) {
          const { signal } = (given[2] ?? {}) as { signal?: AbortSignal }; // the options of a request stand third
          const what = wrong(error, signal, transport);
          if (what !== null) more(errors, what);
          throw error;
        }
      }
      client.request = counted;
    },
    counts: (): RequestCounts => ({
      since,
      total: [...revisions.values()].reduce((sum, count) => sum + count, 0),
      revisions: Object.fromEntries(revisions),
      errors: Object.fromEntries(errors),
    }),
  };
}

/** The server's own code, or in words what became of the request; null where nothing is wrong with the server. */
function wrong(
  error: unknown,
  signal: AbortSignal | undefined,
  { madeHere }: Pick<Session['transport'], 'madeHere'>,
): string | null {
  if (signal?.aborted)
    return typeof signal.reason === 'string' && signal.reason !== stoppedByPerson ? 'timed out' : null;
  if (ProtocolError.isInstance(error)) return madeHere(error.data) ? 'unusable answer' : String(error.code);
  return SdkError.isInstance(error) ? (unanswered[error.code] ?? null) : null;
}

/** What the SDK says of a request without an answer of the server; its other codes are about the desk. */
const unanswered: Partial<Record<string, string>> = {
  [SdkErrorCode.RequestTimeout]: 'timed out',
  [SdkErrorCode.ConnectionClosed]: 'went away',
  [SdkErrorCode.SendFailed]: 'went away',
  [SdkErrorCode.InvalidResult]: 'unusable answer',
};
