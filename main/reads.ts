// Resources that enter prompts by the host's rule. Where a server asks a person first, the resource is left out until the
// question is answered; the answered reading is then used for a day (spec host §§19, 21).
import { Failure } from '../shared/failures.ts';
import type { Calls } from './calls.ts';
import type { Gate } from './gate.ts';
import type { Clock } from './ports.ts';
import type { Servers } from './servers.ts';

const day = 86_400_000;

/** The text of a resource for the prompt. Failure `servers.read`. */
export function createReadText(deps: {
  gate: Gate;
  calls: Calls;
  servers: Servers;
  clock: Clock;
  signal?: AbortSignal;
}) {
  const { calls, servers, clock } = deps;
  return async (prefix: string, uri: string): Promise<string> => {
    const configuration = servers.get(prefix)?.configuration;
    const tool = `${prefix}.${uri}`;
    for (const call of (await calls.list({ tool })).reverse()) {
      if (call.configuration !== configuration) continue;
      if (call.state === 'asked' || call.state === 'answered') throw waits(prefix, uri);
      const fresh = clock.now() - Date.parse(call.settled_at ?? call.created_at) < day;
      if (call.state === 'result' && fresh) return call.text ?? '';
      break;
    }
    const request = { prefix, method: 'resources/read', name: uri, arguments: {} } as const;
    const answer = await deps.gate.read({ ...request, ...(deps.signal && { signal: deps.signal }) });
    if (answer.outcome === 'waiting') throw waits(prefix, uri);
    if (answer.outcome === 'result' && answer.content !== undefined && answer.content !== '') return answer.content;
    throw new Failure(
      'servers.read',
      `${prefix}: ${uri} is left out, it could not be read: ${answer.detail ?? 'it holds no text'}.`,
    );
  };
}

function waits(prefix: string, uri: string): Failure {
  return new Failure(
    'servers.read',
    `${prefix} asks something before it gives ${uri}; it is left out until a person answers: desk questions`,
  );
}
