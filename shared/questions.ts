/** Questions: what a server asks a person inside a call (spec host §§17–20). */
import type { Call } from './calls.ts';
import type { JsonObject } from './json.ts';
import type { Role } from './people.ts';

export interface QuestionAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}
export interface Question {
  id: string;
  call: string;
  round: number;
  /** The server's own key for it within its round. */
  key: string;
  /** The request as it came: `{method, params}`. */
  request: JsonObject;
  /** The least role that may answer. */
  role: Role;
  /** Pushed by an older server: waits only while the desk runs. */
  pushed: boolean;
  state: 'open' | 'answered' | 'closed';
  answer: QuestionAnswer | null;
  by: string | null;
  scripted: boolean;
  asked_at: string;
  answered_at: string | null;
  /** Its server said, since the desk started, that it is done at the page; that answers nothing. */
  finished?: true;
}

/** Who answered a question of a call, and how; what was filled in stays with the question. */
export interface Answered {
  /** ID of the question. */
  id: string;
  call: string;
  by: string;
  action: QuestionAnswer['action'];
  /** From its asking to the answer. */
  ms: number;
}

/** What a person reads of a call before deciding about it, from the host's own records. */
export interface CallAbout {
  /** The tool's own name for people, from the definition the call was made by. */
  title: string | null;
  /** Earlier calls that arguments of this one came from. */
  behind: Call[];
  /** Who said that it may run, and when. */
  consented: { name: string; role: Role | null; at: string } | null;
  /** Values that only programs read, as the playbook names them. */
  handles: string[];
  /** The ticket's customer: the name where one is known. */
  customer: string | null;
}
