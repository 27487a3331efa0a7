// What somebody did, in words: the requests of the contract that leave no name in a log of their own.
import type { Act } from '../../shared/people.ts';

const did: Record<string, string> = {
  'runs.work': 'Worked tickets',
  'calls.erase': 'Erased what calls held',
  'servers.add': 'Added a server',
  'servers.remove': 'Removed a server',
  'servers.enable': 'Switched a server',
  'playbook.decide': 'Decided on the playbook',
  'models.get': 'Got a model',
  'models.add': 'Added a model file',
  'models.use': 'Chose the model',
  'models.delete': 'Removed a model file',
  'imports.run': 'Brought tickets in',
  'exports.part': 'Took data out',
  'people.add': 'Added a person',
  'people.role': 'Changed a role',
  'people.passphrase': 'Set a passphrase',
};

/** A request nobody has words for is named as the contract names it. */
export function didWords(route: string): string {
  return did[route] ?? route;
}
/** Null where it was done; else what it failed with. */
export function failedWords({ outcome }: Act): string | null {
  if (outcome === 'done') return null;
  return outcome === 'stopped' ? 'stopped' : `did not happen (${outcome})`;
}
