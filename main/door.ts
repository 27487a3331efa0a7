// A send that a server refused at its door, before anything ran (spec host §3): by headers it does not take, by a revision
// it does not speak any more, or for want of a sign-in. What lets it in is done here, and it may go out once more.
import { Failure, reason } from '../shared/failures.ts';
import type { WireOutcome } from './mcp/connection.ts';
import type { Server } from './servers.ts';

/** Asks a person now to sign in to a server; false leaves it. */
export type AskSignIn = (server: Server, signal?: AbortSignal) => Promise<boolean>;

export interface Door {
  relist(prefix: string): Promise<void>;
  signIn?: AskSignIn | undefined;
}

const headerMismatch = -32020;
const otherRevision = -32022;

/** `true`: it may go out once more. `false`: it was not refused at the door. Words: why it stays out. */
export async function letIn(
  server: Server,
  outcome: WireOutcome,
  door: Door,
  signal?: AbortSignal,
): Promise<boolean | string> {
  if (outcome.kind === 'protocol error') {
    if (outcome.code === headerMismatch) {
      // It wants arguments in headers the desk's list does not name: read anew, through the pins.
      await door.relist(server.config.prefix);
      return true;
    }
    // The connection asks it anew which revision it speaks.
    return outcome.code === otherRevision;
  }
  if (outcome.kind !== 'not sent' || outcome.challenge === undefined || door.signIn === undefined) return false;
  try {
    return await door.signIn(server, signal);
  } catch (error) {
    if (error instanceof Failure) return reason(error);
    throw error;
  }
}
