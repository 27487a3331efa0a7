/** What a server says when it refuses a request for want of a sign-in: the `WWW-Authenticate` header, read as it is written. */
import { UnauthorizedError } from '@modelcontextprotocol/client';
import { Failure } from '../../shared/failures.ts';

export interface Challenge {
  /** `sign-in`: no token, or one that does not count any more. `scope`: a good token that may not do this. */
  kind: 'sign-in' | 'scope';
  /** Where the server's metadata is, if it says so. */
  metadata: string | null;
  /** Scopes it asks for, as it writes them. */
  scope: string | null;
}

const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const longest = 8 * 1024;

/** Parameters of the first `Bearer` challenge of a header; null where there is none. */
function bearer(header: string): Map<string, string> | null {
  const part = new RegExp(`[\\s,]*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+)))?`, 'y');
  let found: Map<string, string> | null = null;
  const text = header.slice(0, longest);
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [, name = '', quoted, plain] = match;
    if (quoted === undefined && plain === undefined) {
      // A name without a value begins the next challenge.
      if (found !== null) return found;
      if (name.toLowerCase() === 'bearer') found = new Map();
    } else if (found && !found.has(name.toLowerCase()))
      found.set(name.toLowerCase(), plain ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return found;
}

/** The challenge of a refused request. 403 counts only where it says that a scope is missing. */
export function readChallenge(status: number, header: string | undefined): Challenge | null {
  const said = bearer(header ?? '');
  const isScope = said?.get('error') === 'insufficient_scope';
  if (status !== 401 && !(status === 403 && isScope)) return null;
  const scope = said?.get('scope')?.trim().replaceAll(/\s+/g, ' ') ?? '';
  return {
    kind: isScope ? 'scope' : 'sign-in',
    metadata: said?.get('resource_metadata') ?? null,
    // RFC 6749 §3.3: printable ASCII without quote and backslash.
    scope: /^[\x21\x23-\x5b\x5d-\x7e ]{1,1000}$/.test(scope) ? scope : null,
  };
}

/** Every scope once, in the order first seen; null where there is none. */
export function scopeUnion(...scopes: (string | null | undefined)[]): string | null {
  const all = new Set(scopes.flatMap((one) => (one ?? '').split(' ').filter((scope) => scope !== '')));
  return all.size === 0 ? null : [...all].join(' ');
}

/** A request that was refused at the door: it did not run. The SDK takes it for no sign of an older server. */
export class Refused extends UnauthorizedError {
  readonly challenge: Challenge | null;
  readonly canSignIn: boolean;
  constructor(status: number, challenge: Challenge | null, canSignIn: boolean) {
    super(words(status, challenge, canSignIn));
    this.challenge = challenge;
    this.canSignIn = canSignIn;
  }
}

function words(status: number, challenge: Challenge | null, canSignIn: boolean): string {
  if (challenge === null) return `it refuses this desk (HTTP ${status}) and does not say how to be let in`;
  if (challenge.kind === 'scope')
    return `it wants more than this sign-in was granted (${challenge.scope ?? 'it does not say what'})`;
  return canSignIn ? 'it asks for sign-in' : `it asks for sign-in, which is not set up for it (HTTP ${status})`;
}

/** A refusal as a failure that a sign-in may cure; undefined for anything else. */
export function signInFailure(error: unknown, prefix: string, sentence: string): Failure | undefined {
  if (!(error instanceof Refused) || error.challenge === null) return undefined;
  const how = error.canSignIn ? ` Sign in with: desk servers sign-in ${prefix}` : '';
  return new Failure('servers.signin', `${sentence.replace(/\.$/, '')}.${how}`, { challenge: error.challenge });
}

/** The challenge such a failure holds. */
export function challengeOf(error: unknown): Challenge | undefined {
  if (!(error instanceof Failure) || error.code !== 'servers.signin') return undefined;
  return (error.data as { challenge: Challenge }).challenge; // made above, nowhere else
}
