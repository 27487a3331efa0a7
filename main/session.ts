// A working session: model with its prefix, offered tools and resources, over which tickets are worked one by one and
// waiting runs go on. What it records is enough to read every decision again.
import type { Call, CallState } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import { Failure } from '../shared/failures.ts';
import type { TicketRun, TurnCall } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Host } from './host.ts';
import { absorb, begin, work, type GateAnswer, type LoopDeps, type RunState } from './loop.ts';
import type { Model, Prefix } from './model/model.ts';
import { iso } from './ports.ts';
import { prefixSegments, type AttachedResource } from './prompt.ts';
import { loadRunState, saveRunState } from './runState.ts';
import type { OfferedTool } from './slots/plan.ts';
import { findRun, insertRun, saveDraft, updateRun, type StoredRun } from './store/runs.ts';
import { setTicketState } from './store/tickets.ts';

export interface Session {
  tools: OfferedTool[];
  resources: AttachedResource[];
  problems: string[];
  prefix: Prefix | null;
  /** Works one ticket from the beginning. */
  workTicket(ticket: Ticket, watch: { step?: (words: string) => void; signal?: AbortSignal }): Promise<TicketRun>;
  /** Throws where a call's run cannot go on; to be asked before a person's answer is stored. */
  check(call: Call): Promise<void>;
  /** Goes on after a person answered: sends a consented call, then the turns that were left. */
  goOn(call: Call, watch: { step?: (words: string) => void; signal?: AbortSignal }): Promise<TicketRun>;
}

const prefixTokens = 3_000;
/** States in which a call had an effect or may have had one. */
const effects = new Set<CallState>(['sending', 'asked', 'answered', 'result', 'unknown']);

