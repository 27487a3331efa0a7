// The gate every call passes (spec host §§9–13): schema, the host's own list, a person's consent bound to a hash, pin and
// configuration checked again at the moment of sending, and an outcome that never says more than is known.
import { Failure } from '../shared/failures.ts';
import type { Call, Origins } from '../shared/calls.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Calls } from './calls.ts';
import type { GateAnswer, Proposal } from './loop.ts';
import type { WireOutcome } from './mcp/connection.ts';
import type { Validator } from './mcp/validator.ts';
import type { Pins } from './pins.ts';
import type { Clock } from './ports.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { Server, Servers } from './servers.ts';

/** Asks a person now; null leaves the call waiting. */
export type AskPerson = (call: Call) => Promise<{ answer: 'run' | 'dont'; by: Person; scripted: boolean } | null>;

export interface GateDeps {
  calls: Calls;
  pins: Pins;
  servers: Servers;
  validator: Validator;
  playbook: Playbook;
  clock: Clock;
  ask?: AskPerson;
  /** A call was stored or changed. */
  changed?(call: Call): void;
}
interface RunOf {
  run: string;
  ticket: Ticket;
  signal?: AbortSignal;
}
export interface Gate {
  /** Stores a proposed call, asks where it must, sends it. */
  propose(proposal: Proposal, of: RunOf): Promise<GateAnswer>;
  /** Sends a call a person consented to. */
  send(call: Call, of: RunOf): Promise<GateAnswer>;
}

const errorCharacters = 600;

/** Why the person is asked before this call, or null where the host's own list spares the question (spec host §9). */
function asksFor(
  listed: boolean,
  prefix: string,
  origins: Origins,
  prefixOf: (n: number) => string | undefined,
): string | null {
  if (!listed) return 'It is not on the list of calls without side effects.';
  for (const [pointer, origin] of Object.entries(origins)) {
    const name = pointer.slice(1);
    if (origin.from === 'result' && origin.call !== undefined && prefixOf(origin.call) !== prefix)
      return `“${name}” comes from another server's result.`;
    if (origin.from === 'model') return `“${name}” is the model's own.`;
    if (origin.from === 'example') return `“${name}” is the definition's own example.`;
    if (origin.from === 'person') return `“${name}” was typed by a person.`;
  }
  return null;
}

