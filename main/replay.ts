// Replays a recorded run without a model (spec host §16, model "Recordings and scores"): the same loop over the recorded
// tickets, definitions, resources and playbook. Every text the model read, every decision, call and claim must come out as
// recorded; the first difference stops it and is named by ticket, turn, tool or resource, and field.
import { Failure } from '../shared/failures.ts';
import { isObject, type Json } from '../shared/json.ts';
import type { TicketRun } from '../shared/runs.ts';
import { playbookSchema } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { labelled } from './labels.ts';
import { begin, work, type GateAnswer, type Proposal, type RunState } from './loop.ts';
import type { Segment } from './model/model.ts';
import { prefixSegments, type AttachedResource } from './prompt.ts';
import type { TapeStep } from './recording.ts';
import { replayModel } from './replayModel.ts';
import { compareSources, type Sources } from './replaySources.ts';
import { checkTexts, checkWhole, textOfHash, type ReadRun } from './runFileCheck.ts';
import type { RunFile, WorkedTicket } from './runFileShape.ts';
import type { OfferedTool } from './slots/plan.ts';
import { textDifference, valueDifference, valueWords } from './textDifference.ts';

export type RecordedCall = NonNullable<WorkedTicket['turns'][number]['call']>;
export interface ReplayOptions {
  /** What is compared with the recording before anything is replayed, and used in its place. */
  sources?: Partial<Sources>;
  /** Asks the live servers again. Half a sentence where they answer otherwise than recorded, else null. */
  ask?: (call: RecordedCall, proposal: Proposal, ticket: Ticket, signal?: AbortSignal) => Promise<Difference | null>;
  signal?: AbortSignal;
}
export interface Difference {
  words: string;
  field: string;
}
export interface Replayed {
  tickets: number;
  turns: number;
  calls: number;
}

/** Exact, or Failure `replay.differs` with `{ticket?, turn?, tool?, resource?, field}`. */
export async function replayRun(read: ReadRun, options: ReplayOptions = {}): Promise<Replayed> {
  const { run } = read;
  checkTexts(run);
  const recorded = recordedSources(run);
  compareSources(run, recorded, options.sources ?? {});
  // Those of today are the same, or they would have been named; others were not read.
  const sources = { ...recorded, ...options.sources, instructions: recorded.instructions };
  comparePrefix(run, sources);
  const done: Replayed = { tickets: 0, turns: 0, calls: 0 };
  for (const ticket of run.tickets) {
    options.signal?.throwIfAborted();
    await replayTicket(run, ticket, sources, options);
    done.tickets++;
    done.turns += ticket.turns.length;
    done.calls += ticket.turns.filter(({ call }) => call !== undefined).length;
  }
  checkWhole(read);
  return done;
}

/** Definitions, resources and playbook as the run file has them. Failure `run.invalid` where they cannot be used. */
function recordedSources(run: RunFile): Sources {
  const definitions = new Map(
    Object.entries(run.definitions).map(([name, hash]) => {
      const raw = parsed(run, hash, `the definition of ${name}`);
      return [name, isObject(raw) ? raw : {}];
    }),
  );
  const playbook = playbookSchema.safeParse(parsed(run, run.playbook, 'the playbook'));
  if (!playbook.success)
    throw new Failure(
      'run.invalid',
      'The playbook in the run file is none this desk knows. Replay it with its own version.',
    );
  const instructions = Object.entries(run.instructions ?? {}).map(([prefix, hash]) => ({
    prefix,
    text: textOfHash(run, hash, `the instructions of ${prefix}`),
  }));
  return { definitions, resources: resourcesOf(run), instructions, playbook: playbook.data };
}

function resourcesOf(run: RunFile): AttachedResource[] {
  return run.attached.map(({ prefix, uri }) => ({
    prefix,
    uri,
    text: textOfHash(run, run.resources[uri] ?? '', `the resource ${uri}`),
  }));
}

function parsed(run: RunFile, hash: string, name: string): Json {
  try {
    // JSON.parse returns nothing but JSON values.
    return JSON.parse(textOfHash(run, hash, name)) as Json;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('run.invalid', `${name} in the run file is no JSON.`);
  }
}

