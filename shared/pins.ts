/** Pins: approved definitions (spec host §§6–8). */
import type { JsonObject } from './json.ts';

/** One tool as it came over the wire, before any SDK parsed it; `problem` parks it alone. */
export interface Definition {
  name: string;
  raw: JsonObject;
  /** SHA-256 (hex) over RFC 8785 canonical JSON of the raw object; null where that cannot be made. */
  hash: string | null;
  problem: string | null;
}

export type Mark = 'prose' | 'reference';

export interface Pin {
  prefix: string;
  tool: string;
  /** SHA-256 of the server configuration this pin belongs to. */
  configuration: string;
  hash: string;
  raw: JsonObject;
  /** How each free string parameter may be filled, by JSON pointer into the arguments. */
  marks: Record<string, Mark>;
  no_side_effects: boolean;
  decision: 'approved' | 'refused';
  by: string;
  why: string | null;
  at: string;
}

/** A decision as somebody saw it: another on top of it is taken only where it is still the newest. */
export type SeenDecision = Pick<Pin, 'decision' | 'by' | 'at'>;
export function seenDecision({ decision, by, at }: Pin): SeenDecision {
  return { decision, by, at };
}

/** A decision of the past, beside the one before it. */
export interface Decided extends Pin {
  /** Fields that had changed since the decision before (as in `FieldDifference`); empty where none had, or it was the first. */
  changed: string[];
}

export interface WordPiece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}
export interface SchemaChange {
  /** JSON pointer into the value the schema describes; `*` for any item of a list. */
  at: string;
  text: string;
  /** Who may break by it: callers by a change of what a tool takes, readers by a change of what it gives. */
  breaking: 'callers' | 'readers' | null;
}
export interface FieldDifference {
  /** Member of the definition, dotted: `description`, `annotations.readOnlyHint`; or `configuration`, `presence`. */
  field: string;
  /** As text with invisible characters drawn; null where the field was absent. */
  before: string | null;
  after: string | null;
  /** For text: the words, in order. */
  words?: WordPiece[];
  /** For schemas: each change as a sentence. */
  schema?: SchemaChange[];
}
export interface FreeText {
  /** JSON pointer into the arguments; a list's own pointer stands for its items. */
  pointer: string;
  /** How it will be filled unless the admin says otherwise: `reference` if in doubt. */
  guess: Mark;
  /** One the tool does not need is the suspicious kind. */
  required: boolean;
}
/** Instructions of a server are one definition; its name among them. */
export const instructionsName = 'text';
/** Characters the model reads of one description, or of one server's instructions: 120 tokens of English. */
export const saidCharacters = 480;
/** What a server offers now, beside what was decided on it. */
export interface Reviewed {
  definition: Definition;
  /** Since when it is as it is: came, changed, went away or came back. */
  since: string;
  status: 'approved' | 'new' | 'changed' | 'refused' | 'parked' | 'removed';
  /** The newest decision; its definition stays the one on display until the next. */
  pin?: Pin;
  /** From the decided definition to this one; only where they differ. */
  difference?: FieldDifference[];
  /** Parameters that take any text, to be pointed out. */
  freeText: FreeText[];
}

/**
 * Whether an admin is asked to decide on it, by the name it is pinned under. Instructions are asked for by no draft: those the
 * model never read wait without asking.
 */
export function asksAdmin(name: string, { status, pin }: Pick<Reviewed, 'status' | 'pin'>): boolean {
  if (status !== 'new' && status !== 'changed') return false;
  return !name.endsWith('/instructions') || pin?.decision === 'approved';
}

/** The playbook's file says something else than what is in force, and how that stands; `approved`: from the next start. */
export interface PlaybookWaiting {
  hash: string;
  status: 'changed' | 'refused' | 'approved';
  difference: FieldDifference[];
}
/** What an admin says to a changed playbook; `hash` is that of the text that was shown. */
export interface PlaybookDecision {
  hash: string;
  decision: 'approved' | 'refused';
  why: string | null;
}