/** The gate of one host. */
export function createGate(deps: GateDeps): Gate {
  const { calls, servers } = deps;

  async function propose(proposal: Proposal, of: RunOf): Promise<GateAnswer> {
    const { offered } = proposal;
    const refused = await refusal(proposal);
    if (refused !== null) return { outcome: 'tool error', content: refused, ms: 0 };
    const earlier = await calls.list({ run: of.run });
    const asks = asksFor(
      offered.listed,
      offered.prefix,
      proposal.origins,
      (n) => earlier.find((call) => call.n === n)?.prefix,
    );
    const call = await calls.propose({
      method: 'tools/call',
      run: of.run,
      ticket: of.ticket.id,
      n: proposal.n,
      prefix: offered.prefix,
      tool: offered.name,
      arguments: proposal.arguments,
      origins: proposal.origins,
      configuration: offered.configuration,
      definition: offered.definition,
      listed: offered.listed,
      asks,
    });
    deps.changed?.(call);
    return call.state === 'consented' ? send(call, of) : ask(call, of);
  }

  /** What the schema refuses before anyone is asked. */
  async function refusal({ offered, arguments: args, origins }: Proposal): Promise<string | null> {
    const properties = isObject(offered.inputSchema['properties']) ? offered.inputSchema['properties'] : {};
    const unnamed = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
    if (unnamed.length > 0)
      return `The tool does not know the argument ${unnamed.map((name) => `"${name}"`).join(', ')}.`;
    const loose = (deps.playbook.tools[offered.name]?.sensitive ?? []).find(
      (pointer) => origins[pointer]?.trust === 'untrusted',
    );
    if (loose !== undefined) return `"${loose.slice(1)}" is not bound to a record of this customer.`;
    const checked = await deps.validator.validate(offered.inputSchema, args);
    if (checked.ok) return null;
    return 'parked' in checked
      ? `The tool's schema cannot be applied: ${checked.parked}`
      : `The arguments do not fit the tool: ${checked.problems.join('; ')}`;
  }

  async function ask(call: Call, of: RunOf): Promise<GateAnswer> {
    const person = deps.ask === undefined ? null : await deps.ask(call);
    if (person === null)
      return waiting(call, `${call.tool} waits for a person's consent: desk consent ${call.id} --run or --dont`);
    const answered = await calls.answer(call.id, {
      by: person.by,
      answer: person.answer,
      hash: call.hash,
      scripted: person.scripted,
    });
    deps.changed?.(answered);
    if (person.answer === 'run') return send(answered, of);
    return { ...consentOf(answered), outcome: 'declined', content: 'A person declined this call.', ms: 0 };
  }

  async function send(call: Call, of: RunOf): Promise<GateAnswer> {
    const server = servers.get(call.prefix);
    const stored = await current(call, server);
    if (server === undefined || stored === null) {
      const settled = await calls.settle(call.id, {
        outcome: 'failed',
        detail: 'The tool changed or its server is gone since this call was prepared; nothing was sent.',
      });
      deps.changed?.(settled);
      return { ...consentOf(settled), outcome: 'failed', detail: settled.detail ?? '', ms: 0 };
    }
    try {
      await calls.begin(call.id, {
        configuration: server.configuration,
        definition: stored,
        arguments: call.arguments,
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...consentOf(call), outcome: 'failed', detail: error.message, ms: 0 };
    }
    const started = deps.clock.now();
    const outcome = await server.connection.call({
      tool: call.tool.slice(call.prefix.length + 1),
      arguments: call.arguments,
      meta: context(server, of.ticket),
      ...(of.signal === undefined ? {} : { signal: of.signal }),
    });
    return record(call, server, outcome, deps.clock.now() - started);
  }

  /** The definition hash that stands approved now, or null. */
  async function current(call: Call, server: Server | undefined): Promise<string | null> {
    if (server === undefined) return null;
    const pin = await deps.pins.approved(call.prefix, call.tool.slice(call.prefix.length + 1), server.configuration);
    return pin?.hash ?? null;
  }

  async function record(call: Call, server: Server, outcome: WireOutcome, ms: number): Promise<GateAnswer> {
    if (outcome.kind === 'input required') {
      const asked = await calls.ask(call.id, {
        inputRequests: requestsOf(outcome.inputRequests),
        requestState: outcome.requestState ?? null,
        role: 'lead',
      });
      deps.changed?.(asked);
      return waiting(asked, `${call.tool} asked a question that waits for the right person.`, ms);
    }
    const settled = await settlement(call, server, outcome, ms);
    const stored = await calls.settle(call.id, settled);
    deps.changed?.(stored);
    return {
      ...consentOf(stored),
      outcome: settled.outcome,
      ms,
      ...(settled.text === undefined ? {} : { content: settled.text }),
      ...(settled.structured === undefined ? {} : { structured: settled.structured }),
      ...(settled.detail === undefined ? {} : { detail: settled.detail }),
    };
  }

  /** Result, tool error, failed or unknown: `failed` only where the call surely had no effect. */
  async function settlement(call: Call, server: Server, outcome: WireOutcome, ms: number): Promise<Settlement> {
    switch (outcome.kind) {
      case 'result': {
        const problem = await mismatch(call, server, outcome.structured);
        if (problem !== null)
          return {
            outcome: call.listed ? 'failed' : 'unknown',
            detail: `${call.prefix} changed its answer: ${problem}`,
            ms,
          };
        return {
          outcome: 'result',
          text: outcome.text,
          ms,
          ...(outcome.structured === undefined ? {} : { structured: outcome.structured }),
        };
      }
      case 'tool error':
        return { outcome: 'tool error', text: outcome.text.slice(0, errorCharacters), ms };
      case 'protocol error':
        if (outcome.code === -32602)
          return { outcome: 'tool error', text: outcome.message.slice(0, errorCharacters), ms };
        return {
          outcome: call.listed || outcome.code === -32601 ? 'failed' : 'unknown',
          detail: `${call.prefix} answered with error ${outcome.code}: ${outcome.message}`,
          ms,
        };
      case 'not sent':
        return { outcome: 'failed', detail: outcome.reason, ms };
      case 'unknown':
        return { outcome: call.listed ? 'failed' : 'unknown', detail: outcome.reason, ms };
      case 'input required':
        return { outcome: 'unknown', detail: 'The server asked a question out of turn.', ms };
    }
  }

  async function mismatch(call: Call, server: Server, structured: Json | undefined): Promise<string | null> {
    const pin = await deps.pins.approved(call.prefix, call.tool.slice(call.prefix.length + 1), server.configuration);
    const schema = pin?.raw['outputSchema'];
    if (!isObject(schema)) return null;
    if (structured === undefined) return 'no structured content, though its definition promises it';
    const checked = await deps.validator.validate(schema, structured);
    return checked.ok ? null : 'parked' in checked ? checked.parked : checked.problems.join('; ');
  }

  return { propose, send };
}

interface Settlement {
  outcome: 'result' | 'tool error' | 'failed' | 'unknown';
  text?: string;
  structured?: Json;
  detail?: string;
  ms: number;
}

/** Questions by the server's own keys; anything that is no request is left out. */
function requestsOf(requests: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(requests).flatMap(([key, request]) => (isObject(request) ? [[key, request]] : [])),
  );
}

function waiting(call: Call, asked: string, ms = 0): GateAnswer {
  return { ...consentOf(call), outcome: 'waiting', asked, ms };
}

function consentOf(call: Call): { consent?: NonNullable<Call['consent']> } {
  return call.consent === null ? {} : { consent: call.consent };
}

/** Context keys a server's configuration names, filled by the host for tickets of that system only (spec host §4). */
function context(server: Server, ticket: Ticket): JsonObject {
  if (ticket.source !== 'sample') return {};
  return Object.fromEntries(Object.keys(server.config.context).map((key) => [key, ticket.id]));
}