function toolsOf(run: RunFile, { definitions }: Sources): OfferedTool[] {
  const tools = run.tools.flatMap(({ name, marks, listed }): OfferedTool[] => {
    const raw = definitions.get(name);
    if (raw === undefined) return [];
    const [prefix = '', ...rest] = name.split('.');
    const schema = raw['inputSchema'];
    return [
      {
        name,
        prefix,
        tool: rest.join('.'),
        description: typeof raw['description'] === 'string' ? raw['description'] : '',
        inputSchema: isObject(schema) ? schema : {},
        marks,
        configuration: '',
        definition: run.definitions[name] ?? '',
        listed,
      },
    ];
  });
  return labelled(tools);
}

/** What is read before every ticket, rendered again. */
function comparePrefix(run: RunFile, sources: Sources): void {
  // Without a model nothing was read.
  if (run.prefix.length === 0) return;
  const { playbook, resources, instructions } = sources;
  const now = prefixSegments(playbook, toolsOf(run, sources), resources, run.settings.brief, instructions);
  for (let index = 0; index < Math.max(now.length, run.prefix.length); index++) {
    const before = run.prefix[index];
    const name = before?.of ?? 'what follows the worked examples';
    const text = before === undefined ? '' : textOfHash(run, before.hash, name);
    const difference = textDifference(text, now[index]?.text.toWellFormed() ?? '');
    const ticket = run.tickets[0]?.ticket ?? 'the first ticket';
    if (difference !== null || before?.trust !== now[index]?.trust)
      throw new Failure(
        'replay.differs',
        `${ticket}, turn 1: ${name} differs at ${difference ?? 'its trust'}. The replay stopped there.`,
        { ticket, turn: 1, field: name },
      );
  }
}

