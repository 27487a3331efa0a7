// What the host does for the requests about the queue and its replies.
import type { Handlers } from './asked.ts';
import { createDrafting } from './drafting.ts';
import { handOver } from './handOver.ts';
import type { Host } from './host.ts';
import { draftUse } from './draftUse.ts';
import { openTicket } from './openTicket.ts';
import type { Work } from './work.ts';

type QueueRoute = Exclude<Extract<keyof Handlers, `tickets.${string}` | `drafts.${string}`>, 'tickets.list'>;

export function createTicketHandlers(host: Host, work: Pick<Work, 'workTickets'>): Pick<Handlers, QueueRoute> {
  const { queue, drafts, outbox, store } = host;
  const { playbook } = host.playbook;
  const drafting = createDrafting(work);
  return {
    'tickets.get': ({ id }) => openTicket({ store, playbook }, id),
    'tickets.page': (params, { by, signal }) => queue.page(params, by(), signal),
    'tickets.counts': () => queue.counts(),
    'tickets.search': (params, { by, signal }) => queue.search(params, by(), signal),
    'tickets.claim': ({ from, ...at }, { by }) => queue.change(at, by(), { kind: 'claim', from }),
    'tickets.release': (at, { by }) => queue.change(at, by(), { kind: 'release' }),
    'tickets.priority': ({ priority, ...at }, { by }) => queue.change(at, by(), { kind: 'priority', priority }),
    'tickets.snooze': ({ until, ...at }, { by }) => queue.change(at, by(), { kind: 'snooze', until }),
    'tickets.done': ({ done, ...at }, { by }) => queue.change(at, by(), { kind: 'done', done }),
    'tickets.note': (params, { by }) => queue.note(params, by()),
    'tickets.handOver': (params, { by }) => handOver(host, params, by()),
    'tickets.draft': (params, { by, signal }) => drafting.draft(params, by(), signal),
    'tickets.stop': ({ id }) => Promise.resolve(drafting.stop(id)),
    'tickets.bulk': ({ tickets, change }, { by }) => queue.bulk(tickets, by(), change),
    'drafts.use': () => draftUse(store),
    'drafts.get': ({ ticket }) => drafts.get(ticket),
    'drafts.edit': (params, { by }) => drafts.edit(params, by()),
    'drafts.discard': (params, { by }) => drafts.discard(params, by()),
    'drafts.send': (params, { by }) => outbox.send(params, by()),
    'drafts.undo': ({ ticket }, { by }) => outbox.undo(ticket, by()),
    'drafts.leaving': (_, { by }) => outbox.leaving(by()),
    'drafts.override': (params, { by }) => drafts.override(params, by()),
  };
}
