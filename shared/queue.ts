/** The queue on screen: rows, views, threads and replies of tickets, as views see them. Times are ISO 8601 UTC. */
import { z } from 'zod';
import type { Attachment } from './attaching.ts';
import type { Role } from './people.ts';
import type { AttachedDocument, Claim, Turn } from './runs.ts';
import { ticketStates, type Ticket, type TicketState } from './tickets.ts';

/**
 * `waiting`: a call or question of it waits for staff; `lead`: for a lead or admin; `unbacked`: its draft says what no record
 * backs. These and the two before them hold open tickets only; `all` holds everything.
 */
export const ticketViews = ['mine', 'unassigned', 'waiting', 'lead', 'unbacked', 'snoozed', 'done', 'all'] as const;
export type TicketView = (typeof ticketViews)[number];
export const ticketStatuses = ['open', 'snoozed', 'done'] as const;
type TicketStatus = (typeof ticketStatuses)[number];
export const draftStates = ['none', 'working', 'ready', 'asks you', 'blocked'] as const;
export type DraftState = (typeof draftStates)[number];
/** From the least to the most urgent. */
export const priorities = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

/** All that a list shows of a ticket. */
export interface TicketRow {
  id: string;
  customer: string | null;
  customer_name: string | null;
  subject: string;
  /** First words of what the customer wrote last, on one line. */
  words: string;
  received_at: string;
  /** When the customer last wrote: ages and order go by it. */
  since: string;
  status: TicketStatus;
  snoozed_until: string | null;
  /** Mail of a machine: it never gets a draft. */
  machine: boolean;
  /** What the model's last run came to. */
  state: TicketState;
  /**
   * Of the draft for the thread as it is now; one for an older thread does not count. `asks you`: a call or question waits
   * for a person. `blocked`: a person must check it first, as nothing backs a claim or its language has no rules.
   */
  draft: DraftState;
  /** Who must act where it asks. */
  waits: Role | null;
  /** Claims of the draft that nothing backs. */
  unbacked: number;
  /** Person ID. */
  owner: string | null;
  priority: Priority;
  /** Counts changes of the thread (customer, note, sent reply): what notes, replies and drafts are bound to. */
  version: number;
  /** Counts every change of the row by a person, and of the thread: what claim, release, priority, snooze and done are bound to. */
  edition: number;
}

export const ticketFilter = z.strictObject({
  /** Two letters at least; newest first, whatever the view's order is. */
  text: z.string().max(200).optional(),
  /** A customer ID, address or name as it stands in the ticket. */
  customer: z.string().max(320).optional(),
  priorities: z.array(z.enum(priorities)).min(1).optional(),
  drafts: z.array(z.enum(draftStates)).min(1).optional(),
  states: z.array(z.enum(ticketStates)).min(1).optional(),
});
export type TicketFilter = z.infer<typeof ticketFilter>;

/** `after` of the next page, null at the end. Open views: most urgent first, then newest; the others: newest first. */
export interface TicketPage {
  rows: TicketRow[];
  after: string | null;
}
/** Where the words stand: the subject, what the customer wrote first, or a later message. */
interface TicketHit {
  row: TicketRow;
  /** A stretch around the first word found, one line. */
  excerpt: string;
}
export interface TicketHits {
  hits: TicketHit[];
  after: string | null;
}
export interface TicketCounts extends Record<Exclude<TicketView, 'mine'>, number> {
  /** By person ID; who has none is not in it. */
  mine: Record<string, number>;
}

/** One of a thread, oldest first. The first is always the customer's, with ID `first`. */
export interface ThreadMessage {
  id: string;
  kind: 'customer' | 'reply' | 'note';
  body: string;
  /** Person ID; null for the customer. */
  by: string | null;
  at: string;
  /** A reply: how it differs from the model's draft; null where none was there. */
  difference: ReplyDifference | null;
}

/** How what a person sent differs from what the model wrote, in words. */
export interface ReplyDifference {
  /** `light`: under a tenth of the words; `heavy`: up to a half. */
  kind: 'unedited' | 'light' | 'heavy' | 'rewritten';
  /** Share of words removed or added, 0 to 1. */
  share: number;
  /** In order; joined without `added` they are the draft, without `removed` what was sent. */
  parts: { kind: 'kept' | 'removed' | 'added'; text: string }[];
}

