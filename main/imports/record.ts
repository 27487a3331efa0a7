// A record of a file as a ticket that could come in, whatever suite wrote it.
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Priority } from '../../shared/queue.ts';

/** What came or went after the first message. */
export interface ReadMessage {
  /** At its source, unique within the ticket. */
  id: string;
  kind: 'customer' | 'reply' | 'note';
  body: string;
  /** ISO 8601 UTC. */
  at: string;
  /** A machine wrote it: it opens nothing again. */
  machine?: boolean;
}
export interface ReadTicket {
  /** Of this ticket at its source, with the source where two of them may use the same: what makes an import idempotent. */
  source_id: string;
  /** The desk's, where it is free. */
  id: string;
  customer: string | null;
  customer_name: string | null;
  /** Mail of a machine: it never gets a draft. */
  machine: boolean;
  subject: string;
  body: string;
  received_at: string;
  channel: string | null;
  messages: ReadMessage[];
  /** Closed at its source. */
  done: boolean;
  priority: Priority;
  /** When its source last changed it; null where it does not say. */
  updated_at: string | null;
}
export type Read = { ok: true; ticket: ReadTicket } | { ok: false; id?: string; why: string };

/** A record as it stands in the file. */
export interface Found {
  /** Line of a table or of JSON Lines, position in an array; from 1. */
  line: number;
  value: Json;
  /** Why it cannot come in, whatever it says. */
  why?: string;
}
/** People of a suite's export, by their ID there. */
export type Users = Map<string, JsonObject>;

/** Text as it can be stored and shown: half of a letter becomes U+FFFD, line ends are one kind. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n');
}
/** An identifier of a suite: a number or a text, as text. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : null;
}
export function textIn(value: unknown): string {
  return typeof value === 'string' ? storable(value) : '';
}
/** A name on one line, as long as the desk keeps; null where there is none. */
export function nameIn(value: unknown): string | null {
  return textIn(value).replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed() || null;
}
export const longestBody = 200_000;
