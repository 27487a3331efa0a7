// Whether a row stands in a view, by the same words as the host's: so that a change moves rows at once, without asking.
import type { TicketRow, TicketView } from '../../shared/queue.ts';

export function belongs(row: TicketRow, view: TicketView, me: string | null): boolean {
  const open = row.status === 'open';
  switch (view) {
    case 'mine':
      return open && me !== null && row.owner === me;
    case 'unassigned':
      return open && row.owner === null;
    case 'waiting':
      return open && row.waits === 'staff';
    case 'lead':
      return open && (row.waits === 'lead' || row.waits === 'admin');
    case 'unbacked':
      return open && row.unbacked > 0;
    case 'snoozed':
    case 'done':
      return row.status === view;
    case 'all':
      return true;
  }
}
