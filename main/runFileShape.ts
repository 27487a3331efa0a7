// The shape of a run file, checked when one is read: it may come from another machine or another hand.
import { z } from 'zod';
import type { Origins } from '../shared/calls.ts';
import { ticketInput } from '../shared/tickets.ts';
import type { AskedQuestion, Claim } from '../shared/runs.ts';
import type { Report } from '../shared/report.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256');
const meter = z.object({ evaluated: z.number(), reused: z.number(), generated: z.number() });
const segment = z.object({ trust: z.enum(['own', 'outside', 'model']), hash });
const record = z.record(z.string(), z.json());
/** Parts that are compared or shown whole; only their outline is checked. */
function outline<T>() {
  return z.custom<T>((value) => typeof value === 'object' && value !== null);
}

const tapeStep = z.object({
  op: z.enum(['rewind', 'read', 'choose', 'generate', 'mark', 'back']),
  segments: z.array(segment).exactOptional(),
  options: z.array(z.string()).exactOptional(),
  grammar: z.string().exactOptional(),
  most: z.number().exactOptional(),
  stop: z.array(z.string()).exactOptional(),
  probabilities: z.array(z.number()).exactOptional(),
  text: z.string().exactOptional(),
  at: z.number().exactOptional(),
  meter: meter.exactOptional(),
  failed: z.object({ code: z.string(), message: z.string() }).exactOptional(),
});
const call = z.object({
  n: z.number().int(),
  tool: z.string(),
  arguments: record,
  origins: outline<Origins>(),
  consent: z
    .object({ by: z.string(), answer: z.enum(['run', 'dont']), ms: z.number(), scripted: z.boolean() })
    .exactOptional(),
  questions: z.array(outline<AskedQuestion>()).exactOptional(),
  outcome: z.enum(['result', 'tool error', 'declined', 'unknown tool', 'failed', 'unknown', 'waiting']),
  content: z.string().exactOptional(),
  structured: z.json().exactOptional(),
  detail: z.string().exactOptional(),
  ms: z.number(),
  sums: z.record(z.string(), z.string()).exactOptional(),
});
const turn = z.object({
  options: z.array(z.string()),
  choice: z.string(),
  probability: z.number(),
  margin: z.number(),
  probabilities: z.array(z.number()),
  tokens: meter,
  ms: z.number(),
  ask: z.string().exactOptional(),
  call: call.exactOptional(),
  segments: z.array(z.object({ trust: z.string(), hash })),
});
const draft = z.object({
  text: z.string(),
  claims: z.array(outline<Claim>()),
  blocked: z.boolean(),
  skeleton: z.string().nullable(),
});
const workedTicket = z.object({
  ticket: z.string(),
  letter: z.object({
    customer: z.string().nullable(),
    subject: z.string(),
    body: hash,
    received_at: z.iso.datetime({ offset: true }),
    channel: z.string().nullable(),
    source: z.enum(['sample', 'import']),
    version: z.number(),
  }),
  label: ticketInput.shape.label.unwrap().unwrap().exactOptional(),
  state: z.enum(['ready', 'waiting', 'handed over', 'failed']),
  why: z.string(),
  ask: z.string().exactOptional(),
  withheld: z.array(z.string()).exactOptional(),
  /** What persons attached to it. */
  attached: z.array(z.object({ prefix: z.string(), uri: z.string(), text: hash })).exactOptional(),
  turns: z.array(turn),
  draft: draft.exactOptional(),
  ms: z.number(),
  tape: z.array(tapeStep),
});
export type WorkedTicket = z.infer<typeof workedTicket>;

export const runFileSchema = z.object({
  format: z.literal('desk-run/1'),
  id: z.string(),
  started_at: z.string(),
  ended_at: z.string(),
  model: z.object({ name: z.string(), sha256: z.string(), build: z.string() }),
  settings: z.object({
    context: z.number(),
    playbook: z.string(),
    prefix_tokens: z.number(),
    brief: z.boolean(),
    answers: z.string().nullable(),
    replay_mode: z.boolean(),
  }),
  /** SHA-256 of each definition's canonical text, by tool. */
  definitions: z.record(z.string(), hash),
  /** Offered tools in pinned order. */
  tools: z.array(
    z.object({
      name: z.string(),
      marks: z.record(z.string(), z.enum(['prose', 'reference'])),
      listed: z.boolean(),
    }),
  ),
  resources: z.record(z.string(), hash),
  /** What servers said of themselves, by prefix, where a model was let read it. */
  instructions: z.record(z.string(), hash).exactOptional(),
  attached: z.array(z.object({ prefix: z.string(), uri: z.string() })),
  playbook: hash,
  prefix: z.array(segment.extend({ of: z.string() })),
  tickets: z.array(workedTicket),
  report: outline<Report>(),
  /** Over `tickets`. */
  sums: z.record(z.string(), hash),
  /** Every text of the run, once, by its SHA-256. */
  texts: z.record(hash, z.string()),
});
export type RunFile = z.infer<typeof runFileSchema>;
