// A working session: model with its prefix, offered tools and resources, over which tickets are worked one by one and
// waiting runs go on. What it records is enough to read every decision again.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { Call, CallState } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import { Failure } from '../shared/failures.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import { keepDocuments } from './documents.ts';
import type { Host } from './host.ts';
import { instructed, instructionsMoved, keepInstructions, type Instructed } from './instructions.ts';
import { absorb, begin, work, type GateAnswer, type LoopDeps, type RunState } from './loop.ts';
import type { Model, Prefix, Segment } from './model/model.ts';
import { iso } from './ports.ts';
import { prefixSegments, type AttachedResource } from './prompt.ts';
import { recordModel } from './recording.ts';
import { keepRun, loadRunState, saveRunState } from './runState.ts';
import type { OfferedTool } from './slots/plan.ts';
import { findRun, insertRun, listRuns, updateRun, type StoredRun } from './store/runs.ts';
import { setTicketState } from './store/tickets.ts';

interface Watch {
  /** The step in words. */
  step?: (words: string) => void;
  signal?: AbortSignal;
}
export interface Session {
  tools: OfferedTool[];
  resources: AttachedResource[];
  /** What servers say of themselves, as far as an admin approved it. */
  instructions: Instructed[];
  problems: string[];
  prefix: Prefix | null;
  /** What the model reads before every ticket. */
  shared: Segment[];
  /** Works one ticket from the beginning. */
  workTicket(ticket: Ticket, watch: Watch): Promise<TicketRun>;
  /** Calls of waiting runs that need no person any more: answered, or settled since their run stopped. */
  pending(): Promise<Call[]>;
  /** Goes on after a person answered or settled a call: sends what may be sent, then the turns that were left. */
  goOn(call: Call, watch: Watch): Promise<TicketRun>;
}

