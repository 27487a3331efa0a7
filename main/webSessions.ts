// Who may speak to the browser mode (spec trust, "In the browser mode"): whoever has the start token, good once and for a
// minute, and then the cookie it was changed into. Only hashes are kept.
import { createHash } from 'node:crypto';
import type { Clock, Random } from './ports.ts';

const tokenLife = 60_000;

export type WebSessions = ReturnType<typeof createWebSessions>;

export function createWebSessions(deps: { clock: Clock; random: Random }) {
  /** Hash of a token → when it ends. */
  const tokens = new Map<string, number>();
  const sessions = new Set<string>();
  return {
    /** A new start token; those that were not used stay good for their time. */
    token(): string {
      const now = deps.clock.now();
      for (const [hash, until] of tokens) if (until <= now) tokens.delete(hash);
      const token = deps.random.hex(32);
      tokens.set(hashOf(token), now + tokenLife);
      return token;
    },
    /** The cookie's value for a start token, once; null for any other text. */
    redeem(token: string): string | null {
      const hash = hashOf(token);
      const until = tokens.get(hash);
      tokens.delete(hash);
      if (until === undefined || until <= deps.clock.now()) return null;
      const session = deps.random.hex(32);
      sessions.add(hashOf(session));
      return session;
    },
    knows: (session: string): boolean => sessions.has(hashOf(session)),
  };
}

/** Looked up by hash, so that the time a comparison takes says nothing about the secret. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
