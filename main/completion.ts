// What may be typed for an argument of a prompt or template (spec host §21): asked of its server for this ticket, so that one
// that answers by the ticket's customer completes only theirs. The view waits while somebody types, and stops what is old.
import type { Completed } from '../shared/attaching.ts';
import type { ParamsOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import { contextOf } from './exchange.ts';
import type { Host } from './host.ts';
import { approvedOne } from './offers.ts';

/** Failures `pins.none`, `calls.arguments`, `servers.read`. */
export async function complete(
  host: Host,
  asked: ParamsOf<'calls.complete'>,
  by: Person,
  signal: AbortSignal,
): Promise<Completed> {
  const { prefix, kind, name, argument, value, others } = asked;
  const ticket = await host.tickets.find(asked.ticket);
  if (ticket === undefined) throw new Failure('tickets.unknown', `There is no ticket ${asked.ticket}.`);
  const { server, blanks } = await approvedOne(host, prefix, kind, name);
  if (!blanks.some((blank) => blank.name === argument))
    throw new Failure('calls.arguments', `There is no ${argument} to fill in.`);
  const ref = kind === 'prompts' ? { prompt: name } : { template: name };
  const meta = contextOf(server, { ticket, person: by.id });
  return server.connection.complete({ ref, argument, value, others, meta }, signal);
}
