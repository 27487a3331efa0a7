/** Bringing tickets in from a file: what is asked before anything is stored, and what a file would come to. */
import { z } from 'zod';
import type { Imported, Refused } from './tickets.ts';

/** What kind of file it is: a table, the desk's own records, or a suite's export; those three as JSON or
 * JSON Lines; or mails (mbox, EML). */
export type ImportKind = 'csv' | 'own' | 'zendesk' | 'chatwoot' | 'mail';

/** What a column holds. `other` stays in the original record only. */
export const importFields = [
  'id',
  'customer',
  'customer_name',
  'subject',
  'body',
  'received_at',
  'channel',
  'priority',
  'other',
] as const;
export type ImportField = (typeof importFields)[number];

/** Answers to questions and what a person changes; what is left out is found in the file, or asked. */
export const importOptions = z.strictObject({
  /** By the WHATWG name, as `windows-1252`. */
  encoding: z.string().max(40).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  /** Whether the first row holds the names of the columns. */
  header: z.enum(['names', 'ticket']).optional(),
  /** Field by column name, for those that should not be as found. */
  columns: z.record(z.string().max(2_000), z.enum(importFields)).optional(),
  /** How dates like 03/04/2026 are meant. */
  dates: z.enum(['day first', 'month first']).optional(),
  /** IANA name of the time zone of times that name none, as `Europe/Berlin`. */
  zone: z.string().max(64).optional(),
});
export type ImportOptions = z.infer<typeof importOptions>;

/** Answered by the option of its name. `columns` has no choices: the table of columns is the answer. */
export interface ImportQuestion {
  name: keyof ImportOptions;
  text: string;
  choices: ImportChoice[];
}
interface ImportChoice {
  value: string;
  label: string;
  /** What it would make of this file. */
  example?: string;
}
export interface ImportColumn {
  name: string;
  field: ImportField;
  /** First values of it. */
  values: string[];
}
/** A ticket as it would come in. */
interface ImportSample {
  line: number;
  id: string;
  customer: string | null;
  customer_name: string | null;
  subject: string;
  body: string;
  received_at: string;
  channel: string | null;
  /** Messages of the thread, the first one included. */
  messages: number;
}
/** How far a file is; for the view that asked for it, by its `watch`. */
export interface ImportNews {
  watch: string;
  /** Tickets that are through, of how many. */
  done: number;
  of: number;
}
export interface ImportPreview {
  kind: ImportKind;
  /** By the WHATWG name; guessed ones are not `sure` and asked. */
  encoding: { name: string; sure: boolean };
  /** Null where the file is no table. */
  table: { delimiter: string; columns: ImportColumn[] } | null;
  /** Nothing comes in while one is open. */
  questions: ImportQuestion[];
  /** Records in the file. */
  records: number;
  samples: ImportSample[];
  refused: Refused[];
  /** What a person should know, a sentence each: a repeated ticket, what stays in the original record only. */
  notes: string[];
  /** What would happen; null while a question is open. */
  would: Pick<Imported, 'added' | 'unchanged' | 'updated'> | null;
}
