// A person attaches a resource to one ticket: from a server's list, or from an approved template they filled in.
import type { ParamsOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { TicketRow } from '../shared/queue.ts';
import type { Host } from './host.ts';
import { approvedOne, filled, filledUri } from './offers.ts';
import { readOnce } from './reads.ts';
import { isAttached } from './servers.ts';

/** Read now, for this ticket. Failures `pins.none`, `calls.arguments`, `servers.*`, `runs.full`, `tickets.changed`. */
export async function attach(
  host: Host,
  asked: ParamsOf<'runs.attach'>,
  by: Person,
  signal: AbortSignal,
): Promise<TicketRow> {
  const { id, version, prefix } = asked;
  const ticket = await host.tickets.find(id);
  if (ticket === undefined) throw new Failure('tickets.unknown', `There is no ticket ${id}.`);
  const { uri, title } = 'template' in asked ? await fromTemplate(host, asked) : await fromList(host, asked);
  const wanted = { prefix, method: 'resources/read', name: uri, arguments: {}, ticket, by } as const;
  const { text } = await readOnce({ ...host, signal }, wanted);
  host.servers.get(prefix)?.connection.follow(uri);
  return host.attachments.add({ id, version }, by, [{ kind: 'resource', prefix, uri, title, text }]);
}

async function fromList(host: Host, { prefix, uri }: { prefix: string; uri: string }) {
  const server = host.servers.get(prefix);
  if (server === undefined) throw new Failure('servers.unknown', `There is no server "${prefix}".`);
  const listed = (await server.connection.resources()).find((one) => one.uri === uri);
  if (listed === undefined) throw new Failure('runs.document', `${prefix} lists no ${uri.slice(0, 200)} now.`);
  if (isAttached(server.config, listed))
    throw new Failure('runs.document', `${listed.title ?? listed.name} stands before every draft already.`);
  return { uri, title: listed.title ?? listed.name };
}

async function fromTemplate(
  host: Host,
  asked: { prefix: string; template: string; arguments: Record<string, string> },
): Promise<{ uri: string; title: string }> {
  const { blanks, title } = await approvedOne(host, asked.prefix, 'templates', asked.template);
  const values = filled(blanks, asked.arguments);
  const said = [...values.values()].join(', ');
  return { uri: filledUri(asked.template, values), title: `${title} ${said}`.slice(0, 200) };
}
