// Handing a ticket over to a person, or to a role whose next person takes it. One act: the reason becomes a note of the
// thread, whoever had the ticket lets go of it, and its row says for whom it is until somebody takes it.
import { Failure } from '../shared/failures.ts';
import type { ParamsOf } from '../shared/contract.ts';
import type { Person, Role } from '../shared/people.ts';
import type { TicketRow } from '../shared/queue.ts';
import { iso, type Clock, type Random } from './ports.ts';
import { changed, unknown } from './queue.ts';
import { insertMessage } from './store/messages.ts';
import type { Store } from './store/open.ts';
import { listPeople } from './store/people.ts';
import { findRow, nextVersion } from './store/queue.ts';
import { setTicketState } from './store/tickets.ts';

interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  /** Told of every ticket whose row changed. */
  touched: (ticket: string) => void;
}
const anybody: Record<Role, string> = { staff: 'a person', lead: 'a lead', admin: 'an admin' };

/** Failures `tickets.changed`, `tickets.unknown`, `tickets.nobody`, `tickets.empty`. */
export async function handOver(
  { store, clock, random, touched }: Deps,
  { id, version, to, why }: ParamsOf<'tickets.handOver'>,
  by: Person,
): Promise<TicketRow> {
  const reason = why.trim();
  if (reason === '') throw new Failure('tickets.empty', 'Say what the next person should know.');
  const row = await store.db.transaction().execute(async (trx) => {
    if ((await findRow(trx, id)) === undefined) throw unknown(id);
    const taker = 'person' in to ? (await listPeople(trx)).find((one) => one.id === to.person) : undefined;
    if ('person' in to && taker === undefined)
      throw new Failure('tickets.nobody', `There is no person ${to.person} at this desk. Choose another, or a role.`);
    const words = 'person' in to ? (taker?.name ?? to.person) : anybody[to.role];
    await setTicketState(trx, id, 'handed over');
    const next = 'person' in to ? { owner: to.person, waits: null } : { owner: null, waits: to.role };
    if (!(await nextVersion(trx, { id, version, by: by.id }, { ...next, status: 'open', snoozed_until: null })))
      throw await changed(trx, id, by);
    const body = `Handed over to ${words}.\n\n${reason}`;
    const message = { id: `note-${random.hex(8)}`, kind: 'note', body, by: by.id, at: iso(clock) } as const;
    await insertMessage(trx, id, { ...message, difference: null });
    return (await findRow(trx, id))?.row;
  });
  touched(id);
  if (row === undefined) throw unknown(id);
  return row;
}
