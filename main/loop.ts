// One ticket run: choose, fill, call, read the outcome, at most four calls, one reply (spec host §12–13, model "A turn").
// The state is plain data, so a run that waits for a person goes on in another process with the turns it had left.
import { reason } from '../shared/failures.ts';
import type { Origin, Origins } from '../shared/calls.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import type { Condition, Playbook, Skeleton } from '../shared/playbook.ts';
import type { Draft, Meter, TicketRun, Turn, TurnCall } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import { holds, isBound, type Situation } from './conditions.ts';
import { add, decide, nothing, pick, type Decision } from './decide.ts';
import { draftOf } from './draft.ts';
import { handOver, labelOf } from './labels.ts';
import { sha256 } from './mcp/canonical.ts';
import type { Model, Segment } from './model/model.ts';
import { withModelTime } from './modelTime.ts';
import type { Clock } from './ports.ts';
import { actionSegments, outcomeSegments, slotQuestion, ticketSegments, type AttachedResource } from './prompt.ts';
import type { TapeStep } from './recording.ts';
import { ready, write } from './reply.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import { fill } from './slots/fill.ts';
import { planCall, type OfferedTool, type Plan } from './slots/plan.ts';
import { written } from './slots/ticketText.ts';
import { settleTwins, twinOf } from './twins.ts';

/** What the gate made of a proposed call; `waiting` leaves the run for a person. */
export type GateAnswer = Omit<TurnCall, 'n' | 'tool' | 'arguments' | 'origins'> & {
  tool?: string;
  arguments?: JsonObject;
  origins?: Origins;
  asked?: string;
};
export interface Proposal {
  n: number;
  offered: OfferedTool;
  arguments: JsonObject;
  origins: Origins;
}
export interface LoopDeps {
  model: Model | null;
  playbook: Playbook;
  tools: OfferedTool[];
  resources: AttachedResource[];
  clock: Clock;
  send(proposal: Proposal): Promise<GateAnswer>;
  /** The step in words, for the person who watches. */
  step?: (words: string) => void;
  signal?: AbortSignal;
}
/** Everything a run needs to go on later; plain JSON. */
export interface RunState {
  ticket: Ticket;
  ask: string | null;
  /** Read after the prefix, in order. */
  segments: Segment[];
  turns: Turn[];
  ledger: LedgerEntry[];
  /** Milliseconds spent so far. */
  ms: number;
  /** What the model was asked and answered, for replay. */
  tape: TapeStep[];
  /** What persons attached to the ticket. */
  attached: AttachedResource[];
  /** Tools that are not offered, as they had an effect for this ticket before. */
  withheld: string[];
}

const turnLimit = 4;
const modelTime = 120_000;

/** A fresh run of a ticket. */
export function begin(ticket: Ticket, attached: AttachedResource[] = []): RunState {
  return { ticket, attached, ask: null, segments: [], turns: [], ledger: [], ms: 0, tape: [], withheld: [] };
}

/** Works a run until it has a draft, waits for a person or is handed over. Throws only when cancelled. */
export async function work(state: RunState, deps: LoopDeps): Promise<TicketRun> {
  const started = deps.clock.now();
  function end(result: Pick<TicketRun, 'state' | 'why'>, draft?: Draft): TicketRun {
    state.ms += deps.clock.now() - started;
    return {
      ticket: state.ticket.id,
      ...result,
      ...(state.ask === null ? {} : { ask: state.ask }),
      turns: state.turns,
      ...(draft === undefined ? {} : { draft }),
      ms: state.ms,
    };
  }
  try {
    const word = handOverWord(state.ticket, deps.playbook);
    if (word !== null)
      return end({ state: 'handed over', why: `The customer writes “${word}”: a person answers that.` });
    const model = deps.model === null ? null : withModelTime(deps.model, modelTime);
    const run: Run = { state, deps: { ...deps, model } };
    const stop = state.ask === null ? await chooseAsk(run) : await resume(run);
    const came = stop ?? (await turns(run));
    // What it came to when it was stopped meanwhile is no answer; what waits for a person does so.
    if (came.state !== 'waiting') deps.signal?.throwIfAborted();
    return finish(came, run, end);
  } catch (error) {
    deps.signal?.throwIfAborted();
    return end({ state: 'failed', why: reason(error) });
  }
}

interface Run {
  state: RunState;
  deps: LoopDeps;
}
type Stop = Pick<TicketRun, 'state' | 'why'> & { skeleton?: Skeleton };

