// The limits an admin set for servers (spec trust, "Limits"), kept in the data folder. A server takes them over when it starts.
import { Failure } from '../shared/failures.ts';
import type { Json } from '../shared/json.ts';
import { isObject } from '../shared/json.ts';
import {
  isLimit,
  limitEntries,
  limitProblem,
  limitRows,
  type LimitName,
  type LimitRow,
  type LimitValues,
} from '../shared/limits.ts';
import { limitsOf, type Limits } from './mcp/limits.ts';
import type { Settings } from './settings.ts';

const key = 'limits';

export async function openLimits(settings: Pick<Settings, 'get' | 'set'>) {
  let set = kept(await settings.get(key));
  return {
    /** For a server that starts now. */
    now: (): Limits => limitsOf(set),
    list: (): LimitRow[] => limitRows(set),
    /** `value` in the limit's unit; null: the usual one. Failures `limits.unknown`, `limits.range`. */
    async set(name: string, value: number | null): Promise<LimitRow[]> {
      const known = named(name);
      const problem = value === null ? null : limitProblem(known, value);
      if (problem !== null) throw new Failure('limits.range', `${problem} It stays as it is.`);
      const next = kept({ ...set, [known]: value });
      await settings.set(key, next);
      set = next;
      return limitRows(set);
    },
  };
}

function named(name: string): LimitName {
  if (isLimit(name)) return name;
  throw new Failure('limits.unknown', `There is no limit “${name}”. Known: ${Object.keys(limitEntries).join(', ')}.`);
}

/** What another version of the desk kept and this one would not take is left out: the usual value holds. */
function kept(stored: Json | undefined): LimitValues {
  const found: LimitValues = {};
  if (!isObject(stored)) return found;
  for (const [name, value] of Object.entries(stored))
    if (isLimit(name) && typeof value === 'number' && limitProblem(name, value) === null) found[name] = value;
  return found;
}
