// `desk tickets` and `desk import`: what is there, and tickets in.
import type { Ticket } from '../../shared/tickets.ts';
import { exit, withDesk, type Context } from './context.ts';
import { visible } from '../visible.ts';
import { styled } from './present.ts';
import { readTicketsFile } from './work.ts';

const views: Record<string, (ticket: Ticket) => boolean> = {
  all: () => true,
  open: (ticket) => ticket.state === 'open',
  ready: (ticket) => ticket.state === 'ready',
  waiting: (ticket) => ticket.state === 'waiting',
  'handed-over': (ticket) => ticket.state === 'handed over' || ticket.state === 'failed',
};

/** Lists tickets of a view. */
export async function ticketsCommand(context: Context, options: { view?: string }): Promise<number> {
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

/** Brings tickets in; each refused record is named, the others come in. */
export async function importCommand(context: Context, file: string, options: { dryRun?: boolean }): Promise<number> {
  const text = readTicketsFile(file);
  return withDesk(context, {}, async (desk) => {
    const result = await desk.request('tickets.import', { text, dryRun: options.dryRun ?? false });
    if (context.global.json) context.json(result);
    else {
      context.print(
        `${options.dryRun === true ? 'Would add' : 'Added'} ${result.added}, changed ${result.updated}, already there ${result.unchanged}, refused ${result.refused.length}.`,
      );
      for (const refused of result.refused)
        context.print(
          `  record ${refused.line}${refused.id === undefined ? '' : ` (${visible(refused.id)})`}: ${refused.reason}`,
        );
      if (options.dryRun === true) context.print('Nothing was stored. Run again without --dry-run to bring them in.');
    }
    return result.refused.length > 0 && result.added + result.updated + result.unchanged === 0
      ? exit.failed
      : exit.done;
  });
}
