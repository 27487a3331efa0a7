/** Recording that a customer sends a product back: a person says why, and whether it can be sold again. */
import { z } from 'zod';
import { createQuestion, newAction, type Asking, type Said, type Settled } from '../sealedQuestions.ts';
import { answer, orderId, productSku } from '../shop/tool.ts';
import { offerTool, type OfferedTool } from '../toolServer.ts';

export const RETURNS_TABLES =
  'CREATE TABLE IF NOT EXISTS returns (number INTEGER PRIMARY KEY AUTOINCREMENT, order_id TEXT NOT NULL, sku TEXT NOT NULL, reason TEXT NOT NULL, restock INTEGER NOT NULL, note TEXT, recorded_at TEXT NOT NULL, UNIQUE (order_id, sku)) STRICT';

const reasons = ['damaged in transit', 'wrong item sent', 'missing part', 'arrived late', 'changed mind'] as const;
const NOTE_LENGTH = 200;

const input = z.object({
  order_id: orderId.describe('The order, like O-9305.'),
  sku: productSku.describe('The product that comes back, like KG-4410.'),
});
type Args = z.output<typeof input>;

const content = z.object({
  reason: z.enum(reasons, `must be one of ${reasons.join(', ')}`),
  restock: z.boolean('must be true or false'),
  // Counted in characters, as JSON Schema counts.
  note: z
    .string('must be text')
    .refine((text) => Array.from(text).length <= NOTE_LENGTH, `must be at most ${NOTE_LENGTH} characters`)
    .optional(),
});
type Content = z.output<typeof content>;

interface Row {
  number: number;
  reason: string;
  restock: number;
  note: string | null;
  recorded_at: string;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function form({ order_id, sku }: Args) {
  return {
    message: `Return of ${sku} from order ${order_id}: why does it come back, and can it be sold again?`,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        reason: {
          type: 'string' as const,
          title: 'Reason',
          description: 'What the customer says.',
          oneOf: reasons.map((reason) => ({ const: reason, title: capital(reason) })),
        },
        restock: {
          type: 'boolean' as const,
          title: 'Restock',
          description: 'Yes: it goes back on the shelf. No: it is written off.',
        },
        note: {
          type: 'string' as const,
          title: 'Note for the warehouse',
          description: `At most ${NOTE_LENGTH} characters; may be left out.`,
          maxLength: NOTE_LENGTH,
        },
      },
      required: ['reason', 'restock'],
    },
  };
}

function recorded({ order_id, sku }: Args, row: Row, ...notes: string[]) {
  const return_id = `RT-${String(row.number).padStart(4, '0')}`;
  const { reason, note, recorded_at } = row;
  const given = { reason, restock: row.restock === 1, note, recorded_at };
  return answer({ order_id, sku, status: 'recorded', return_id, ...given }, ...notes);
}

function unrecorded({ order_id, sku }: Args, status: 'declined' | 'open', text: string) {
  const none = { return_id: null, reason: null, restock: null, note: null, recorded_at: null };
  return answer({ order_id, sku, status, ...none }, text);
}

function createReturns({ db, now }: Asking) {
  const find = db.prepare<[string, string], Row>('SELECT * FROM returns WHERE order_id = ? AND sku = ?');
  const add = db.prepare<[string, string, string, number, string | null, string], Row>(
    'INSERT INTO returns (order_id, sku, reason, restock, note, recorded_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING *',
  );
  return {
    find: ({ order_id, sku }: Args) => find.get(order_id, sku),
    add: ({ order_id, sku }: Args, { reason, restock, note }: Content): Row => {
      const row = add.get(order_id, sku, reason, restock ? 1 : 0, note || null, now().toISOString());
      if (!row) throw new Error(`the return of ${sku} from ${order_id} was not kept`);
      return row;
    },
  };
}

const output = z.object({
  order_id: z.string(),
  sku: z.string(),
  status: z
    .enum(['recorded', 'declined', 'open'])
    .describe('"declined": not recorded, do not ask again. "open": not recorded yet, may be asked later.'),
  return_id: z.string().nullable(),
  reason: z.enum(reasons).nullable(),
  restock: z.boolean().nullable(),
  note: z.string().nullable(),
  recorded_at: z.string().nullable(),
});

export function recordReturn(asking: Asking): OfferedTool {
  const returns = createReturns(asking);

  function settle(args: Args, said: Said<Content>): Settled {
    const what = `The return of ${args.sku} from order ${args.order_id}`;
    if (said.action === 'decline') {
      return { closed: unrecorded(args, 'declined', `${what} was declined and is not recorded. Do not ask again.`) };
    }
    if (said.action === 'cancel') {
      return { open: unrecorded(args, 'open', `${what} is not recorded yet: nobody decided. Ask again later.`) };
    }
    const before = returns.find(args);
    if (before) return { closed: recorded(args, before, `${what} was recorded before; this answer was not used.`) };
    return { closed: recorded(args, returns.add(args, said.content)) };
  }
  const question = createQuestion(asking, { tool: 'record_return', key: 'return', content, form, settle });

  return offerTool({
    name: 'record_return',
    title: 'Record a return',
    description:
      'Records that a customer sends one product of an order back, so that the warehouse expects it. Use it when the customer wants to return a product; when they want to know what they would get back use quote_refund instead, and for paying it back issue_refund. A person is asked for the reason before anything is recorded. Calling it again for the same product of the same order gives the same return.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (args, { round }) => {
      const state = question.read(args, round.state);
      if (state) return question.take(args, state, round);
      const before = returns.find(args);
      if (before) return recorded(args, before, `Recorded before as of ${before.recorded_at}; nobody was asked again.`);
      return question.ask(args, newAction(), 1);
    },
  });
}
