/** People: who acts, with which role (spec host §25). */
export type Role = 'staff' | 'lead' | 'admin';
export interface Person {
  id: string;
  name: string;
  role: Role;
}
/** A person as views show them; no passphrase or anything made from one. */
export interface PersonRow extends Person {
  /** One of the sample company's: acts without a passphrase. */
  open: boolean;
  /** Has a passphrase and can sign in with it. */
  signs_in: boolean;
}
/** Who acts over this connection. */
export interface Me {
  person: Person | null;
  /** The sample company: its people act without a secret and can be switched. */
  sample: boolean;
  /** Nobody can act yet: whoever opens the desk becomes its first admin by `people.begin`. */
  first: boolean;
}

/** What somebody did that has no log of its own. */
export interface Act {
  seq: number;
  at: string;
  /** Person ID. */
  by: string;
  /** The request, as the contract names it. */
  route: string;
  about: string;
  /** `done`, or the code of the failure. */
  outcome: string;
}

/** Requests that are kept so: what changes and leaves no name elsewhere. */
export type ActRoute =
  | 'runs.work'
  | 'tickets.draft'
  | 'drafts.discard'
  | 'calls.stop'
  | 'runs.attach'
  | 'runs.detach'
  | 'calls.usePrompt'
  | 'calls.erase'
  | 'servers.add'
  | 'servers.remove'
  | 'servers.enable'
  | 'limits.set'
  | 'playbook.decide'
  | 'models.get'
  | 'models.add'
  | 'models.use'
  | 'models.delete'
  | 'models.set'
  | 'imports.run'
  | 'exports.part'
  | 'people.add'
  | 'people.role'
  | 'people.passphrase';

export const shortestPassphrase = 12;

const rank: Record<Role, number> = { staff: 0, lead: 1, admin: 2 };

/** Whether a role includes what another may do: staff, lead, admin (spec host §25). */
export function may(role: Role, least: Role): boolean {
  return rank[role] >= rank[least];
}
