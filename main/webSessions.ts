// Who may speak to the browser mode (spec trust, "In the browser mode"): whoever has the start token, good once and for a
// minute, and then the cookie it was changed into. Only hashes are kept; those of cookies also over a restart of the desk, so
// that an open page comes back by itself.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock, Random } from './ports.ts';

const tokenLife = 60_000;
/** A cookie ends with its browser; what is kept of it ends after this. */
const sessionLife = 7 * 24 * 3_600_000;
const mostSessions = 200;

const kept = z.object({
  port: z.number().int().min(1).max(65_535).nullable(),
  /** Hash of a cookie → when it ends, in milliseconds. */
  sessions: z.record(z.string(), z.number()),
});
export type KeptWeb = z.infer<typeof kept>;

/** Of a file that is not there, or was damaged: nothing was kept. */
export function readKeptWeb(file: string): KeptWeb {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { port: null, sessions: {} };
  }
}
export function keepWeb(file: string, what: KeptWeb): void {
  writeFileSync(`${file}.new`, JSON.stringify(what), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export type WebSessions = ReturnType<typeof createWebSessions>;

/** `kept`: file of what outlives the desk; without one nothing does. */
export function createWebSessions(deps: { clock: Clock; random: Random; kept?: string }) {
  const { clock } = deps;
  /** Hash of a token → when it ends. */
  const tokens = new Map<string, number>();
  const sessions = new Map(deps.kept === undefined ? [] : Object.entries(readKeptWeb(deps.kept).sessions));

  function keep(file: string): void {
    // Another desk on this folder may have written meanwhile.
    const before = readKeptWeb(file);
    const all = Object.entries({ ...before.sessions, ...Object.fromEntries(sessions) });
    const good = all.filter(([, until]) => until > clock.now()).toSorted(([, a], [, b]) => b - a);
    keepWeb(file, { ...before, sessions: Object.fromEntries(good.slice(0, mostSessions)) });
  }
  return {
    /** A new start token; those that were not used stay good for their time. */
    token(): string {
      const now = clock.now();
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
      if (until === undefined || until <= clock.now()) return null;
      const session = deps.random.hex(32);
      sessions.set(hashOf(session), clock.now() + sessionLife);
      if (deps.kept !== undefined) keep(deps.kept);
      return session;
    },
    knows: (session: string): boolean => (sessions.get(hashOf(session)) ?? 0) > clock.now(),
  };
}

/** Looked up by hash, so that the time a comparison takes says nothing about the secret. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
