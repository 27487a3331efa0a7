/** The playbook: what a company knows, as data (spec playbook). A closed vocabulary: no expressions, no code. */
import { z } from 'zod';

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+$/, 'a tool is written prefix.tool, e.g. shop.find_orders');
const pointer = z.string().regex(/^(\/.*)?$/, 'a JSON pointer is empty or begins with "/"');
const perLanguage = z.record(z.string().regex(/^[a-z]{2}$/), z.string());

/** A condition on this run's calls. All conditions of a list must hold. */
const condition = z.strictObject({
  call: toolName,
  /** `any`: called in this run. `none`: not called. `cannot`: no source for a required argument, or it only gave errors. */
  outcome: z.enum(['result', 'tool error', 'declined', 'failed', 'unknown', 'any', 'none', 'cannot']).default('result'),
  field: pointer.optional(),
  op: z.enum(['eq', 'gt', 'le', 'present', 'absent', 'before']).optional(),
  /** A literal, or `ref` to another call's field or `ticket.customer`. */
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  ref: z
    .union([
      z.literal('ticket.customer'),
      z.literal('ticket.received_at'),
      z.strictObject({ call: toolName, field: pointer }),
    ])
    .optional(),
  /** The call's result is bound to the ticket's customer (see `bind`). */
  bound: z.boolean().optional(),
  /** No call of this tool with more of its arguments known could be made now. */
  complete: z.boolean().optional(),
});
export type Condition = z.infer<typeof condition>;

const slot = z.strictObject({
  /** The last call of this tool with a result; its structured content holds the value. */
  call: toolName.optional(),
  /** The ticket's own fields. */
  ticket: z.enum(['id', 'customer', 'subject', 'written']).optional(),
  pointer: pointer.default(''),
  as: z.enum(['text', 'date', 'money', 'number', 'list', 'count', 'sentence']).default('text'),
  /** Within a list: the item whose `key` is that other value, of which `take` is shown. */
  find: z.strictObject({ key: z.string(), call: toolName, pointer: pointer, take: z.string() }).optional(),
  /** Words per value and language, e.g. a status as a customer reads it. */
  words: z.record(z.string(), perLanguage).optional(),
  /** For lists: the template of one item (slots are the item's own keys) and the most items shown. */
  each: perLanguage.optional(),
  item: z.record(z.string(), z.enum(['text', 'date', 'money', 'number'])).optional(),
  most: z.number().int().positive().max(50).optional(),
});
export type Slot = z.infer<typeof slot>;

const skeleton = z.strictObject({
  id: z.string(),
  kind: z.enum(['answer', 'ask the customer']),
  asks: z.array(z.string()),
  needs: z.array(condition).default([]),
  slots: z.record(z.string(), slot).default({}),
  text: perLanguage,
});
export type Skeleton = z.infer<typeof skeleton>;

const ask = z.strictObject({
  id: z.string(),
  /** What the model chooses; unique in its first word. */
  label: z.string(),
  says: z.string(),
  /** Multiplies this kind's probability before the choice: a calibration, set from the scores. */
  weight: z.number().positive().max(10).default(1),
  /** The same where the ticket has no source for what the kind's first tool needs. */
  weight_unsourced: z.number().positive().max(10).default(1),
  /** Tools this kind of ask makes legal, with what must have happened before. */
  tools: z.array(z.strictObject({ tool: toolName, requires: z.array(condition).default([]) })),
});

/** Two kinds of ask that differ in "what would it be" and "do it": the host tells them apart by the customer's own words. */
const twins = z.strictObject({
  question: z.string(),
  demand: z.string(),
  /** A sentence with one of these (`*` stands for up to four words) makes the demand … */
  phrases: z.record(z.string().regex(/^[a-z]{2}$/), z.array(z.string())),
  /** … unless it also has one of these words of a question. */
  asking: z.record(z.string().regex(/^[a-z]{2}$/), z.array(z.string())),
});
export type Twins = z.infer<typeof twins>;

const toolRules = z.strictObject({
  requires: z.array(condition).default([]),
  sensitive: z.array(pointer).default([]),
  refreshes: toolName.optional(),
  /** Argument pointers whose values may come only from these places. */
  sources: z.record(pointer, z.array(z.enum(['ticket.field', 'ticket.text', 'result']))).default({}),
  /** Fields of a result that enter the prompt. */
  keep: z.array(pointer).optional(),
  /** Optional arguments filled only by these ways; others stay out unless literally seen. */
  optional: z.record(pointer, z.enum(['choose', 'mention', 'seen', 'out'])).default({}),
  /** A part of a record, named by the customer: words in a clause that keep a part out, and words for the whole. */
  parts: z
    .record(
      pointer,
      z.strictObject({
        except: z.record(z.string(), z.array(z.string())),
        whole: z.record(z.string(), z.array(z.string())),
      }),
    )
    .default({}),
  /** The customer's words for each value of an enumeration, per language (`*` stands for up to four words). */
  means: z.record(pointer, z.record(z.string(), z.record(z.string(), z.array(z.string())))).default({}),
  /** What the name of an argument is called in tickets, e.g. /order_id → ["order"]. */
  nouns: z.record(pointer, z.array(z.string())).default({}),
  /** Where this tool may still be called once the named tool had a result. */
  after: z.array(toolName).optional(),
});

const claimRule = z.strictObject({
  id: z.string(),
  kind: z.enum(['promise', 'date', 'amount', 'stock', 'status']),
  words: z.record(z.string().regex(/^[a-z]{2}$/), z.array(z.string())),
  backed_by: z.array(condition),
});

export const playbookSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal('desk-playbook/1'),
  company: z.string(),
  language: z.string().regex(/^[a-z]{2}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  systems: z.array(z.string()),
  bind: z.array(z.strictObject({ tool: toolName, field: pointer, equals: z.literal('ticket.customer') })).default([]),
  instructions: z.array(z.string()).default([]),
  labels: z.record(toolName, z.strictObject({ label: z.string().optional(), says: z.string() })).default({}),
  asks: z.array(ask).default([]),
  twins: z.array(twins).default([]),
  worked: z.array(z.strictObject({ text: z.string(), ask: z.string() })).default([]),
  /** How many worked examples nearest to the ticket are repeated right before it. */
  nearest: z.number().int().min(0).max(8).default(0),
  tools: z.record(toolName, toolRules).default({}),
  skeletons: z.array(skeleton).default([]),
  greeting: perLanguage.default({}),
  sign_off: perLanguage.default({}),
  claims: z.array(claimRule).default([]),
  statuses: z.array(z.string()).default([]),
  /** Pointers of result fields that a customer never sees. */
  hidden: z.array(z.strictObject({ call: toolName, field: pointer })).default([]),
  handover: z
    .strictObject({
      /** Least margin between the first and the second choice, by model name; `*` for the rest. */
      margins: z.record(z.string(), z.number().min(0).max(1)).default({}),
      words: z.record(z.string().regex(/^[a-z]{2}$/), z.array(z.string())).default({}),
    })
    .default({ margins: {}, words: {} }),
});
export type Playbook = z.infer<typeof playbookSchema>;