/** Null where nothing was measured yet. */
export interface Quantiles {
  median: number | null;
  p90: number | null;
  n: number;
}
export type DraftUses = Record<ReplyDifference['kind'] | 'discarded' | 'stale', number>;
/** What became of the model's drafts; each of them counts once. */
export interface DraftUse {
  drafts: number;
  /** Still to be sent or not. */
  waiting: number;
  uses: DraftUses;
  /** What each use means, in words that go beside the figure. */
  definitions: Record<keyof DraftUses, string>;
  /** Share of words removed or added in those that were sent, 0 to 1. */
  share: Quantiles;
  /** From the draft to the press of Send, in seconds; of those sent. */
  seconds: Quantiles;
  /** The same of those sent unedited: the longest they can have been read. */
  read: Quantiles;
  /** Claims nothing backs in 100 drafts, as the model wrote them. */
  unbacked_per_100: number | null;
}

/** What would be sent for a ticket now: the model's draft, or what a person made of it. */
export interface ReplyDraft {
  ticket: string;
  /** The thread's version it is bound to. */
  version: number;
  /** Counts edits: what edit, send and override are bound to. */
  edition: number;
  /** `retired`: the thread changed; its text can be read but not sent. `sending`: until `undo_until` it can be taken back. */
  state: 'open' | 'sending' | 'retired';
  /** A person wrote it, changed it, let it out or sent it: it stands until they discard it, whatever the model drafts. */
  kept: boolean;
  text: string;
  claims: Claim[];
  /** A claim of the model is unbacked: only a lead may send it, with a reason. */
  blocked: boolean;
  /** Person and time of the last edit; null: as the model wrote it. */
  edited: { by: string; at: string } | null;
  override: { by: string; why: string; at: string } | null;
  undo_until: string | null;
  /** Who sends or sent it. */
  by: string | null;
  /** The model's that it began with; null for a reply written by hand. */
  model: { run: string; version: number; text: string; claims: Claim[]; blocked: boolean; at: string } | null;
}

/** A reply on its way: for which version of the thread, and until when it can be taken back. */
export interface LeavingReply {
  ticket: string;
  /** As people call them. */
  customer: string | null;
  version: number;
  undo_until: string;
}

/** One run of the model over a ticket. */
export interface RunOfTicket {
  id: string;
  state: 'running' | 'ready' | 'waiting' | 'handed over' | 'failed' | 'stale';
  why: string | null;
  ask: string | null;
  model: string;
  version: number;
  turns: Turn[];
  /** What stood before the model by the host's rule; their texts come by `runs.document`. */
  attached: AttachedDocument[];
  started_at: string;
  ms: number | null;
}

/** A field of a record the ticket's own calls returned. */
export interface CustomerFact {
  /** Number of the call in the newest run, and its tool. */
  call: number;
  tool: string;
  /** JSON pointer into the result. */
  field: string;
  value: string;
}

/** An order or a refund that results of calls name. */
export interface CustomerRecord {
  kind: 'order' | 'refund';
  id: string;
  /** The order a refund is for. */
  of: string | null;
  /** As the record has it. */
  status: string | null;
  /** When it came to that, as the record writes it. */
  on: string | null;
  /** Total of an order, amount of a refund, with the record's own digits. */
  amount: string | null;
  currency: string | null;
  /** Number of the call that says so, and the ticket it was made for. */
  call: number;
  ticket: string;
}

/** A ticket opened: everything the reader shows. Calls with their states come by `calls.list` of the ticket. */
export interface OpenTicket extends Ticket {
  row: TicketRow;
  thread: ThreadMessage[];
  draft: ReplyDraft | null;
  /** The newest run of the model, whatever version of the thread it was for. */
  run: RunOfTicket | null;
  /** What persons attached to it, for its next draft. */
  attached: Attachment[];
  facts: CustomerFact[];
  /** Orders of this ticket's calls; refunds also of the customer's other tickets. */
  records: CustomerRecord[];
  /** Other tickets of the same customer, newest first, at most 20, and how many there are. */
  earlier: { rows: TicketRow[]; count: number };
}

/** What came of one ticket of a bulk change; `why` where it was refused. */
export interface BulkDone {
  changed: TicketRow[];
  refused: { id: string; code: string; why: string }[];
}

/** Data of the Failure `tickets.changed`: who was first, and the row as it is now. */
export interface ChangedBy {
  /** Person ID; null for the customer or an import. */
  by: string | null;
  row: TicketRow;
}
