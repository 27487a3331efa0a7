/**
 * Pins (spec host §§6–8): a tool is offered only while the newest decision on it is an approval of exactly this definition
 * from exactly this server configuration. Prompts, templates and instructions use the same functions under names of their own.
 */
import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { Decided, Definition, FieldDifference, Mark, Pin, Reviewed, SeenDecision } from '../shared/pins.ts';
import { seenDecision } from '../shared/pins.ts';
import { freeTexts } from './freeText.ts';
import { configurationHash } from './mcp/configuration.ts';
import { difference } from './pinsDifference.ts';
import { iso, type Clock } from './ports.ts';
import type { Executor, Store } from './store/open.ts';
import { nameOf } from './store/people.ts';
import { clearReturned, insertPin, latestPins, pinHistory, saveSeen, seenOf, type Seen } from './store/pins.ts';

export interface Shipped {
  tool: string;
  hash: string;
  marks?: Record<string, Mark>;
  no_side_effects?: boolean;
}
export interface Decision {
  prefix: string;
  tool: string;
  by: Person;
  decision: 'approved' | 'refused';
  /** Hash of the definition that was looked at: another one may have come meanwhile. */
  hash: string;
  why: string | null;
  /** The newest decision that was on display, null where there was none; left out, nobody looked at one. */
  seen?: SeenDecision | null;
  marks?: Record<string, Mark>;
  noSideEffects?: boolean;
}

export type Pins = ReturnType<typeof createPins>;

export function createPins({ store, clock }: { store: Store; clock: Clock }) {
  /** Records what a server offers now and says for each tool whether it may be used, removed tools included. */
  async function review(prefix: string, configuration: string, definitions: Definition[]): Promise<Reviewed[]> {
    return store.db.transaction().execute(async (trx) => {
      await look(trx, prefix, configuration, definitions);
      const pins = await latestPins(trx, prefix);
      return [...(await seenOf(trx, prefix)).values()].map((seen) => judge(seen, pins.get(seen.definition.name)));
    });
  }

  async function look(trx: Executor, prefix: string, configuration: string, definitions: Definition[]): Promise<void> {
    const at = iso(clock);
    const before = await seenOf(trx, prefix);
    const now = once(definitions);
    for (const definition of now.values()) {
      const seen = before.get(definition.name);
      const returned_at = seen?.removed_at ? at : (seen?.returned_at ?? null);
      const same = seen?.configuration === configuration && isDeepStrictEqual(seen.definition, definition);
      const next = { prefix, definition, configuration, at: same ? seen.at : at, removed_at: null, returned_at };
      if (!isDeepStrictEqual(seen, next)) await saveSeen(trx, next);
    }
    for (const [tool, seen] of before)
      if (!now.has(tool) && seen.removed_at === null) await saveSeen(trx, { ...seen, removed_at: at });
  }

  /** An admin's decision. Failures `pins.role`, `pins.none`, `pins.parked`, `pins.changed`, `pins.decided`. */
  async function decide(given: Decision): Promise<Pin> {
    const { prefix, tool, by } = given;
    if (by.role !== 'admin')
      throw new Failure('pins.role', `Only an admin decides on definitions; ${by.id} is ${by.role}.`);
    return store.db.transaction().execute(async (trx) => {
      const seen = usable((await seenOf(trx, prefix)).get(tool), `${prefix}.${tool}`);
      if (seen.hash !== given.hash)
        throw new Failure('pins.changed', `${prefix}.${tool} changed while it was looked at. Look again, then decide.`);
      const before = (await latestPins(trx, prefix)).get(tool);
      if (before && given.seen !== undefined && !isDeepStrictEqual(given.seen, seenDecision(before)))
        throw new Failure(
          'pins.decided',
          `${await nameOf(trx, before.by)} ${before.decision} ${prefix}.${tool} just now, while you looked at it. Your decision was not kept: look at it again, then decide.`,
        );
      const same = before?.hash === seen.hash && before.configuration === seen.configuration;
      const pin: Pin = {
        ...seen,
        prefix,
        tool,
        marks: marksFor(seen.raw, { ...before?.marks, ...given.marks }),
        // An entry belongs to one definition: a change clears it (spec host §9).
        no_side_effects: given.decision === 'approved' && (given.noSideEffects ?? (same && before.no_side_effects)),
        decision: given.decision,
        by: by.id,
        why: given.why,
        at: iso(clock),
      };
      await insertPin(trx, pin);
      await clearReturned(trx, prefix, tool);
      return pin;
    });
  }

  /**
   * Approves bundled tools whose hash is a shipped one, without asking; returns their names. Never where a person has
   * decided, nor for another hash. `definitions` are looked at first where given.
   */
  async function adopt(
    prefix: string,
    configuration: string,
    shipped: Shipped[],
    definitions?: Definition[],
  ): Promise<string[]> {
    return store.db.transaction().execute(async (trx) => {
      if (definitions) await look(trx, prefix, configuration, definitions);
      const pins = await latestPins(trx, prefix);
      const seen = await seenOf(trx, prefix);
      const adopted: string[] = [];
      for (const clean of shipped) {
        const offered = seen.get(clean.tool);
        const before = pins.get(clean.tool);
        if (!offered || offered.configuration !== configuration || offered.definition.hash !== clean.hash) continue;
        if (offered.definition.problem !== null || offered.removed_at !== null) continue;
        if ((before && before.by !== 'shipped') || judge(offered, before).status === 'approved') continue;
        await insertPin(trx, shippedPin(offered, clean, iso(clock)));
        await clearReturned(trx, prefix, clean.tool);
        adopted.push(clean.tool);
      }
      return adopted;
    });
  }

  /** The approval in force for what a server offers now; null where there is none. Asked again at every sending. */
  async function approved(prefix: string, tool: string, configuration: string): Promise<Pin | null> {
    const seen = (await seenOf(store.db, prefix)).get(tool);
    const pin = (await latestPins(store.db, prefix)).get(tool);
    if (seen?.configuration !== configuration || !pin) return null;
    return judge(seen, pin).status === 'approved' ? pin : null;
  }

  return {
    configurationHash,
    review,
    decide,
    adopt,
    approved,
    /** Every decision on a tool, the oldest first. */
    async history(prefix: string, tool: string): Promise<Decided[]> {
      const all = await pinHistory(store.db, prefix, tool);
      return all.map((pin, at) => ({ ...pin, changed: changedSince(all[at - 1], pin) }));
    },
  };
}

