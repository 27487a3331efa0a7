// What is read from servers outside of calls: resources for prompts, and what a person picks for one ticket. Where a server
// asks a person first, the reading waits in the inbox; the answered one is then used for a day (spec host §§19, 21).
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Calls } from './calls.ts';
import type { Gate } from './gate.ts';
import type { Clock } from './ports.ts';
import type { Servers } from './servers.ts';

const day = 86_400_000;

export interface Wanted {
  prefix: string;
  method: 'resources/read' | 'prompts/get';
  /** A URI, or the name of a prompt. */
  name: string;
  arguments: JsonObject;
  /** For whose ticket: some servers answer by its customer. */
  ticket: Ticket | null;
  /** Who picked it; some servers answer by the person. */
  by?: Person;
}
interface Reads {
  gate: Gate;
  calls: Calls;
  servers: Servers;
  clock: Clock;
  signal?: AbortSignal;
}

/** The text of a resource, or the messages of a prompt as `structured`. Failures `servers.read`, `servers.asks`. */
export async function readOnce(
  { gate, calls, servers, clock, signal }: Reads,
  { ticket, by, ...wanted }: Wanted,
): Promise<{ text: string; structured: Json | null }> {
  const { prefix, name } = wanted;
  const configuration = servers.get(prefix)?.configuration;
  const about = { tool: `${prefix}.${name}`, ...(ticket && { ticket: ticket.id }) };
  const isIt = (call: Call) =>
    call.method === wanted.method &&
    call.configuration === configuration &&
    call.ticket === (ticket?.id ?? '') &&
    isDeepStrictEqual(call.arguments, wanted.arguments);
  const last = (await calls.list(about)).findLast(isIt);
  if (last?.state === 'asked' || last?.state === 'answered') throw waits(prefix, name);
  if (last?.state === 'result' && clock.now() - Date.parse(last.settled_at ?? last.created_at) < day)
    return { text: last.text ?? '', structured: last.structured };
  const answer = await gate.read({
    ...wanted,
    ...(ticket && { ticket }),
    ...(by && { by }),
    ...(signal && { signal }),
  });
  if (answer.outcome === 'waiting') throw waits(prefix, name);
  const { content: text = '', structured = null } = answer;
  if (answer.outcome === 'result' && (text !== '' || structured !== null)) return { text, structured };
  throw new Failure(
    'servers.read',
    `${prefix}: ${name.slice(0, 200)} could not be read: ${(answer.detail ?? answer.content ?? 'it holds no text').replace(/\.$/, '')}.`,
  );
}

/** Reads a resource for the prompts of all tickets. Failures `servers.read`, `servers.asks`. */
export function createReadText(deps: Reads) {
  return async (prefix: string, uri: string): Promise<string> => {
    const wanted = { prefix, method: 'resources/read', name: uri, arguments: {}, ticket: null } as const;
    return (await readOnce(deps, wanted)).text;
  };
}

function waits(prefix: string, name: string): Failure {
  return new Failure(
    'servers.asks',
    `${prefix} asks something before it gives ${name.slice(0, 200)}; it is left out until a person answers: the question is in the inbox (desk questions).`,
  );
}
