// Who did what (spec host §25): changes that leave no name elsewhere. Calls, consents, questions, definitions, notes and replies
// carry theirs in their own logs. One that failed is kept too; never a passphrase nor what a file holds.
import type { ParamsOf, RouteName } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { Act, ActRoute, Person } from '../shared/people.ts';
import { iso, type Clock } from './ports.ts';
import { insertAct, listActs } from './store/acts.ts';
import type { Store } from './store/open.ts';

/** What a request was about, in a few words; null where it is not worth a row. */
type Told = { [R in ActRoute]: (params: ParamsOf<R>) => string | null };
const told: Told = {
  'runs.work': ({ tickets, select }) => (tickets === undefined ? `${select} tickets` : tickets.slice(0, 20).join(', ')),
  'tickets.draft': ({ tickets, ahead }) => (ahead ? null : tickets.slice(0, 20).join(', ')),
  'drafts.discard': ({ ticket }) => ticket,
  'calls.stop': ({ id }) => id,
  'runs.attach': ({ id, prefix, ...what }) => `${id}: ${prefix} ${'uri' in what ? what.uri : what.template}`,
  'runs.detach': ({ id, prefix, uri }) => `${id}: ${prefix} ${uri}`,
  'calls.usePrompt': ({ id }) => id,
  'calls.erase': ({ before }) => `settled before ${before}`,
  'servers.add': ({ config }) => config.prefix,
  'servers.remove': ({ prefix }) => prefix,
  'servers.enable': ({ prefix, enabled }) => `${prefix} ${enabled ? 'on' : 'off'}`,
  'limits.set': ({ name, value }) => `${name} ${value ?? 'as usual'}`,
  'playbook.decide': ({ decision }) => decision,
  'models.get': ({ name }) => name,
  'models.add': ({ file }) => file,
  'models.use': ({ name }) => name,
  'models.delete': ({ name }) => name,
  'models.set': ({ context, threads }) => `${context} tokens, ${threads === 0 ? 'all' : threads} threads`,
  'imports.run': ({ name }) => name,
  'exports.part': ({ what, format, after }) => (after === null ? `${what} as ${format}` : null),
  'people.add': ({ id, role }) => `${id} as ${role}`,
  'people.role': ({ id, role }) => `${id} is ${role}`,
  'people.passphrase': ({ id }) => id,
};

const most = 200;
const longest = 500;

export type Acts = ReturnType<typeof createActs>;

export function createActs({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Does it, and keeps who did, whatever came of it. */
    async keep<T>(route: RouteName, by: Person | null, params: unknown, work: () => Promise<T>): Promise<T> {
      // The parameters were parsed by the schema of this very route, which a union of routes cannot express.
      const tell = Object.hasOwn(told, route) ? (told[route as ActRoute] as (given: unknown) => string | null) : null;
      const words = tell?.(params) ?? null;
      if (by === null || words === null) return work();
      const act = { by: by.id, route, about: words.slice(0, longest) };
      try {
        const done = await work();
        await insertAct(store.db, { ...act, at: iso(clock), outcome: 'done' });
        return done;
      } catch (error) {
        const outcome = error instanceof Failure ? error.code : 'internal';
        await insertAct(store.db, { ...act, at: iso(clock), outcome });
        throw error;
      }
    },
    list: ({ before }: { before: number | null }): Promise<Act[]> => listActs(store.db, before, most),
  };
}
