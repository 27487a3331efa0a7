// The playbook in force (spec playbook): a changed file waits, like a changed definition, until an admin has seen the words.
// The one approved last stays in force meanwhile. A playbook named for one run is a trial and asks nobody.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import { isObject, textOf, type Json, type JsonObject } from '../shared/json.ts';
import { may, type Person } from '../shared/people.ts';
import type { PlaybookDecision, PlaybookWaiting } from '../shared/pins.ts';
import { difference } from './pinsDifference.ts';
import { parsePlaybook, type LoadedPlaybook } from './playbook.ts';
import { iso, type Clock } from './ports.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/open.ts';
import { readText, saveText } from './store/runs.ts';

const decisions = z.array(
  z.object({
    hash: z.string(),
    /** Hash under which the text is stored. */
    text: z.string(),
    decision: z.enum(['approved', 'refused']),
    by: z.string(),
    why: z.string().nullable(),
    at: z.string(),
  }),
);
type Decision = z.infer<typeof decisions>[number];
const key = 'playbook.decisions';

export interface PlaybookInForce {
  playbook: LoadedPlaybook;
  /** Null where file and approval agree. */
  waiting: PlaybookWaiting | null;
}

export function createPlaybookPin(deps: { store: Store; settings: Settings; clock: Clock }) {
  const { store, settings, clock } = deps;

  async function all(): Promise<Decision[]> {
    return decisions.parse((await settings.get(key)) ?? []);
  }
  async function note(loaded: LoadedPlaybook, said: Pick<Decision, 'decision' | 'by' | 'why'>): Promise<void> {
    const text = await saveText(store.db, loaded.text);
    await settings.set(key, [...(await all()), { hash: loaded.hash, text, ...said, at: iso(clock) }]);
  }

  /** `shipped`: the hash the profile ships as approved. The first playbook of a folder is the one it was made with. */
  async function inForce(file: LoadedPlaybook, shipped: string | undefined): Promise<PlaybookInForce> {
    const known = await all();
    const approved = known.findLast((one) => one.decision === 'approved');
    if (approved?.hash === file.hash) return { playbook: file, waiting: null };
    if (approved === undefined || file.hash === shipped) {
      await note(file, { decision: 'approved', by: 'shipped', why: null });
      return { playbook: file, waiting: null };
    }
    const text = await readText(store.db, approved.text);
    if (text === undefined) throw new Failure('playbook.lost', 'The approved playbook is not kept any more.');
    const playbook = parsePlaybook(file.file, text);
    return { playbook, waiting: await look(file, playbook) };
  }

  /** How the file as it is now stands beside the playbook that is in force; null where they say the same. */
  async function look(file: LoadedPlaybook, running: LoadedPlaybook): Promise<PlaybookWaiting | null> {
    if (file.hash === running.hash) return null;
    const last = (await all()).at(-1);
    const status = last?.hash === file.hash ? last.decision : 'changed';
    const [before, now] = [running, file].map(({ text }) => keyed(JSON.parse(text) as Json)); // both were parsed before
    return { hash: file.hash, status, difference: difference(before ?? {}, now ?? {}) };
  }

  return {
    inForce,
    look,
    /** An admin's decision on the file as it was shown. Failures `pins.role`, `pins.changed`. */
    async decide(file: LoadedPlaybook, given: PlaybookDecision & { by: Person }): Promise<void> {
      if (!may(given.by.role, 'admin'))
        throw new Failure('pins.role', `Only an admin decides on the playbook; ${given.by.id} is ${given.by.role}.`);
      if (file.hash !== given.hash)
        throw new Failure('pins.changed', 'The playbook changed while it was looked at. Look again, then decide.');
      await note(file, { decision: given.decision, by: given.by.id, why: given.why });
    },
  };
}

/** Lists as objects by what names their items, so that one changed reply is one changed field. */
function keyed(value: Json): JsonObject {
  const named = (item: Json, index: number): string =>
    isObject(item) ? textOf(item['id'] ?? item['tool'] ?? index) : String(index);
  const inner = (one: Json): Json => {
    if (Array.isArray(one)) return Object.fromEntries(one.map((item, index) => [named(item, index), inner(item)]));
    return isObject(one) ? Object.fromEntries(Object.entries(one).map(([name, item]) => [name, inner(item)])) : one;
  };
  const all = inner(value);
  return isObject(all) ? all : {};
}
