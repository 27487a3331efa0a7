/** The tables as the query layer sees them. JSON columns are text here and are parsed where a row becomes an entity. */
import type { Generated, Kysely } from 'kysely';

/** SQLite has no boolean: 0 or 1. */
type Flag = number;

interface TicketRow {
  id: string;
  source: string;
  source_id: string;
  customer: string | null;
  customer_name: Generated<string | null>;
  /** Mail of a machine. */
  machine: Generated<Flag>;
  subject: string;
  body: string;
  received_at: string;
  channel: string | null;
  state: string;
  version: number;
  /** The record as it came, without its label. */
  record: string;
  imported_at: string;
}
interface RunRow {
  id: string;
  /** The queue run this ticket run belongs to. */
  batch: string | null;
  ticket: string;
  ticket_version: number;
  state: string;
  why: string | null;
  ask: string | null;
  model: string;
  playbook: string | null;
  settings: string;
  turns: string;
  started_at: string;
  ended_at: string | null;
  ms: number | null;
  /** What a waiting run needs to go on. */
  kept: string | null;
  /** What the model was asked and answered, for replay. */
  tape: string | null;
}
interface DraftRow {
  run: string;
  ticket: string;
  ticket_version: number;
  text: string;
  claims: string;
  blocked: Flag;
  skeleton: string | null;
  at: string;
}
export interface CallRow {
  order: Generated<number>;
  id: string;
  run: string;
  ticket: string;
  n: number;
  prefix: string;
  tool: string;
  arguments: string;
  origins: string;
  hash: string;
  configuration: string;
  definition: string;
  listed: Flag;
  state: string;
  round: number;
  asks: string | null;
  text: string | null;
  structured: string | null;
  detail: string | null;
  ms: number | null;
  created_at: string;
  settled_at: string | null;
  /** `tools/call`, `resources/read` or `prompts/get`. */
  method: Generated<string>;
  /** JSON: the money it moves. */
  money: Generated<string | null>;
}
interface ConsentRow {
  call: string;
  by: string;
  answer: string;
  ms: number;
  scripted: Flag;
  hash: string;
  at: string;
  spent_at: string | null;
}
export interface EventRow {
  seq: number;
  call: string;
  from_state: string | null;
  to_state: string;
  /** Null once erased; its hash stays. */
  payload: string | null;
  payload_hash: string;
  previous_hash: string;
  hash: string;
  at: string;
  by: string;
}
/** A call that goes on at its server. */
interface TaskRow {
  call: string;
  /** JSON-encoded like a request state, and as secret. */
  handle: string;
  began_at: string;
  /** The desk waits no longer than this. */
  ends_at: string;
  every_ms: number;
  stop_by: string | null;
}
export interface QuestionRow {
  id: string;
  call: string;
  round: number;
  key: string;
  request: string;
  role: string;
  /** Pushed by an older server: lives only as long as its connection. */
  pushed: Flag;
  state: string;
  answer: string | null;
  by: string | null;
  scripted: Flag;
  asked_at: string;
  answered_at: string | null;
}
export interface PinRow {
  seq: Generated<number>;
  prefix: string;
  tool: string;
  configuration: string;
  hash: string;
  raw: string;
  marks: string;
  no_side_effects: Flag;
  decision: string;
  by: string;
  why: string | null;
  at: string;
}
export interface SeenRow {
  prefix: string;
  tool: string;
  configuration: string;
  hash: string | null;
  raw: string;
  problem: string | null;
  at: string;
  removed_at: string | null;
  /** Set when it came back after a removal and nobody decided since. */
  returned_at: string | null;
}

interface MessageRow {
  order: Generated<number>;
  id: string;
  ticket: string;
  kind: string;
  body: string;
  by: string | null;
  at: string;
  difference: string | null;
}
/** What a person makes of a draft, and what becomes of it. */
export interface OutboxRow {
  id: string;
  ticket: string;
  ticket_version: number;
  /** The model's draft it began with. */
  run: string | null;
  state: string;
  text: string;
  claims: string;
  blocked: Flag;
  edited_by: string | null;
  edited_at: string | null;
  override_by: string | null;
  override_why: string | null;
  override_at: string | null;
  by: string | null;
  /** The ticket is done once it is sent. */
  done: Flag;
  undo_until: string | null;
  sent_at: string | null;
  /** Without handles. */
  sent_text: string | null;
  difference: string | null;
}
/** One small row a ticket; triggers keep it in step with whatever it is made of. */
export interface QueueRow {
  ticket: string;
  customer: string | null;
  customer_name: Generated<string | null>;
  machine: Generated<Flag>;
  subject: string;
  words: string;
  received_at: string;
  since: string;
  state: string;
  version: number;
  status: Generated<string>;
  snoozed_until: Generated<string | null>;
  draft: Generated<string>;
  waits: Generated<string | null>;
  unbacked: Generated<number>;
  owner: Generated<string | null>;
  /** Place in the list of priorities. */
  priority: Generated<number>;
  edition: Generated<number>;
  draft_edition: Generated<number>;
  changed_by: Generated<string | null>;
}

export interface Tables {
  tickets: TicketRow;
  messages: MessageRow;
  /** Mails that came in, by Message-ID, as they came. */
  mails: { id: string; ticket: string; original: Uint8Array; at: string };
  outbox: OutboxRow;
  queue: QueueRow;
  search_rows: { id: number; ticket: string; message: string | null; status: string; owner: string | null };
  /** Full-text index, by the ID of its row in `search_rows`. */
  search: { rowid: number; search: string };
  labels: { ticket: string; label: string };
  runs: RunRow;
  texts: { hash: string; text: string };
  drafts: DraftRow;
  calls: CallRow;
  tasks: TaskRow;
  progress: { call: string; done: number | null; total: number | null; message: string | null; at: string };
  call_secrets: { call: string; round: number; request_state: string | null };
  call_events: EventRow;
  chain_head: { one: number; seq: number; hash: string };
  consents: ConsentRow;
  questions: QuestionRow;
  wire: { seq: Generated<number>; call: string; round: number; direction: string; text: string; at: string };
  pins: PinRow;
  pin_seen: SeenRow;
  eras: { key: string; value: string; at: string };
  acts: { seq: Generated<number>; at: string; by: string; route: string; about: string; outcome: string };
  people: { id: string; name: string; role: string; secret: string | null; at: string };
  settings: { key: string; value: string; at: string };
}

/** First parameter of every store function: the database, or the transaction that is open. */
export type Executor = Kysely<Tables>;