async function replayTicket(
  run: RunFile,
  recorded: WorkedTicket,
  sources: Sources,
  options: ReplayOptions,
): Promise<void> {
  const ticket = ticketOf(run, recorded);
  const attached = (recorded.attached ?? []).map(({ text, ...one }) => ({
    ...one,
    text: textOfHash(run, text, `${one.uri}, attached to ${ticket.id}`),
  }));
  const state = { ...begin(ticket, attached), withheld: recorded.withheld ?? [] };
  // The loop makes any failure the end of its run, so the difference is kept here as well.
  const first: { found: Failure | null } = { found: null };
  const differs = differsIn(recorded, state, first);
  const { model, left } = replayModel({
    info: { ...run.model, contextSize: run.settings.context },
    steps: recorded.tape.map((step) => readable(run, recorded, step)),
    stopped: recorded.why,
    nameOf: (segment, index, op) => segmentName(segment, index, op, state),
    differs,
  });
  const result = await work(state, {
    model: run.model.name === 'none' ? null : model,
    playbook: sources.playbook,
    tools: toolsOf(run, sources).filter(({ name }) => !state.withheld.includes(name)),
    resources: sources.resources,
    clock: { now: () => 0 },
    send: (proposal) => answered(recorded, proposal, ticket, differs, options),
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  if (first.found !== null) throw first.found;
  compareTurns(recorded, result, differs);
  const [unread] = left();
  if (unread !== undefined) differs(`the model was asked to ${unread.op} once more when it was recorded`, 'model');
}

type Differs = (words: string, field: string, turn?: number, tool?: string) => never;
function differsIn(recorded: WorkedTicket, state: RunState, first: { found: Failure | null }): Differs {
  return (words, field, turn = Math.max(1, state.turns.length), tool?: string) => {
    first.found ??= new Failure(
      'replay.differs',
      `${recorded.ticket}, turn ${turn}: ${words}. The replay stopped there.`,
      { ticket: recorded.ticket, turn, field, ...(tool !== undefined && { tool }) },
    );
    throw first.found;
  };
}

function ticketOf(run: RunFile, { ticket, letter }: WorkedTicket): Ticket {
  const body = textOfHash(run, letter.body, `the text of ticket ${ticket}`);
  return { ...letter, id: ticket, customer_name: null, machine: false, body, state: 'open' };
}

/** A recorded step with the texts its hashes stand for. */
function readable(run: RunFile, { ticket }: WorkedTicket, step: WorkedTicket['tape'][number]): TapeStep {
  const { segments, ...rest } = step;
  if (segments === undefined) return rest;
  const name = `what the model read for ${ticket}`;
  return { ...rest, segments: segments.map(({ trust, hash }) => ({ trust, text: textOfHash(run, hash, name) })) };
}

/** What a segment after the prefix is made of. */
function segmentName(segment: Segment, index: number, op: TapeStep['op'], state: RunState): string {
  if (segment.trust !== 'outside') return 'the wording around the ticket (playbook)';
  const call = state.turns.at(-1)?.call;
  if (state.turns.length === 0 || call === undefined)
    return state.attached.length > 0 ? 'the text of the ticket, or what was attached to it' : 'the text of the ticket';
  if (op !== 'read') return `what was read before call ${call.n}`;
  return index === 0
    ? `the block of call ${call.n} (${call.tool}), its arguments,`
    : `the result of call ${call.n} (${call.tool})`;
}

/** The recorded outcome of the recorded call; anything else is a difference. */
async function answered(
  recorded: WorkedTicket,
  proposal: Proposal,
  ticket: Ticket,
  differs: Differs,
  options: ReplayOptions,
): Promise<GateAnswer> {
  const index = recorded.turns.findIndex(({ call }) => call?.n === proposal.n);
  const call = recorded.turns[index]?.call;
  const { offered } = proposal;
  if (call === undefined) {
    // The loop's own failure, told by the run's end.
    if (recorded.state === 'failed') throw new Failure('replay.failed', recorded.why);
    return differs(`${offered.name} is called, and no call ${proposal.n} was recorded`, 'call');
  }
  const turn = index + 1;
  if (call.tool !== offered.name)
    return differs(`call ${call.n} is ${offered.name}, recorded was ${call.tool}`, 'tool', turn, call.tool);
  compareArguments(call, proposal, turn, differs);
  if (recorded.state === 'failed' && call.outcome === 'waiting') throw new Failure('replay.failed', recorded.why);
  const difference = (await options.ask?.(call, proposal, ticket, options.signal)) ?? null;
  if (difference !== null) return differs(difference.words, difference.field, turn, call.tool);
  return { ...call, ...(call.outcome === 'waiting' && { asked: recorded.why }) };
}

/** What a person typed into the call is theirs; the rest must be proposed again. */
function compareArguments(call: RecordedCall, proposal: Proposal, turn: number, differs: Differs): void {
  for (const field of new Set([...Object.keys(call.arguments), ...Object.keys(proposal.arguments)])) {
    if (call.origins[`/${field}`]?.from === 'person') continue;
    const found = valueDifference(call.arguments[field], proposal.arguments[field]);
    if (found !== null) differs(`the argument ${field} of ${call.tool} ${valueWords(found)}`, field, turn, call.tool);
    const origin = valueDifference(json(call.origins[`/${field}`]), json(proposal.origins[`/${field}`]));
    if (origin !== null)
      differs(`the origin${origin.field} of ${field} of ${call.tool} ${valueWords(origin)}`, field, turn, call.tool);
  }
}

/** Plain JSON of a value of ours: what a file would hold. */
function json(value: unknown): Json | undefined {
  // JSON.parse returns nothing but JSON values.
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
}

/** Decisions, end and draft, apart from times. */
function compareTurns(recorded: WorkedTicket, now: TicketRun, differs: Differs): void {
  for (let index = 0; index < Math.max(recorded.turns.length, now.turns.length); index++) {
    const found = valueDifference(turnPart(recorded.turns[index]), turnPart(now.turns[index]));
    if (found !== null)
      differs(
        found.field === ''
          ? `there are ${now.turns.length} turns, recorded were ${recorded.turns.length}`
          : `${found.field.slice(1)} ${valueWords(found)}`,
        found.field.slice(1),
        index + 1,
        recorded.turns[index]?.call?.tool,
      );
  }
  const found = valueDifference(endPart(recorded), endPart(now));
  if (found !== null)
    differs(`${found.field.slice(1)} ${valueWords(found)}`, found.field.slice(1), recorded.turns.length);
}

function turnPart(turn: TicketRun['turns'][number] | undefined): Json | undefined {
  if (turn === undefined) return undefined;
  const { call, ...all } = turn;
  const rest = { ...all, ms: 0 };
  if (call === undefined) return json(rest);
  const { n, tool, outcome, content, structured } = call;
  return json({
    ...rest,
    call: { n, tool, arguments: call.arguments, origins: call.origins, outcome, content, structured },
  });
}

function endPart({ state, why, ask, draft }: Pick<TicketRun, 'state' | 'why' | 'ask' | 'draft'>): Json | undefined {
  return json({ ask, state, why, draft });
}
