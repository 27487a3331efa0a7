// What the host does for the requests about the queue and its replies.
import { Failure } from '../shared/failures.ts';
import type { Handlers } from './handlers.ts';

type QueueRoute = Extract<keyof Handlers, `tickets.${string}` | `drafts.${string}`>;
type QueueHandlers = Omit<Pick<Handlers, QueueRoute>, 'tickets.list' | 'tickets.import' | 'tickets.get'>;

function later(): Promise<never> {
  return Promise.reject(new Failure('tickets.later', 'This part of the desk is not built yet.'));
}

export function createTicketHandlers(): QueueHandlers {
  return {
    'tickets.page': later,
    'tickets.counts': later,
    'tickets.search': later,
    'tickets.claim': later,
    'tickets.release': later,
    'tickets.priority': later,
    'tickets.snooze': later,
    'tickets.done': later,
    'tickets.note': later,
    'tickets.bulk': later,
    'drafts.get': later,
    'drafts.edit': later,
    'drafts.send': later,
    'drafts.undo': later,
    'drafts.override': later,
  };
}