const prefixTokens = 3_000;
const definitions = z.record(z.string(), z.object({ definition: z.string(), configuration: z.string() }));
/** States of a call that wait for a person, or are on their way. */
const open = new Set<CallState>(['proposed', 'asking', 'consented', 'asked', 'sending']);
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
  const offered = await host.servers.offered();
  const { tools } = offered;
  const attached = await host.attached(signal);
  const { resources } = attached;
  const said = await instructed(host);
  const { instructions } = said;
  const problems = [...offered.problems, ...said.problems, ...attached.problems];
  const shared: Segment[] = [];
  const prefix = model === null ? null : await preparePrefix(model);

  async function preparePrefix(ready: Model): Promise<Prefix> {
    const full = prefixSegments(playbook, tools, resources, false, instructions);
    const fits = (await ready.count(full)) <= prefixTokens;
    shared.push(...(fits ? full : prefixSegments(playbook, tools, resources, true, instructions)));
    return ready.setPrefix(shared, signal);
  }
  function depsOf(run: string, state: RunState, watch: Watch, spent: Set<string>): LoopDeps {
    return {
      model: model === null ? null : recordModel(model, state.tape),
      playbook,
      tools: tools.filter((tool) => !spent.has(tool.name)),
      resources,
      clock: host.clock,
      async send(proposal) {
        await saveRunState(host.store, run, state);
        return host.gate.propose(proposal, {
          run,
          ticket: state.ticket,
          ...(watch.signal === undefined ? {} : { signal: watch.signal }),
        });
      },
      ...(watch.step === undefined ? {} : { step: watch.step }),
      ...(watch.signal === undefined ? {} : { signal: watch.signal }),
    };
  }
  /**
   * A ticket worked again: what still waits from before is withdrawn and the runs it belonged to go on no more, so one
   * ticket never holds two open consents. A question that is open stays: something may be held behind it.
   */
  async function supersede(ticket: Ticket): Promise<void> {
    const why = 'The ticket was worked again.';
    for (const call of await host.calls.list({ ticket: ticket.id, states: ['asking', 'consented'] }))
      await host.calls.withdraw(call.id, why, 'host');
    for (const run of await listRuns(host.store.db, { ticket: ticket.id, state: 'waiting' }))
      await updateRun(host.store.db, run.id, { state: 'stale', why, ended_at: iso(host.clock) });
  }
  /** Tools with side effects that ran, or may have run, for a ticket in other runs: not offered again (spec host §13). */
  async function spentIn(ticket: Ticket, except: string): Promise<string[]> {
    const all = await host.calls.list({ ticket: ticket.id });
    return all.flatMap((call) => (call.run !== except && !call.listed && effects.has(call.state) ? [call.tool] : []));
  }
  function keep(id: string, state: RunState, run: TicketRun): Promise<void> {
    return keepRun(host.store, id, state, run, iso(host.clock));
  }

  /** A run from the beginning; `without` are tools that are not offered again. */
  async function anew(ticket: Ticket, watch: Watch, without: Set<string>): Promise<TicketRun> {
    const id = `run-${host.random.hex(8)}`;
    const settings: JsonObject = {
      model: model?.info.name ?? 'none',
      model_sha256: model?.info.sha256 ?? '',
      definitions: Object.fromEntries(
        tools.map(({ name, definition, configuration }) => [name, { definition, configuration }]),
      ),
      ...(await keepDocuments(host.store, resources, await host.attachments.list(ticket.id))),
      ...keepInstructions(instructions),
      listed: tools.filter(({ listed }) => listed).map(({ name }) => name),
      context: model?.info.contextSize ?? 0,
      replay_mode: host.options.replayMode ?? false,
      cores: availableParallelism(),
    };
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
    host.touched(ticket.id);
    const state = begin(ticket, await host.attachments.texts(ticket.id));
    try {
      await supersede(ticket);
      const spent = new Set([...without, ...(await spentIn(ticket, id))]);
      state.withheld = [...spent];
      const run = await work(state, depsOf(id, state, watch, spent));
      await keep(id, state, run);
      return run;
    } catch (error) {
      await updateRun(host.store.db, id, {
        state: 'failed',
        why: 'stopped',
        turns: state.turns,
        ended_at: iso(host.clock),
      });
      host.touched(ticket.id);
      throw error;
    }
  }

  return {
    tools,
    resources,
    instructions,
    problems,
    prefix,
    shared,
    workTicket: (ticket, watch) => anew(ticket, watch, new Set()),
    async goOn(call, watch) {
      const { stored, state, ticket } = await runOf(host, call);
      const turn = state.turns.findLast((one) => one.call?.n === call.n);
      const absorbed = state.ledger.find((entry) => entry.n === call.n);
      if (turn?.call === undefined || (absorbed !== undefined && absorbed.outcome !== 'unknown'))
        throw new Failure('runs.ended', `The run of call ${call.id} went on already; the call is ${call.state}.`);
      const outdated = stored.state === 'stale' || (await stale(host, stored, ticket, state));
      // Nothing has gone out yet, and what the person saw was about another text: it is asked anew.
      if (outdated && call.state === 'consented') {
        const why =
          'Ticket, definitions or playbook changed since this was asked. Nothing was sent; the ticket is drafted anew.';
        await host.calls.withdraw(call.id, why, 'host');
        return again(call, stored, state, watch, new Set());
      }
      const answer = await passed(call, ticket, watch.signal);
      turn.call = { ...turn.call, ...answer, tool: call.tool, arguments: call.arguments, origins: call.origins };
      if (stored.state === 'stale') return settledLate(ticket, state, answer);
      if (answer.outcome === 'waiting') {
        const run: TicketRun = { ...partOf(state), state: 'waiting', why: answer.asked ?? stored.why ?? '' };
        await keep(call.run, state, run);
        return run;
      }
      if (outdated) return again(call, stored, state, watch, new Set([call.tool]));
      // A settled unknown takes the place of what the run knew of it.
      state.ledger = state.ledger.filter((entry) => entry.n !== call.n);
      const { label = call.tool.slice(call.prefix.length + 1) } = tools.find(({ name }) => name === call.tool) ?? {};
      await absorb(state, { playbook, model: null }, turn.call, label);
      state.withheld = [...new Set([...state.withheld, ...(await spentIn(ticket, call.run))])];
      await updateRun(host.store.db, call.run, { state: 'running' });
      const run = await work(state, depsOf(call.run, state, watch, new Set(state.withheld)));
      await keep(call.run, state, run);
      return run;
    },
    async pending() {
      const found: Call[] = [];
      for (const run of await listRuns(host.store.db, { state: 'waiting' })) {
        const last = (await host.calls.list({ run: run.id })).at(-1);
        const goes = last !== undefined && !open.has(last.state) && (await loadRunState(host.store, run.id)) !== null;
        if (goes) found.push(last);
      }
      return found;
    },
  };

  /** The run ends, and its ticket is worked from the beginning over what stands now. */
  async function again(
    call: Call,
    stored: StoredRun,
    state: RunState,
    watch: Watch,
    without: Set<string>,
  ): Promise<TicketRun> {
    await saveRunState(host.store, call.run, state);
    if (stored.state !== 'stale')
      await updateRun(host.store.db, call.run, {
        state: 'stale',
        why: 'Ticket, definitions or playbook changed meanwhile; the ticket was worked again.',
        turns: state.turns,
        ended_at: iso(host.clock),
      });
    const ticket = await host.tickets.find(call.ticket);
    if (ticket === undefined) throw new Failure('tickets.unknown', `There is no ticket ${call.ticket} any more.`);
    return anew(ticket, watch, without);
  }
  /** A call of a run that was superseded is settled, and its ticket is a person's: a newer draft knows nothing of it. */
  async function settledLate(ticket: Ticket, state: RunState, answer: GateAnswer): Promise<TicketRun> {
    if (answer.outcome === 'waiting') return { ...partOf(state), state: 'waiting', why: answer.asked ?? '' };
    await setTicketState(host.store.db, ticket.id, 'handed over');
    const why = `The ticket was worked again meanwhile; this call ended as ${answer.outcome}, which a newer draft does not know.`;
    return { ...partOf(state), state: 'handed over', why };
  }

  /** What became of a call: sends it where a person's answer lets it go on. */
  async function passed(call: Call, ticket: Ticket, signal: AbortSignal | undefined): Promise<GateAnswer> {
    const of = { run: call.run, ticket, ...(signal === undefined ? {} : { signal }) };
    if (call.state === 'consented') return host.gate.send(call, of);
    if (call.state === 'answered') return host.gate.resume(call, of);
    return host.gate.answer(call);
  }
}

function partOf(state: RunState): Pick<TicketRun, 'ticket' | 'ask' | 'turns' | 'ms'> {
  return {
    ticket: state.ticket.id,
    ...(state.ask === null ? {} : { ask: state.ask }),
    turns: state.turns,
    ms: state.ms,
  };
}

/** The run a call belongs to; to be asked before a person's answer is stored. Failure `runs.missing`: it cannot go on. */
export async function runOf(
  host: Pick<Host, 'store' | 'tickets'>,
  call: Call,
): Promise<{ stored: StoredRun; state: RunState; ticket: Ticket }> {
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

/** A run goes on only over the ticket, playbook and approved definitions it began with (spec host §13). */
async function stale(host: Host, stored: StoredRun, ticket: Ticket, state: RunState): Promise<boolean> {
  if (stored.playbook !== host.playbook.hash || ticket.version !== state.ticket.version) return true;
  const began = definitions.safeParse(stored.settings['definitions']);
  for (const [name, one] of Object.entries(began.data ?? {})) {
    const [prefix = '', ...tool] = name.split('.');
    const pin = await host.pins.approved(prefix, tool.join('.'), one.configuration);
    if (pin?.hash !== one.definition) return true;
  }
  return instructionsMoved(host.pins, stored.settings);
}
