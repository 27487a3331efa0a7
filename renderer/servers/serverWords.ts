// Servers in words: how one stands, what it speaks, what it may do.
import type { ServerRow } from '../../shared/servers.ts';
import type { MarkKind } from '../parts/Mark.tsx';

export const stateWords: Record<ServerRow['state'], string> = {
  ready: 'running',
  starting: 'starting',
  stopped: 'not started yet',
  failed: 'failed',
  disabled: 'off',
};
export const stateMarks: Record<ServerRow['state'], MarkKind> = {
  ready: 'ready',
  starting: 'work',
  stopped: 'none',
  failed: 'danger',
  disabled: 'none',
};

/** What the host lets a server do beyond what its tools are approved for, a sentence each. */
export function allowances(row: ServerRow): string[] {
  const { trusted, system_of_record, no_side_effects, question_roles, secrets } = row;
  const roles = Object.entries(question_roles).filter(([, role]) => role !== 'staff');
  return [
    system_of_record
      ? 'System of record: what it reports backs a claim of a draft.'
      : 'Not a system of record: what only it reports backs nothing.',
    trusted
      ? 'Its resources may be attached to what the model reads.'
      : 'None of its resources is attached by itself; a person may attach one to a ticket.',
    no_side_effects.length > 0
      ? `Run without consent, once approved: ${no_side_effects.join(', ')}.`
      : 'Every call waits for a person’s consent.',
    ...roles.map(([tool, role]) => `Questions of ${tool} are for a ${role} to answer.`),
    ...(secrets.length > 0 ? [`Gets secrets in: ${secrets.join(', ')}. Their values are shown nowhere.`] : []),
  ];
}
