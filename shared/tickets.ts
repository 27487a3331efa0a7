/** Tickets: what a customer wrote. The label is for scoring only and never reaches prompt, host rules or servers. */
import { z } from 'zod';

const labelSchema = z.object({
  kind: z.string(),
  first_tool: z.string(),
  order: z.string().nullish(),
  written: z.string().nullish(),
  refund: z
    .object({
      amount: z.string(),
      reason: z.string().nullish(),
      lines: z.array(z.string()).nullish(),
      due: z.boolean(),
    })
    .nullish(),
  injected: z.boolean().nullish(),
  plain_twin: z.string().nullish(),
});
export type Label = z.infer<typeof labelSchema>;

/** One record of a tickets file (JSON array or JSON Lines). `customer` is a customer ID or an email; times are ISO 8601. */
export const ticketInput = z.object({
  id: z.string().min(1).max(128),
  customer: z.string().max(320).nullish(),
  /** What the customer is called; never the customer's identity, and nothing the model reads. */
  customer_name: z.string().max(200).nullish(),
  subject: z.string().max(2_000).nullish(),
  body: z.string().min(1).max(200_000),
  received_at: z.iso.datetime({ offset: true }),
  channel: z.string().max(64).nullish(),
  label: labelSchema.nullish(),
});
export type TicketInput = z.infer<typeof ticketInput>;

export const ticketStates = ['open', 'ready', 'waiting', 'handed over', 'failed'] as const;
/** What the model's last run over a ticket came to. */
export type TicketState = (typeof ticketStates)[number];

export interface Ticket {
  id: string;
  customer: string | null;
  /** As the source says it; for people to read only. */
  customer_name: string | null;
  subject: string;
  body: string;
  /** ISO 8601, UTC. */
  received_at: string;
  channel: string | null;
  /** Mail that a machine sent (automatic answer, list, bounce): it never gets a draft. */
  machine: boolean;
  /** Where it came from: the profile's own tickets, a `--from` file or an import. */
  source: 'sample' | 'import';
  state: TicketState;
  /** Counts changes to the thread; a run is bound to it. */
  version: number;
}

/** A record of a file that did not come in. */
export interface Refused {
  /** Line of a JSON Lines file, position in an array; from 1. */
  line: number;
  id?: string;
  reason: string;
}
export interface Imported {
  added: number;
  unchanged: number;
  updated: number;
  refused: Refused[];
  /** The desk's IDs of every ticket of the file, in its order; of a dry run, those that would be. */
  ids: string[];
}
