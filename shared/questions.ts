/** Questions: what a server asks a person inside a call (spec host §§17–20). */
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
}
