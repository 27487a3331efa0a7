// The open ticket, kept true by events: an answer that is older than what an event said does not undo it.
import { expect, test } from 'vitest';
import type { Call } from '../../shared/calls.ts';
import type { TicketRow } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';
import { createOpen } from './open.ts';

const asking = { id: 'a', ticket: 'T-1', state: 'asking' } as Call; // no more of it is looked at
const change = (entity: Call) => ({ feature: 'calls', id: entity.id, revision: 1, entity }) as const;

test('trust 2: a call that was answered while the ticket is read does not ask again', async () => {
  const answers: ((value: unknown) => void)[] = [];
  const ask = (() => new Promise((resolve) => answers.push(resolve))) as unknown as Desk['ask']; // two routes, both held
  const open = createOpen({ ask });
  open.show('T-1');
  const read = open.read();
  open.call(change({ ...asking, state: 'declined' }));
  open.call(change({ ...asking, id: 'b' }));
  answers.forEach((answer, n) => answer(n % 2 === 0 ? { row: { id: 'T-1' } } : [asking]));
  await read;
  expect(open.store.getState().calls.map(({ id, state }) => `${id} ${state}`)).toEqual(['a declined', 'b asking']);
});

test('a ticket that changed while it was read is read again, also the first time', async () => {
  const answers: ((value: unknown) => void)[] = [];
  const ask = (() => new Promise((resolve) => answers.push(resolve))) as unknown as Desk['ask']; // two routes, both held
  const open = createOpen({ ask });
  const row = (version: number) => ({ id: 'T-1', version }) as TicketRow; // no more of it is looked at
  open.show('T-1');
  open.row({ feature: 'tickets', id: 'T-1', revision: 2, entity: row(2) });
  answers.splice(0).forEach((answer, n) => answer(n % 2 === 0 ? { row: row(1) } : []));
  await expect.poll(() => answers).toHaveLength(2);
  answers.forEach((answer, n) => answer(n % 2 === 0 ? { row: row(2) } : []));
  await expect.poll(() => open.store.getState().ticket?.row.version).toBe(2);
});
