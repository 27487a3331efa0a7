/** A ticket and the people around it, for tests of the gate and what stands behind it. */
import type { Person } from '../shared/people.ts';
import type { Ticket } from '../shared/tickets.ts';

export const admin: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
export const lead: Person = { id: 'staff-0002', name: 'Tomas', role: 'lead' };
export const staff: Person = { id: 'staff-0007', name: 'Mara', role: 'staff' };
export const ticket: Ticket = {
  id: 'T-1',
  customer: 'C-0001',
  customer_name: null,
  machine: false,
  subject: 'Hello',
  body: 'Please look.',
  received_at: '2026-06-30T09:00:00Z',
  channel: 'email',
  source: 'sample',
  state: 'open',
  version: 1,
};
