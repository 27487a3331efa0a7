/** Forms: what a server's question shows a person and what may be answered (spec host §§17, 18). */
import type { JsonObject } from './json.ts';

export interface Choice {
  /** What is sent. */
  value: string;
  /** What the person reads; the value itself where the server gave no title. */
  title: string;
}

interface TextField {
  type: 'string';
  format: 'email' | 'uri' | 'date' | 'date-time' | null;
  /** In code points. */
  minLength: number | null;
  maxLength: number | null;
  default: string | null;
}
interface NumberField {
  type: 'number' | 'integer';
  minimum: number | null;
  maximum: number | null;
  default: number | null;
}
interface BooleanField {
  type: 'boolean';
  default: boolean | null;
}
interface ChoiceField {
  type: 'choice';
  choices: Choice[];
  default: string | null;
}
interface ChoicesField {
  type: 'choices';
  choices: Choice[];
  minItems: number | null;
  maxItems: number | null;
  default: string[] | null;
}
export type FieldKind = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** Titles and descriptions are the server's text as it came (long ones cut, marked): draw them visible. */
export type Field = {
  /** The key of the answer. */
  name: string;
  title: string | null;
  description: string | null;
  required: boolean;
  /** What of the server's schema is not checked here, in sentences. */
  notes: string[];
} & FieldKind;

/** A form a person can fill; without fields it is a plain accept or decline. */
export interface FillableForm {
  kind: 'form';
  message: string;
  fields: Field[];
}
/** A visit to an address, as a browser spells it. */
export interface UrlForm {
  kind: 'url';
  message: string;
  url: string;
  /** The host for a person: international names in their own letters. */
  host: string;
  /** The same in plain ASCII, as it stands in `url`. */
  spelled: string;
  /** The end of `spelled` that somebody registered; all of it where there is none (number addresses, one's own machine). */
  domain: string;
  /** What may mislead in the host, in sentences. */
  warnings: string[];
}
export type Form = FillableForm | UrlForm | { kind: 'refused'; why: string };

export interface FieldProblem {
  field: string;
  says: string;
}
export type CheckedAnswer = { ok: true; content: JsonObject } | { ok: false; problems: FieldProblem[] };