/** Opens a session on a host; `model` null works without one. */
export async function openSession(
  host: Host,
  model: Model | null,
  batch: string | null,
  signal?: AbortSignal,
): Promise<Session> {
  const { playbook } = host.playbook;
  const { tools, problems } = await host.servers.offered();
  const resources = await host.servers.attached(signal);
  const prefix = model === null ? null : await preparePrefix(model);

  async function preparePrefix(ready: Model): Promise<Prefix> {
    const full = prefixSegments(playbook, tools, resources);
    const fits = (await ready.count(full)) <= prefixTokens;
    return ready.setPrefix(fits ? full : prefixSegments(playbook, tools, resources, true), signal);
  }
  function depsOf(
    run: string,
    ticket: Ticket,
    watch: { step?: (words: string) => void; signal?: AbortSignal },
    spent: Set<string>,
  ): LoopDeps {
    return {
      model,
      playbook,
      tools: tools.filter((tool) => !spent.has(tool.name)),
      resources,
      clock: host.clock,
      send: (proposal) =>
        host.gate.propose(proposal, { run, ticket, ...(watch.signal === undefined ? {} : { signal: watch.signal }) }),
      ...(watch.step === undefined ? {} : { step: watch.step }),
      ...(watch.signal === undefined ? {} : { signal: watch.signal }),
    };
  }
  /**
   * A ticket worked again: what still waits from before is withdrawn, so one ticket never holds two open consents, and
   * a tool with side effects that ran, or may have run, for this ticket is not offered again (spec host §13).
   */
  async function earlier(ticket: Ticket): Promise<Set<string>> {
    const spent = new Set<string>();
    for (const call of await host.calls.list({ ticket: ticket.id })) {
      if (call.state === 'asking' || call.state === 'consented')
        await host.calls.withdraw(call.id, 'The ticket was worked again.', 'host');
      else if (!call.listed && effects.has(call.state)) spent.add(call.tool);
    }
    return spent;
  }
  async function kept(call: Call): Promise<{ stored: StoredRun; state: RunState; ticket: Ticket }> {
    const stored = await findRun(host.store.db, call.run);
    const state = await loadRunState(host.store, call.run);
    const ticket = await host.tickets.find(call.ticket);
    if (stored === undefined || state === null || ticket === undefined)
      throw new Failure(
        'runs.missing',
        `The run of call ${call.id} is not kept any more; nothing was sent. Work the ticket again: desk work --ticket ${call.ticket}`,
      );
    return { stored, state, ticket };
  }
  async function keep(id: string, state: RunState, run: TicketRun): Promise<void> {
    await saveRunState(host.store, id, state);
    await updateRun(host.store.db, id, {
      state: run.state,
      why: run.why,
      ask: run.ask ?? null,
      turns: run.turns,
      ended_at: iso(host.clock),
      ms: run.ms,
    });
    if (run.draft !== undefined)
      await saveDraft(host.store.db, {
        ...run.draft,
        run: id,
        ticket: run.ticket,
        ticket_version: state.ticket.version,
        at: iso(host.clock),
      });
    await setTicketState(host.store.db, run.ticket, run.state);
  }

  return {
    async check(call) {
      await kept(call);
    },
    tools,
    resources,
    problems,
    prefix,
    async workTicket(ticket, watch) {
      const id = `run-${host.random.hex(8)}`;
      const settings: JsonObject = { model: model?.info.name ?? 'none', model_sha256: model?.info.sha256 ?? '' };
      await insertRun(host.store.db, {
        id,
        batch,
        ticket: ticket.id,
        ticket_version: ticket.version,
        state: 'running',
        why: null,
        ask: null,
        model: model?.info.name ?? 'none',
        playbook: host.playbook.hash,
        settings,
        turns: [],
        started_at: iso(host.clock),
        ended_at: null,
        ms: null,
      });
      const state = begin(ticket);
      try {
        const run = await work(state, depsOf(id, ticket, watch, await earlier(ticket)));
        await keep(id, state, run);
        return run;
      } catch (error) {
        await updateRun(host.store.db, id, {
          state: 'failed',
          why: 'stopped',
          turns: state.turns,
          ended_at: iso(host.clock),
        });
        throw error;
      }
    },
    async goOn(call, watch) {
      const { stored, state, ticket } = await kept(call);
      const answer: GateAnswer =
        call.state === 'consented'
          ? await host.gate.send(call, { run: call.run, ticket })
          : {
              outcome: 'declined',
              content: 'A person declined this call.',
              ms: 0,
              ...(call.consent === null ? {} : { consent: call.consent }),
            };
      const turn = state.turns.findLast((one) => one.call?.outcome === 'waiting');
      if (turn?.call === undefined)
        throw new Failure(
          'runs.ended',
          `The run of call ${call.id} has ended; the call was settled as ${answer.outcome}.`,
        );
      const done: TurnCall = {
        ...turn.call,
        ...answer,
        tool: call.tool,
        arguments: call.arguments,
        origins: call.origins,
      };
      turn.call = done;
      if (stale(host, stored, ticket, state)) {
        const run: TicketRun = {
          ticket: ticket.id,
          state: 'handed over',
          why: 'Ticket or playbook changed meanwhile: work the ticket again. The call is settled and is not offered again.',
          turns: state.turns,
          ms: state.ms,
        };
        await keep(call.run, state, run);
        return run;
      }
      if (answer.outcome !== 'waiting')
        await absorb(state, { playbook, model: null }, done, call.tool.slice(call.prefix.length + 1));
      const run: TicketRun =
        answer.outcome === 'waiting'
          ? { ticket: ticket.id, state: 'waiting', why: answer.asked ?? '', turns: state.turns, ms: state.ms }
          : await work(state, depsOf(call.run, ticket, watch, new Set()));
      await keep(call.run, state, run);
      return run;
    },
  };
}

function stale(
  host: Host,
  stored: { playbook: string | null; ticket_version: number },
  ticket: Ticket,
  state: RunState,
): boolean {
  return stored.playbook !== host.playbook.hash || ticket.version !== state.ticket.version;
}
