/**
 * Who a request comes from, as far as a server can know: who signed in over HTTP, else the person the host names under this
 * `_meta` key from its own configuration (the desk is believed about its own staff), else simply somebody of the staff.
 */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';

const PERSON_KEY = 'example.fernhill/person';

export function callerOf({ mcpReq, http }: ServerContext, meta: Record<string, unknown> | undefined): string {
  const signedIn = http?.authInfo?.clientId;
  if (signedIn !== undefined) return signedIn;
  const person = (meta ?? mcpReq._meta)?.[PERSON_KEY];
  if (person === undefined) return 'staff';
  if (typeof person === 'string' && /^[\w.@-]{1,100}$/.test(person)) return person;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta["${PERSON_KEY}"] must be the ID of a person, like staff-0613.`,
  );
}
