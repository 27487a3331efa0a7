// `desk tickets`: what is there.
import type { OpenTicket, RunOfTicket } from '../../shared/queue.ts';
import type { TicketRun } from '../../shared/runs.ts';
import type { Ticket } from '../../shared/tickets.ts';
import { exit, withDesk, type Context } from './context.ts';
import { visible } from '../visible.ts';
import { letterLines, styled, ticketLines } from './present.ts';

const views: Record<string, (ticket: Ticket) => boolean> = {
  all: () => true,
  open: (ticket) => ticket.state === 'open',
  ready: (ticket) => ticket.state === 'ready',
  waiting: (ticket) => ticket.state === 'waiting',
  'handed-over': (ticket) => ticket.state === 'handed over' || ticket.state === 'failed',
};

/** Lists tickets of a view. */
export async function ticketsCommand(
  context: Context,
  id: string | undefined,
  options: { view?: string },
): Promise<number> {
  if (id !== undefined) return ticketCommand(context, id);
  const name = options.view ?? 'all';
  const view = views[name];
  if (view === undefined) {
    context.say(`There is no view "${name}". Views: ${Object.keys(views).join(', ')}.`);
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    const tickets = (await desk.request('tickets.list', {})).filter(view);
    if (context.global.json) context.json(tickets);
    else
      for (const ticket of tickets)
        context.print(
          `${ticket.id.padEnd(10)} ${ticket.state.padEnd(12)} ${ticket.received_at.slice(0, 16).replace('T', ' ')}  ${visible((ticket.subject || ticket.body).replace(/\s+/g, ' ')).slice(0, 70)}`,
        );
    if (!context.global.json) context.print(styled('dim', `${tickets.length} tickets in view ${name}`));
    return exit.done;
  });
}

/** One ticket: what the customer wrote, the newest run with every claim, and the reply as it stands. */
async function ticketCommand(context: Context, id: string): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const ticket = await desk.request('tickets.get', { id });
    if (context.global.json) {
      context.json(ticket);
      return exit.done;
    }
    context.print(`${styled('bold', ticket.id)}  ${ticket.state}`);
    context.print(letterLines(ticket, Infinity).join('\n'));
    if (ticket.run === null) context.print(`\nNo model has worked it yet: desk work --ticket ${id}`);
    else context.print(`\n${ticketLines(ticket, runOf(ticket, ticket.run), true)}`);
    return exit.done;
  });
}

/** The newest run with the reply as it stands now. */
function runOf({ id, draft }: OpenTicket, { state, why, ask, turns, ms }: RunOfTicket): TicketRun {
  return {
    ticket: id,
    state: state === 'running' ? 'waiting' : state === 'stale' ? 'handed over' : state,
    why: why ?? '',
    ...(ask === null ? {} : { ask }),
    turns,
    ...(draft !== null && {
      draft: { text: draft.text, claims: draft.claims, blocked: draft.blocked, skeleton: null },
    }),
    ms: ms ?? 0,
  };
}
