/** One record of a tickets file: doubtful spellings that have one meaning are read, everything else is refused in words. */
import { z } from 'zod';
import { ticketInput, type TicketInput } from '../shared/tickets.ts';

type Read = { ok: true; input: TicketInput } | { ok: false; id?: string; why: string };

/** Seconds stay below this until the year 5138; milliseconds passed it in 1973. */
const firstMilliseconds = 100_000_000_000;

/** Checks a record; texts lose half surrogate pairs (U+FFFD), times become UTC with milliseconds. */
export function readRecord(value: unknown): Read {
  const shape = z.looseObject({}).safeParse(value);
  if (!shape.success) return { ok: false, why: 'it is no JSON object' };
  const { id, customer, customer_name, received_at, subject, body } = shape.data;
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    return { ok: false, why: 'the id is a number too long to be exact: write it as text' };
  const named = typeof id === 'number' ? String(id) : id;
  const parsed = ticketInput.safeParse({
    ...shape.data,
    id: named,
    customer: typeof customer === 'string' ? address(customer) : customer,
    customer_name: wellFormed(customer_name) ?? (typeof customer === 'string' ? nameBefore(customer) : undefined),
    received_at: utc(received_at),
    subject: wellFormed(subject),
    body: wellFormed(body),
  });
  if (parsed.success) return { ok: true, input: parsed.data };
  const why = parsed.error.issues.map(words).join('; ');
  return typeof named === 'string' && named !== '' ? { ok: false, id: named.slice(0, 128), why } : { ok: false, why };
}

function words(issue: z.core.$ZodIssue): string {
  const place = issue.path.join('.');
  return place === 'received_at'
    ? 'received_at is no time this desk can read: write it like 2026-11-03T13:05:00Z'
    : `${place}: ${issue.message}`;
}
function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
/** The name out of `Name <address>`. */
function nameBefore(customer: string): string | undefined {
  const name = /^\s*"?([^"<>]{1,200}?)"?\s*<[^<>\s]+@[^<>\s]+>\s*$/.exec(customer)?.[1]?.trim();
  return name === '' ? undefined : name?.toWellFormed();
}
/** The address out of `Name <address>`. */
function address(customer: string): string {
  return /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(customer)?.[1] ?? customer.trim();
}

/** ISO 8601 with a zone, or the seconds or milliseconds since 1970; undefined for anything else. */
export function utc(value: unknown): string | undefined {
  const counted = typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : value;
  if (typeof counted === 'number')
    return counted < 0 ? undefined : instant(counted < firstMilliseconds ? counted * 1000 : counted);
  const written = z.iso.datetime({ offset: true }).safeParse(counted);
  return written.success ? instant(Date.parse(written.data)) : undefined;
}
function instant(milliseconds: number): string | undefined {
  const time = new Date(milliseconds);
  return milliseconds >= 0 && !Number.isNaN(time.getTime()) && time.getUTCFullYear() <= 9999
    ? time.toISOString()
    : undefined;
}

/** A record's text without its label, and the label's: only the score may meet the second. */
export function labelOf(value: unknown): { record: string; label: string | null } {
  // Entries, because a rest pattern over a parsed copy would lose a key named `__proto__`.
  const members: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const record = Object.fromEntries(members.filter(([key]) => key !== 'label'));
  const label = members.find(([key]) => key === 'label')?.[1];
  return { record: JSON.stringify(record), label: label == null ? null : JSON.stringify(label) };
}
