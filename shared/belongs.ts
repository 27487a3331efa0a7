// Whether a row stands in a view under a filter, by the same words as the host's pages: so that a change moves rows on screen
// at once, without asking. A test holds both against each other (main/queue.test.ts).
import type { TicketFilter, TicketRow, TicketView } from './queue.ts';

/** `me`: who looks. A filter's text is not asked: only a search knows. */
export function belongs(row: TicketRow, view: TicketView, filter: TicketFilter, me: string | null): boolean {
  return inView(row, view, me) && inFilter(row, filter);
}

function inView(row: TicketRow, view: TicketView, me: string | null): boolean {
  const open = row.status === 'open';
  const waits = open && (row.draft === 'asks you' || row.draft === 'none');
  switch (view) {
    case 'mine':
      return open && me !== null && row.owner === me;
    case 'unassigned':
      return open && row.owner === null;
    case 'waiting':
      return waits && row.waits === 'staff';
    case 'lead':
      return waits && (row.waits === 'lead' || row.waits === 'admin');
    case 'unbacked':
      return open && row.draft === 'blocked' && row.waits === null;
    case 'snoozed':
    case 'done':
      return row.status === view;
    case 'all':
      return true;
  }
}

function inFilter(row: TicketRow, { customer, priorities, drafts, states }: TicketFilter): boolean {
  return (
    (customer === undefined || row.customer === customer || row.customer_name === customer) &&
    (priorities?.includes(row.priority) ?? true) &&
    (drafts?.includes(row.draft) ?? true) &&
    (states?.includes(row.state) ?? true)
  );
}
