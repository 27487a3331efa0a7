// Scores of a recorded run over labelled tickets (spec model, "Recordings and scores"): per kind and overall. Labels come
// from the run file and are read nowhere else. No tool of any company is known here: a tool has side effects where the
// host's own list does not spare it.
import { isObject, type Json } from '../shared/json.ts';
import type { Count, Spread } from '../shared/report.ts';
import type { KindScores, Scores } from '../shared/scores.ts';
import type { WorkedTicket } from './runFileShape.ts';
import type { RecordedCall } from './replay.ts';

/** What one ticket's run got right; null where its label says nothing about it. */
export interface TicketScore {
  ticket: string;
  kind: string | null;
  firstTool: boolean | null;
  /** Calls with side effects, made or prepared, are those the label calls due, for its order and amount. */
  endState: boolean | null;
  asWritten: boolean | null;
  asMeant: boolean | null;
  dueReached: boolean | null;
  notDueReached: boolean;
  issued: boolean;
  ready: boolean;
  /** A draft is ready, or a refund that is due waits for a person. */
  done: boolean;
  handedOver: boolean;
  failed: boolean;
  /** Claims in a ready draft that nothing backs. */
  unbacked: number;
  seconds: number;
  tokensPerCall: number[];
}
/** What of a run is scored: a run file, or the same read from the desk's own database. */
export interface Scored {
  tools: { name: string; listed: boolean }[];
  tickets: ScoredTicket[];
}
type ScoredTicket = Pick<WorkedTicket, 'ticket' | 'label' | 'state' | 'turns' | 'draft' | 'ms'>;

/** Scores of every ticket of a run. */
export function ticketScores(run: Scored): TicketScore[] {
  const listed = new Set(run.tools.filter((tool) => tool.listed).map(({ name }) => name));
  return run.tickets.map((ticket) => scoreOf(ticket, (call) => !listed.has(call.tool)));
}

/** All figures of a run. */
export function scoresOf(run: Scored): Scores {
  const scores = ticketScores(run);
  const names = [...new Set(scores.flatMap(({ kind }) => (kind === null ? [] : [kind])))].sort();
  const kinds = names.map((name) => [name, sumUp(scores.filter(({ kind }) => kind === name))] as const);
  return { all: sumUp(scores), kinds: Object.fromEntries(kinds) };
}

const effects = new Set<RecordedCall['outcome']>(['result', 'waiting', 'unknown']);

function scoreOf(ticket: ScoredTicket, acts: (call: RecordedCall) => boolean): TicketScore {
  const label = ticket.label ?? null;
  const calls = ticket.turns.flatMap(({ call }) => (call === undefined ? [] : [call]));
  const made = calls.filter((call) => acts(call) && effects.has(call.outcome));
  const [first] = calls;
  const right = label === null ? null : first !== undefined && bare(first.tool) === bare(label.first_tool);
  const due = label?.refund?.due === true;
  // Argument figures count only first calls with the right tool that name an order.
  const named = right === true ? first : undefined;
  const { order = null, written = null } = label ?? {};
  const claims = ticket.state === 'ready' ? (ticket.draft?.claims ?? []) : [];
  return {
    ticket: ticket.ticket,
    kind: label?.kind ?? null,
    firstTool: right,
    endState: label === null ? null : due ? made.length === 1 && fits(made, calls, label) : made.length === 0,
    asWritten: named === undefined || written === null ? null : values(named).some((one) => sameId(one, written)),
    asMeant: named === undefined || order === null ? null : values(named).includes(order),
    dueReached: due ? made.length > 0 : null,
    notDueReached: label !== null && !due && made.length > 0,
    issued: made.some(({ outcome }) => outcome === 'result'),
    ready: ticket.state === 'ready',
    done: ticket.state === 'ready' || (ticket.state === 'waiting' && (label === null || due)),
    handedOver: ticket.state === 'handed over',
    failed: ticket.state === 'failed',
    unbacked: claims.filter(({ verdict }) => verdict !== 'backed' && verdict !== 'reported').length,
    seconds: ticket.ms / 1000,
    tokensPerCall: ticket.turns.flatMap(({ call, tokens }) =>
      call === undefined ? [] : [tokens.evaluated + tokens.generated],
    ),
  };
}

function bare(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
function values(call: RecordedCall): string[] {
  return Object.values(call.arguments).filter((value): value is string => typeof value === 'string');
}
/** "2415", "o2415" and "O-2415" name one record. */
function sameId(value: string, written: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const digits = (text: string): string => text.replace(/\D/g, '');
  return plain(value) === plain(written) || (digits(written) !== '' && digits(value) === digits(written));
}

/** The label's order and amount stand in the call, its result, or the results its arguments came from. */
function fits([call]: RecordedCall[], calls: RecordedCall[], label: NonNullable<WorkedTicket['label']>): boolean {
  if (call === undefined) return false;
  const chain = new Set<RecordedCall>([call]);
  for (const one of chain)
    for (const origin of Object.values(one.origins)) {
      const source = calls.find(({ n }) => n === origin.call);
      if (source !== undefined) chain.add(source);
    }
  const known = new Set([...chain].flatMap((one) => [...leaves(one.arguments), ...leaves(one.structured)]));
  return [label.order, label.refund?.amount].every((wanted) => wanted == null || known.has(wanted));
}
function leaves(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one));
  if (isObject(value)) return Object.values(value).flatMap((one) => leaves(one));
  return value === undefined || value === null ? [] : [String(value)];
}

function sumUp(scores: TicketScore[]): KindScores {
  function share(of: (score: TicketScore) => boolean | null): Count {
    const known = scores.map(of).filter((one) => one !== null);
    return { right: known.filter(Boolean).length, total: known.length };
  }
  const names = (of: (score: TicketScore) => boolean): string[] => scores.filter(of).map(({ ticket }) => ticket);
  return {
    tickets: scores.length,
    first_tool: share(({ firstTool }) => firstTool),
    end_state: share(({ endState }) => endState),
    as_written: share(({ asWritten }) => asWritten),
    as_meant: share(({ asMeant }) => asMeant),
    refunds_due_reached: share(({ dueReached }) => dueReached),
    not_due_reached: names(({ notDueReached }) => notDueReached),
    issued: names(({ issued }) => issued),
    ready: share(({ ready }) => ready),
    ready_or_rightly_waiting: share(({ done }) => done),
    handed_over: share(({ handedOver }) => handedOver),
    failed: share(({ failed }) => failed),
    unbacked_in_ready: scores.reduce((sum, { unbacked }) => sum + unbacked, 0),
    seconds: spread(scores.map(({ seconds }) => seconds)),
    tokens_per_call: spread(scores.flatMap(({ tokensPerCall }) => tokensPerCall)),
  };
}

function spread(all: number[]): Spread {
  const sorted = [...all].sort((a, b) => a - b);
  function at(part: number): number | null {
    const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
    return value === undefined ? null : Math.round(value * 100) / 100;
  }
  return { median: at(0.5), p95: at(0.95), n: sorted.length };
}
