// Which of the host's events a person is told of who looks elsewhere.
import type { Event } from '../shared/contract.ts';
import { may, type Role } from '../shared/people.ts';

/** What waits for somebody of this role, in words, or null. */
export function waits(event: Event, role: Role | null): string | null {
  if (!('entity' in event) || role === null) return null;
  if (event.feature === 'questions' && event.entity.state === 'open' && may(role, event.entity.role))
    return event.entity.role === 'staff'
      ? 'A server asks a question'
      : `A server asks a question of a ${event.entity.role}`;
  if (event.feature === 'calls' && event.entity.state === 'asking')
    return `A call waits for consent: ${event.entity.ticket}`;
  return null;
}
