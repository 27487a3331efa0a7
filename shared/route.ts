/** How a request that a view may make is declared: once, for both sides. */
import type { z } from 'zod';
import type { Role } from './people.ts';

export interface Route<Params extends z.ZodType, Value> {
  params: Params;
  /** Who may ask at least, and what they do in words ("adds servers"); null reads and asks for nobody. */
  least: { role: Role; does: string } | null;
  /** The configured servers are started first. */
  servers: boolean;
  /** Goes on when whoever asked goes away: what began with a consent ends with its outcome in the log. */
  outlives: boolean;
  /** A type only: what comes back. */
  value?: Value;
}

/** Declares a route: `route<Value>()(params, more)`. */
export function route<Value>() {
  return <Params extends z.ZodType>(
    params: Params,
    more: Partial<Pick<Route<Params, Value>, 'least' | 'servers' | 'outlives'>> = {},
  ): Route<Params, Value> => ({ params, least: null, servers: false, outlives: false, ...more });
}
