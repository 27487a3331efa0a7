// The desk's own records (spec cli, "Files"), and what its export adds to them: later messages, status, priority.
import { z } from 'zod';
import { priorities } from '../../shared/queue.ts';
import { readRecord, utc } from '../ticketRecord.ts';
import { idOf, longestBody, nameIn, storable, type Read } from './record.ts';

const more = z.object({
  /** As the export names it: at the source, where it came from one. */
  source_id: z.string().min(1).max(256).nullish(),
  status: z.string().max(64).nullish(),
  machine: z.boolean().nullish(),
  priority: z.enum(priorities).nullish().catch(null),
  messages: z
    .array(
      z.object({
        id: z.unknown(),
        kind: z.enum(['customer', 'reply', 'note']),
        body: z.string().max(longestBody),
        at: z.unknown().transform((value) => utc(value)),
      }),
    )
    .nullish(),
});

export function readOwn(value: unknown): Read {
  const read = readRecord(value);
  if (!read.ok) return read;
  const { id, customer, customer_name, subject, body, received_at, channel } = read.input;
  const rest = more.safeParse(value);
  if (!rest.success) {
    const [issue] = rest.error.issues;
    return { ok: false, id, why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
  }
  const { source_id, status, priority, messages } = rest.data;
  const late = (messages ?? []).map((message, index) => ({ ...message, id: idOf(message.id) ?? String(index + 1) }));
  const timeless = late.find(({ at }) => at === undefined);
  if (timeless !== undefined) return { ok: false, id, why: `message ${timeless.id} has no time this desk can read` };
  return {
    ok: true,
    ticket: {
      source_id: source_id ?? id,
      id,
      customer: customer ?? null,
      customer_name: nameIn(customer_name),
      machine: rest.data.machine ?? false,
      subject: subject ?? '',
      body,
      received_at,
      channel: channel ?? null,
      messages: late.map(({ id: of, kind, body: text, at }) => ({
        id: of,
        kind,
        body: storable(text),
        at: at ?? received_at,
      })),
      done: status === 'done',
      priority: priority ?? 'normal',
      updated_at: null,
    },
  };
}
