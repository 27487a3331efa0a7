// A send that a server refused at its door, before anything ran (spec host §3): by headers it does not take, by a revision
// it does not speak any more, or for want of a sign-in. What lets it in is done here, and it may go out once more.
import { Failure, reason } from '../shared/failures.ts';
import { isObject, textOf, type Json, type JsonObject } from '../shared/json.ts';
import type { WireOutcome } from './mcp/connection.ts';
import type { Begun } from './mcp/tasks.ts';
import type { Server } from './servers.ts';

/** Asks a person now to sign in to a server; false leaves it. */
export type AskSignIn = (server: Server, signal?: AbortSignal) => Promise<boolean>;

export interface Door {
  relist(prefix: string): Promise<void>;
  signIn?: AskSignIn | undefined;
}

const headerMismatch = -32020;
const missingCapability = -32021;
const otherRevision = -32022;

/** An error of a server in words, with what to know of those the specification names. */
export function errorWords(prefix: string, error: Extract<WireOutcome, { kind: 'protocol error' }>): string {
  const { code, message } = error;
  const data = isObject(error.data as Json) ? (error.data as JsonObject) : {}; // came in as JSON
  if (code === headerMismatch) return `${prefix} does not take the headers the desk sends (error ${code}): ${message}`;
  if (code === missingCapability) {
    const wanted = isObject(data['requiredCapabilities']) ? Object.keys(data['requiredCapabilities']) : [];
    const names = wanted.length === 0 ? 'something' : wanted.slice(0, 5).join(', ').slice(0, 200);
    return `${prefix} wants ${names} of the desk, which it does not offer (error ${code}): ${message}`;
  }
  if (code === otherRevision && Array.isArray(data['supported']))
    return `${prefix} speaks ${data['supported'].slice(0, 10).map(textOf).join(', ').slice(0, 200)} and not the desk’s revision (error ${code}).`;
  return `${prefix} answered with error ${code}: ${message}`;
}

/** `true`: it may go out once more. `false`: it was not refused at the door. Words: why it stays out. */
export async function letIn(
  server: Server,
  outcome: WireOutcome | Begun,
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
