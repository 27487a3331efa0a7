/** Calls: every tool call of a run, with consent, origins and outcome (spec host §13). */
import type { Json, JsonObject } from './json.ts';

/** Where one argument value came from. `call` is the number of the earlier call in the same run. */
export interface Origin {
  from: 'ticket.field' | 'ticket.text' | 'result' | 'person' | 'model' | 'example' | 'default' | 'view';
  call?: number;
  /** JSON pointer into the result, or the ticket's field name. */
  field?: string;
  start?: number;
  end?: number;
  /** How the written form became the value ("o2415" → "O-2415"), where it changed. */
  written?: string;
  /** The trust of the value: transitive over results; `untrusted` where any text from outside decided it. */
  trust: 'trusted' | 'bound' | 'untrusted';
}
/** Keyed by JSON pointer into the arguments. */
export type Origins = Record<string, Origin>;

export const callStates = [
  'proposed',
  'asking',
  'consented',
  'sending',
  'asked',
  'answered',
  'result',
  'tool error',
  'declined',
  'failed',
  'unknown',
] as const;
export type CallState = (typeof callStates)[number];
export type Outcome = 'result' | 'tool error' | 'declined' | 'unknown tool' | 'failed' | 'unknown' | 'waiting';

export interface Consent {
  /** Person ID; `host` where the host's own no-side-effects list spared the question. */
  by: string;
  answer: 'run' | 'dont';
  /** Time from asking to answer. */
  ms: number;
  scripted: boolean;
}

/** What a call moves, as far as the records behind it say. */
export interface Money {
  /** With the record's own digits; null where no record says. */
  amount: string | null;
  /** As the record writes it, or a code the tool's definition names; null where neither does. */
  currency: string | null;
  /** The record it stands in: number of the call; null: in the arguments. */
  call: number | null;
}

/** How far a call is, as its server last said. */
export interface CallProgress {
  /** Null where it says so in words only. */
  done: number | null;
  total: number | null;
  message: string | null;
}
/** A call that runs at its server as a task: a restart of the desk does not end it. Its handle is nobody's to see. */
export interface CallTask {
  since: string;
  /** How often the desk asks how it stands. */
  every_ms: number;
  /** Who had the server asked to stop it. */
  stop_by: string | null;
}

type Method = 'tools/call' | 'resources/read' | 'prompts/get';
export interface Call {
  id: string;
  /** What is asked of the server; a resource or prompt has its URI or name where a tool has its own. */
  method: Method;
  /** Empty where no run made it. */
  run: string;
  ticket: string;
  /** Number within the run, from 1. */
  n: number;
  prefix: string;
  /** Name for the model: `{prefix}.{tool}`. */
  tool: string;
  arguments: JsonObject;
  origins: Origins;
  /** SHA-256 over server configuration, pinned definition, canonical arguments and call id: what a consent is bound to. */
  hash: string;
  configuration: string;
  definition: string;
  listed: boolean;
  state: CallState;
  round: number;
  consent: Consent | null;
  /** Null where it moves no money (`main/money.ts` has the rule). */
  money: Money | null;
  /** Why the person is asked although the tool is on the list, or null. */
  asks: string | null;
  text: string | null;
  structured: Json | null;
  /** What the person is told of a failure; never shown to the model. */
  detail: string | null;
  ms: number | null;
  created_at: string;
  settled_at: string | null;
  /** Absent where its server said nothing of it. */
  progress?: CallProgress;
  /** Present while it runs as a task. */
  task?: CallTask;
}

/** One message of a call as it stood on the wire; states and answers to questions are blotted out. */
export interface WireMessage {
  round: number;
  direction: 'in' | 'out';
  text: string;
  at: string;
}

/** How people answer consents: `quick` are yeses in under a second, `always` tools nobody ever declined. */
export interface ConsentReport {
  answered: number;
  declined: number;
  quick: { call: string; tool: string; by: string; ms: number }[];
  always: { tool: string; times: number }[];
}
