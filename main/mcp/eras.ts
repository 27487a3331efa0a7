/** The era a server was found to speak, kept per server configuration, dated, and expired (spec host §2). */
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { isObject, type Json } from '../../shared/json.ts';
import { iso, type Clock } from '../ports.ts';

export interface EraStore {
  get(key: string): Json | undefined;
  set(key: string, value: Json): void;
}

export interface KnownEra {
  prior: PriorDiscovery;
  at: string;
  /** Too old to skip the probe, still good for telling that a server came back older. */
  stale: boolean;
}

export function readEra(store: EraStore, key: string, clock: Clock, maxMs: number): KnownEra | null {
  const kept = store.get(key);
  if (!isObject(kept) || typeof kept.at !== 'string') return null;
  const age = clock.now() - Date.parse(kept.at);
  const stale = !(age >= 0 && age <= maxMs);
  if (kept.kind === 'legacy') return { prior: { kind: 'legacy' }, at: kept.at, stale };
  if (kept.kind !== 'modern' || !isObject(kept.discover)) return null;
  // The SDK parses a prior before it uses it.
  return { prior: { kind: 'modern', discover: kept.discover as never }, at: kept.at, stale };
}

export function writeEra(store: EraStore, key: string, prior: PriorDiscovery, clock: Clock) {
  const discover = prior.kind === 'modern' ? (prior.discover as unknown as Json) : null; // a JSON-safe result
  store.set(key, { kind: prior.kind, at: iso(clock), ...(discover !== null && { discover }) });
}
