/** What a person picks from servers for one ticket (spec host §21): resources, templates, prompts. All of it is text from outside. */

export interface Attachment {
  kind: 'resource' | 'prompt';
  prefix: string;
  /** Of a resource its URI; of a prompt its name. */
  uri: string;
  title: string | null;
  bytes: number;
  sha256: string;
  /** Person ID. */
  by: string;
  at: string;
}

/** A word to fill in, of a template or a prompt. */
export interface Blank {
  name: string;
  description: string | null;
  required: boolean;
}
export interface OfferedTemplate {
  prefix: string;
  uri: string;
  title: string;
  description: string | null;
  blanks: Blank[];
}
interface OfferedResource {
  prefix: string;
  uri: string;
  title: string;
  bytes: number | null;
  /** It stands before the model for every ticket, by the host's rule. */
  always: boolean;
}
/** What the servers that are on offer for attaching; `problems` says of which it could not be read. */
export interface Attachable {
  resources: OfferedResource[];
  templates: OfferedTemplate[];
  problems: string[];
}

export interface OfferedPrompt {
  prefix: string;
  name: string;
  title: string;
  description: string | null;
  blanks: Blank[];
}
/** One piece of what a prompt returned. */
export interface PromptPart {
  role: string;
  kind: 'text' | 'resource' | 'other';
  /** Empty for what holds no text. */
  text: string;
  /** Of an embedded resource. */
  uri: string | null;
  /** It stands before the model already, so it is not taken twice. */
  attached: boolean;
}
/** What would be used: `hash` is over the whole of it. */
export interface ShownPrompt {
  hash: string;
  description: string;
  parts: PromptPart[];
  bytes: number;
}

/** At most 100 values; `total` where the server counted them; `more`: others begin so too. */
export interface Completed {
  values: string[];
  total: number | null;
  more: boolean;
}