/** One definition per name; a name that stands twice parks that tool. */
function once(definitions: Definition[]): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const one of definitions)
    found.set(one.name, found.has(one.name) ? { ...one, problem: 'its name stands twice in the list' } : one);
  return found;
}

function judge(seen: Seen, pin: Pin | undefined): Reviewed {
  const { definition } = seen;
  const schema = definition.raw['inputSchema'];
  const since = seen.removed_at ?? seen.returned_at ?? seen.at;
  const base = { definition, since, freeText: freeTexts(schema), ...(pin ? { pin } : {}) };
  if (seen.removed_at !== null) return { ...base, status: 'removed' };
  if (definition.problem !== null || definition.hash === null) return { ...base, status: 'parked' };
  if (!pin) return { ...base, status: 'new' };
  const fields = changes(seen, pin);
  if (fields.length > 0) return { ...base, status: 'changed', difference: fields };
  return { ...base, status: pin.decision };
}

/** Fields in which a decision is on something else than the one before. */
function changedSince(before: Pin | undefined, pin: Pin): string[] {
  if (before === undefined) return [];
  const moved = before.configuration === pin.configuration ? [] : ['configuration'];
  if (before.hash === pin.hash) return moved;
  const fields = difference(before.raw, pin.raw).map(({ field }) => field);
  return [...moved, ...(fields.length > 0 ? fields : ['hash'])];
}

/** Removed and reappearing tools count as changed (spec host §7). */
function changes(seen: Seen, pin: Pin): FieldDifference[] {
  const fields: FieldDifference[] = [];
  if (seen.returned_at !== null)
    fields.push({ field: 'presence', before: 'it was removed', after: `it came back at ${seen.returned_at}` });
  if (seen.configuration !== pin.configuration)
    fields.push({ field: 'configuration', before: pin.configuration, after: seen.configuration });
  if (seen.definition.hash === pin.hash) return fields;
  const found = difference(pin.raw, seen.definition.raw);
  const hidden = { field: 'hash', before: pin.hash, after: seen.definition.hash };
  return [...fields, ...(found.length > 0 ? found : [hidden])];
}

function usable(seen: Seen | undefined, name: string) {
  if (!seen || seen.removed_at !== null) throw new Failure('pins.none', `No server offers ${name} now.`);
  const { hash, problem, raw } = seen.definition;
  if (hash === null || problem !== null)
    throw new Failure('pins.parked', `${name} cannot be used: ${problem ?? 'its definition has no hash'}.`);
  return { hash, raw, configuration: seen.configuration };
}

/** Marks for the free text parameters there are; guessed where nobody said. */
function marksFor(raw: Definition['raw'], said: Record<string, Mark>): Record<string, Mark> {
  const free = freeTexts(raw['inputSchema']);
  return Object.fromEntries(free.map(({ pointer, guess }) => [pointer, said[pointer] ?? guess]));
}

function shippedPin(seen: Seen, clean: Shipped, at: string): Pin {
  return {
    prefix: seen.prefix,
    tool: clean.tool,
    configuration: seen.configuration,
    hash: clean.hash,
    raw: seen.definition.raw,
    marks: marksFor(seen.definition.raw, clean.marks ?? {}),
    no_side_effects: clean.no_side_effects ?? false,
    decision: 'approved',
    by: 'shipped',
    why: 'Shipped with the desk as approved.',
    at,
  };
}
