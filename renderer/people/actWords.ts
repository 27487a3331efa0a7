// What somebody did, in words: the requests of the contract that leave no name in a log of their own.
import type { Act, ActRoute } from '../../shared/people.ts';

const did: Record<ActRoute, string> = {
  'runs.work': 'Worked tickets',
  'tickets.draft': 'Had drafts made',
  'drafts.discard': 'Discarded a reply',
  'calls.stop': 'Stopped a call',
  'runs.attach': 'Attached to a ticket',
  'runs.detach': 'Took off a ticket',
  'calls.usePrompt': 'Used a server’s prompt',
  'calls.erase': 'Erased what calls held',
  'servers.add': 'Added a server',
  'servers.remove': 'Removed a server',
  'servers.enable': 'Switched a server',
  'limits.set': 'Set a limit for servers',
  'playbook.decide': 'Decided on the playbook',
  'models.get': 'Got a model',
  'models.add': 'Added a model file',
  'models.use': 'Chose the model',
  'models.delete': 'Removed a model file',
  'models.set': 'Changed how models are loaded',
  'imports.run': 'Brought tickets in',
  'exports.part': 'Took data out',
  'people.add': 'Added a person',
  'people.role': 'Changed a role',
  'people.passphrase': 'Set a passphrase',
};

/** One of a newer desk is named as the contract names it. */
export function didWords(route: string): string {
  return Object.hasOwn(did, route) ? did[route as ActRoute] : route;
}
/** Null where it was done; else what it failed with. */
export function failedWords({ outcome }: Act): string | null {
  if (outcome === 'done') return null;
  return outcome === 'stopped' ? 'stopped' : `did not happen (${outcome})`;
}