function finish(
  stop: Stop,
  run: Run,
  end: (result: Pick<TicketRun, 'state' | 'why'>, draft?: Draft) => TicketRun,
): TicketRun {
  if (stop.skeleton === undefined) return end({ state: stop.state, why: stop.why });
  const reply = write(run.deps.playbook, stop.skeleton, situationOf(run));
  const draft = draftOf(reply, run.state, run.deps);
  if (reply.foreign)
    return end(
      { state: 'handed over', why: 'The customer writes in a language without rules: a person checks the draft.' },
      draft,
    );
  if (draft.blocked)
    return end({ state: 'handed over', why: 'The draft says something no call or policy backs; it is marked.' }, draft);
  return end({ state: stop.state, why: stop.why }, draft);
}

function handOverWord(ticket: Ticket, playbook: Playbook): string | null {
  const text = `${ticket.subject}\n${written(ticket.body).own}`.toLowerCase();
  return (
    Object.values(playbook.handover.words)
      .flat()
      .find((word) =>
        new RegExp(`(?<!\\p{L})${word.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u').test(text),
      ) ?? null
  );
}

function bound(playbook: Playbook, model: Model): number {
  return playbook.handover.margins[model.info.name] ?? playbook.handover.margins['*'] ?? 0;
}

/** Which kind of ask this is: the run's first decision, kept in its first turn. */
async function chooseAsk(run: Run): Promise<Stop | null> {
  const { state, deps } = run;
  const { model, playbook } = deps;
  if (model === null) return { state: 'handed over', why: 'No model is there: a person works this ticket by hand.' };
  await model.rewind();
  if (playbook.asks.length === 0) {
    state.ask = '';
    state.segments.push(...ticketSegments(playbook, state.ticket, state.attached));
    await model.read(state.segments, run.deps.signal);
    return null;
  }
  deps.step?.('reading the ticket');
  const started = deps.clock.now();
  const decision = await decide(
    model,
    ticketSegments(playbook, state.ticket, state.attached),
    playbook.asks.map((ask) => ask.label),
    run.deps.signal,
    weights(run),
  );
  const chosen = together(playbook, decision);
  const first = playbook.asks[chosen.index];
  if (first === undefined) return { state: 'failed', why: 'The model chose no kind of request.' };
  state.ask = settleTwins(playbook, first.id, state.ticket);
  const label = playbook.asks.find((one) => one.id === state.ask)?.label ?? first.label;
  const labels = playbook.asks.map((one) => one.label);
  const turn = turnOf(decision, labels, label, deps.clock.now() - started);
  Object.assign(turn, { probability: chosen.probability, margin: chosen.margin, ask: state.ask });
  state.turns.push(turn);
  state.segments.push(...decision.read, ...actionSegments(label));
  turn.tokens = add(turn.tokens, await model.read(actionSegments(label), run.deps.signal));
  if (chosen.margin < bound(playbook, model))
    return { state: 'handed over', why: `Not sure what is asked: ${candidates(labels, decision)}.` };
  return null;
}

/** Calibration of the kinds; a kind whose first tool the ticket gives no source for is less likely meant. */
function weights(run: Run): number[] {
  const { plans } = situationOf(run);
  return run.deps.playbook.asks.map((ask) => {
    const first = plans.get(ask.tools[0]?.tool ?? '');
    return ask.weight * (first !== undefined && first.missing.length > 0 ? ask.weight_unsourced : 1);
  });
}

/** Twins begin with the same step: their probabilities count together against the other kinds. */
function together(playbook: Playbook, decision: Decision): { index: number; probability: number; margin: number } {
  const ids = playbook.asks.map((ask) => ask.id);
  const groups = decision.probabilities.map((probability, index) => {
    const twin = ids.indexOf(twinOf(playbook, ids[index] ?? '') ?? '');
    return { index, twin, probability: probability + (decision.probabilities[twin] ?? 0) };
  });
  const [first = { index: decision.index, twin: -1, probability: 0 }, ...rest] = groups.sort(
    (a, b) => b.probability - a.probability,
  );
  const next = rest.find((one) => one.index !== first.twin);
  return { index: first.index, probability: first.probability, margin: first.probability - (next?.probability ?? 0) };
}

function candidates(options: string[], decision: Decision): string {
  const order = decision.probabilities
    .map((probability, index) => ({ probability, option: options[index] ?? '' }))
    .sort((a, b) => b.probability - a.probability);
  return order
    .slice(0, 2)
    .map(({ option, probability }) => `“${option}” ${Math.round(probability * 100)} %`)
    .join(' or ');
}

function turnOf(decision: Decision, options: string[], choice: string, ms: number): Turn {
  return {
    options,
    choice,
    probability: decision.probabilities[decision.index] ?? 1,
    margin: decision.margin,
    probabilities: decision.probabilities,
    tokens: decision.meter,
    ms,
    segments: decision.read.map((segment) => ({ trust: segment.trust, hash: sha256(segment.text) })),
  };
}

/** Reads the stored segments again, so the turns that are left begin where the run stopped. */
async function resume({ state, deps }: Run): Promise<null> {
  if (deps.model === null) return null;
  await deps.model.rewind();
  await deps.model.read(state.segments, deps.signal);
  return null;
}

function situationOf({ state, deps }: Run): Situation {
  const sources = { ticket: state.ticket, ledger: state.ledger, playbook: deps.playbook };
  return {
    ticket: state.ticket,
    ledger: state.ledger,
    plans: new Map(deps.tools.map((tool) => [tool.name, planCall(tool, sources)])),
  };
}

/** Tools that may be called now: of this ask, with sources, not a repetition, requirements met. */
export function legalTools(playbook: Playbook, ask: string | null, situation: Situation): Plan[] {
  const wanted = playbook.asks.find((one) => one.id === ask)?.tools;
  return [...situation.plans.values()].filter((plan) => {
    const entry = wanted?.find((one) => one.tool === plan.tool.name);
    if (playbook.asks.length > 0 && entry === undefined) return false;
    const requires: Condition[] = [...(playbook.tools[plan.tool.name]?.requires ?? []), ...(entry?.requires ?? [])];
    return plan.missing.length === 0 && !plan.repeats && holds(requires, situation) && untroubled(plan, situation);
  });
}

/** A tool whose outcome is open or was declined is not offered again in the same run. */
function untroubled(plan: Plan, situation: Situation): boolean {
  return !situation.ledger.some(
    (entry) =>
      entry.tool === plan.tool.name &&
      (entry.outcome === 'declined' || entry.outcome === 'unknown' || entry.outcome === 'failed'),
  );
}

async function turns(run: Run): Promise<Stop> {
  const { state, deps } = run;
  for (;;) {
    const situation = situationOf(run);
    if (state.ledger.some((entry) => entry.outcome === 'unknown'))
      return { state: 'handed over', why: 'What a call did is not known: a person looks it up.' };
    const legal = state.ledger.length >= turnLimit ? [] : legalTools(deps.playbook, state.ask, situation);
    const skeletons = ready(deps.playbook, state.ask ?? '', situation);
    if (legal.length === 0) return reply(skeletons);
    const stop = await turn(run, legal, skeletons);
    if (stop !== null) return stop;
  }
}

function reply(skeletons: Skeleton[]): Stop {
  const first = skeletons[0];
  if (first === undefined) return { state: 'handed over', why: 'No reply fits what is known: a person writes it.' };
  return {
    state: 'ready',
    why:
      first.kind === 'answer' ? 'Answered from the calls of this run.' : 'The customer is asked for what is missing.',
    skeleton: first,
  };
}

async function turn(run: Run, legal: Plan[], skeletons: Skeleton[]): Promise<Stop | null> {
  const { state, deps } = run;
  const { model } = deps;
  if (model === null)
    return { state: 'handed over', why: 'No model is there to go on: a person works this ticket by hand.' };
  const kinds = [...new Set(skeletons.map((one) => one.kind))];
  const options = [...legal.map((plan) => plan.tool.name), ...kinds, handOver];
  const labels = [...legal.map((plan) => labelOf(plan.tool)), ...kinds, handOver];
  const started = deps.clock.now();
  const decision = await decide(model, [], labels, run.deps.signal);
  deps.signal?.throwIfAborted();
  const choice = options[decision.index] ?? handOver;
  const record = turnOf(decision, options, choice, deps.clock.now() - started);
  state.turns.push(record);
  state.segments.push(...decision.read);
  if (decision.margin < bound(deps.playbook, model))
    return { state: 'handed over', why: `Not sure what to do next: ${candidates(options, decision)}.` };
  const plan = legal.find((one) => one.tool.name === choice);
  if (plan !== undefined) return call(run, plan, record, labelOf(plan.tool));
  if (choice === handOver) return { state: 'handed over', why: 'The model hands this ticket to a person.' };
  return reply(skeletons.filter((one) => one.kind === choice));
}

async function call(run: Run, plan: Plan, record: Turn, label: string): Promise<Stop | null> {
  const { state, deps } = run;
  const n = state.ledger.length + 1;
  const started = deps.clock.now();
  const filled = await fill(plan, state.ticket, {
    async pick(name, options) {
      if (deps.model === null) return 0;
      const picked = await pick(deps.model, slotQuestion(label, noun(deps.playbook, plan, name)), options, deps.signal);
      record.tokens = add(record.tokens, picked.meter);
      return picked.index;
    },
  });
  record.ms += deps.clock.now() - started;
  deps.step?.(
    `asking ${plan.tool.prefix} for ${plan.tool.tool.replaceAll('_', ' ')} (${Object.values(filled.arguments).map(String).join(', ')})`,
  );
  // Kept before it is sent: whatever ends the desk now, the run knows what it was about.
  record.call = { n, tool: plan.tool.name, ...filled, outcome: 'waiting', ms: 0 };
  const answer = await deps.send({ n, offered: plan.tool, ...filled });
  // A person's thinking is no working time of the run.
  if (answer.consent !== undefined && answer.consent.by !== 'host') state.ms -= answer.consent.ms;
  return settled(run, plan, record, label, { n, tool: plan.tool.name, ...filled }, answer);
}

/** What tickets call an argument, where the playbook says so. */
function noun(playbook: Playbook, plan: Plan, name: string): string {
  return playbook.tools[plan.tool.name]?.nouns[`/${name}`]?.[0] ?? name;
}

async function settled(
  run: Run,
  plan: Plan,
  record: Turn,
  label: string,
  sent: Pick<TurnCall, 'n' | 'tool' | 'arguments' | 'origins'>,
  answer: GateAnswer,
): Promise<Stop | null> {
  record.call = {
    ...sent,
    ...answer,
    tool: sent.tool,
    arguments: answer.arguments ?? sent.arguments,
    origins: answer.origins ?? sent.origins,
  };
  if (answer.outcome === 'waiting')
    return { state: 'waiting', why: answer.asked ?? `${plan.tool.name} waits for a person's consent.` };
  record.tokens = add(record.tokens, await absorb(run.state, run.deps, record.call, label, run.deps.signal));
  return null;
}

/** Takes a settled call into the ledger and, where a model reads along, its block into the state. */
export async function absorb(
  state: RunState,
  deps: Pick<LoopDeps, 'playbook' | 'model'>,
  done: TurnCall,
  label: string,
  signal?: AbortSignal,
): Promise<Meter> {
  if (done.outcome === 'waiting') return nothing;
  const entry: LedgerEntry = {
    n: done.n,
    tool: done.tool,
    arguments: done.arguments,
    outcome: done.outcome,
    text: done.content ?? '',
    structured: done.structured,
    bound: done.outcome === 'result' && boundNow(deps.playbook, state, done.tool, done.structured, done.origins),
    trust: least(done.origins),
  };
  state.ledger.push(entry);
  rebind(deps.playbook, state);
  const block = outcomeSegments(deps.playbook, label, entry);
  state.segments.push(...block);
  return deps.model === null ? nothing : deps.model.read(block, signal);
}

function boundNow(
  playbook: Playbook,
  state: RunState,
  tool: string,
  structured: Json | undefined,
  origins: Origins,
): boolean {
  if (isBound(playbook, state.ticket, tool, structured)) return true;
  const values = Object.values(origins);
  return values.length > 0 && values.every((origin) => origin.trust !== 'untrusted');
}

/** A record found to be the customer's makes earlier results about the same identifiers bound too. */
function rebind(playbook: Playbook, state: RunState): void {
  const known = new Set(
    state.ledger
      .filter((entry) => isBound(playbook, state.ticket, entry.tool, entry.structured))
      .flatMap((entry) => Object.values(entry.arguments).map(String)),
  );
  for (const entry of state.ledger) {
    const references = Object.values(entry.arguments).filter(
      (value): value is string => typeof value === 'string' && /\d/.test(value),
    );
    if (
      !entry.bound &&
      entry.outcome === 'result' &&
      references.length > 0 &&
      references.every((value) => known.has(value) || boundElsewhere(state, value))
    )
      entry.bound = true;
  }
}

/** The value stands in a result that is bound. */
function boundElsewhere(state: RunState, value: string): boolean {
  return state.ledger.some(
    (entry) => entry.bound && JSON.stringify(entry.structured ?? null).includes(JSON.stringify(value)),
  );
}

function least(origins: Origins): Origin['trust'] {
  const all = Object.values(origins).map((origin) => origin.trust);
  return all.includes('untrusted') ? 'untrusted' : all.includes('bound') ? 'bound' : 'trusted';
}
