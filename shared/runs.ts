/** The run file `desk-run/1` (spec cli, "Files") and the claims of a draft (spec model, "Evidence"). */
import type { Consent, Origins, Outcome } from './calls.ts';
import type { Json, JsonObject } from './json.ts';
import type { Role } from './people.ts';
import type { QuestionAnswer } from './questions.ts';
import type { Count } from './report.ts';

type Verdict = 'backed' | 'reported' | 'contradicted' | 'no source' | 'outcome unknown';
export type ClaimKind = 'amount' | 'date' | 'status' | 'identifier' | 'person' | 'promise' | 'stock';
export interface Claim {
  kind: ClaimKind;
  text: string;
  /** UTF-16 offsets into the draft's text. */
  start: number;
  end: number;
  verdict: Verdict;
  source?: 'call' | 'resource' | 'ticket' | 'derived' | 'person';
  call?: number;
  field?: string;
  /** One sentence: why this verdict. */
  why: string;
}
export interface Draft {
  text: string;
  claims: Claim[];
  /** Blocked while any model claim is unbacked. */
  blocked: boolean;
  skeleton: string | null;
}
export interface Meter {
  /** Tokens the model read new, reused from kept state, and wrote. */
  evaluated: number;
  reused: number;
  generated: number;
}
export interface AskedQuestion {
  round: number;
  key: string;
  message: string;
  role: Role;
  /** Null while nobody answered. */
  by: string | null;
  action: QuestionAnswer['action'] | null;
  content?: JsonObject;
}
export interface TurnCall {
  n: number;
  tool: string;
  arguments: JsonObject;
  origins: Origins;
  consent?: Consent;
  /** What its server asked, round by round. */
  questions?: AskedQuestion[];
  outcome: Outcome;
  content?: string;
  structured?: Json;
  detail?: string;
  ms: number;
}
export interface Turn {
  options: string[];
  choice: string;
  probability: number;
  margin: number;
  probabilities: number[];
  tokens: Meter;
  ms: number;
  ask?: string;
  call?: TurnCall;
  segments: { trust: string; hash: string }[];
}
export interface TicketRun {
  ticket: string;
  state: 'ready' | 'waiting' | 'handed over' | 'failed';
  why: string;
  ask?: string;
  turns: Turn[];
  draft?: Draft;
  ms: number;
}

/** A document that stood before the model in a run, or a prompt a person used. */
export interface AttachedDocument {
  /** Its server; null where the run did not keep it. */
  prefix: string | null;
  uri: string;
  title: string | null;
  /** Null where the run did not keep it. */
  bytes: number | null;
  sha256: string;
  /** The person who attached it to this ticket; null: by the host's rule. */
  by: string | null;
}
/** `kept`: as it was read then; `same`: read again, and equal to that; `changed`: as it is now, not as it was then. */
export interface DocumentText {
  text: string;
  from: 'kept' | 'same' | 'changed';
  /** Its server told of a change, and it does say something else now. */
  outdated: boolean;
}

/** The tickets that were worked in one go. */
export interface QueueRun {
  id: string;
  model: string;
  started_at: string;
  /** Null while one of its tickets is being worked. */
  ended_at: string | null;
  /** Summed over its tickets. */
  ms: number;
  tickets: number;
  /** Tickets by how they ended. */
  states: Record<string, number>;
  /** Of the labelled ones. */
  first_tool: Count;
  /** Processor cores of the machine it was worked on; null where that was not kept. */
  cores: number | null;
}
/** One ticket of a queue run as it is listed. */
export interface RunTicket {
  /** ID of the ticket run. */
  run: string;
  ticket: string;
  /** The first words where there is no subject. */
  subject: string;
  state: TicketRun['state'] | 'running' | 'stale';
  why: string | null;
  /** What the label calls it; null without one. */
  kind: string | null;
  /** First tool: without prefix as the label means it, with prefix as it was called. */
  meant: string | null;
  chosen: string | null;
  ms: number | null;
  /** New tokens of each call. */
  tokens: number[];
  /** Sum over the text of its draft, so that two can be held against each other; null without one. */
  reply: string | null;
}
