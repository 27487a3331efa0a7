/**
 * What a server says of itself as a whole (`instructions`), as a definition that is pinned like any other (spec host §8). The
 * older handshake carries it; a modern server is asked, since a reused era holds words of an earlier day.
 */
import { Failure } from '../../shared/failures.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { instructionsName, type Definition } from '../../shared/pins.ts';
import type { Clock } from '../ports.ts';
import { anyResult } from './ask.ts';
import { definitionHash } from './canonical.ts';
import type { Session } from './session.ts';

/** Characters an admin is shown whole; the model reads far fewer. */
const longest = 20_000;
/** Its changes are told by nobody: it is asked again, by the minute at most. */
const [leastMs, mostMs] = [60_000, 24 * 60 * 60_000];
const timeout = 10_000;

/** Reads them on a running session: one definition, or none where the server says nothing. */
export function createInstructions(clock: Clock) {
  let kept: { session: Session; said: Json; until: number } | null = null;

  async function said(session: Session): Promise<Json> {
    if (session.era === 'legacy') return session.instructions;
    if (kept?.session === session && clock.now() < kept.until) return kept.said;
    const asked = { method: 'server/discover', params: {} };
    const result = (await session.client.request(asked, anyResult, { timeout })) as JsonObject; // came in as JSON
    const { instructions = null, ttlMs } = result;
    const ttl = typeof ttlMs === 'number' ? Math.min(mostMs, Math.max(leastMs, ttlMs)) : leastMs;
    kept = { session, said: instructions, until: clock.now() + ttl };
    return instructions;
  }
  return async (session: Session): Promise<Definition[]> => asDefinition(await said(session));
}

function asDefinition(said: Json): Definition[] {
  if (said === null || (typeof said === 'string' && said.trim() === '')) return [];
  if (typeof said !== 'string') return [parked({}, 'They are not text.')];
  if (said.length > longest)
    return [parked({}, `They have ${said.length} characters; at most ${longest} can be shown and approved.`)];
  const raw = { instructions: said };
  try {
    return [{ name: instructionsName, raw, hash: definitionHash(raw), problem: null }];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [parked(raw, error.message)];
  }
}

function parked(raw: JsonObject, problem: string): Definition {
  return { name: instructionsName, raw, hash: null, problem };
}
