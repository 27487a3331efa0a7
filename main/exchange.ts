// One exchange with a server on behalf of a call: a tool, a resource or a prompt, the same outcome for each.
import type { Call } from '../shared/calls.ts';
import { textOf, type JsonObject } from '../shared/json.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { WireOutcome } from './mcp/connection.ts';
import type { CallRequest } from './mcp/invoke.ts';
import type { Begun } from './mcp/tasks.ts';
import type { Server } from './servers.ts';

export type Round = Pick<
  CallRequest,
  'inputResponses' | 'requestState' | 'onWire' | 'onPushed' | 'onProgress' | 'signal'
> & {
  /** Whoever calls follows a task, where the server answers with one. */
  tasks?: boolean;
};
/** What names the thing asked for: a tool's own name, a URI or a prompt's name, behind our prefix. */
export type Asked = Pick<Call, 'method' | 'prefix' | 'tool' | 'arguments'>;

/** For whom a server is asked. */
export interface Context {
  ticket: Ticket | null;
  /** ID of the person who has it done; null where that is the host's own doing. */
  person: string | null;
}

/** Sends a round of a call. Never throws for what a server did. */
export async function exchange(
  server: Server,
  call: Asked,
  context: Context,
  round: Round & { tasks: boolean },
): Promise<WireOutcome | Begun>;
export async function exchange(server: Server, call: Asked, context: Context, round: Round): Promise<WireOutcome>;
export async function exchange(
  server: Server,
  call: Asked,
  context: Context,
  { tasks = false, ...round }: Round,
): Promise<WireOutcome | Begun> {
  const { connection } = server;
  const name = ownName(call);
  const meta = contextOf(server, context);
  switch (call.method) {
    case 'tools/call': {
      const request = { tool: name, arguments: call.arguments, meta, ...round };
      return tasks ? connection.call({ ...request, tasks }) : connection.call(request);
    }
    case 'resources/read': {
      const outcome = await connection.read({ uri: name, meta, ...round });
      if (outcome.kind !== 'result') return outcome;
      return { kind: 'result', text: outcome.text ?? '', content: outcome.contents };
    }
    case 'prompts/get': {
      const given = Object.entries(call.arguments).map(([key, value]): [string, string] => [key, textOf(value)]);
      const outcome = await connection.getPrompt({ name, arguments: Object.fromEntries(given), meta, ...round });
      if (outcome.kind !== 'result') return outcome;
      return {
        kind: 'result',
        text: outcome.description ?? '',
        content: outcome.messages,
        structured: outcome.messages,
      };
    }
  }
}

/** The server's own name for what is asked, without our prefix. */
export function ownName(call: Asked): string {
  return call.tool.slice(call.prefix.length + 1);
}

/** Context keys a server's configuration names, filled by the host: a ticket's ID for tickets of that system only (spec host §4). */
export function contextOf(server: Server, { ticket, person }: Context): JsonObject {
  const values = { 'ticket.id': ticket?.source === 'sample' ? ticket.id : null, 'person.id': person };
  const named = Object.entries(server.config.context).map(([key, what]) => [key, values[what]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== null));
}
