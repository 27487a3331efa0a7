/** Servers as the desk's configuration names them. The prefix is ours, never what the server calls itself. */
import { z } from 'zod';

/** Headers that belong to the protocol or the connection. */
const taken =
  /^(?:host|connection|content-.*|transfer-encoding|te|upgrade|accept|accept-encoding|origin|mcp-.*|expect|trailer|keep-alive|proxy-.*)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
const headerValue = z
  .string()
  .max(8_192)
  .regex(/^[\t\x20-\x7e]*$/, 'a header holds plain characters on one line');

const entry = {
  /** Prefix of every tool name: letters, digits, `_`, `-`. */
  prefix: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'a prefix is 1–32 letters, digits, "_" or "-"'),
  /** Marked trusted: its resources may be attached by rule. */
  trusted: z.boolean().default(false),
  /** A system of record: facts only it reports count as backed. */
  system_of_record: z.boolean().default(false),
  /** `_meta` keys the host fills itself: the ticket's ID, where it came from that system, or that of the person the call is for. */
  context: z.record(z.string(), z.enum(['ticket.id', 'person.id'])).default({}),
  /** Names of tools the host's own list calls free of side effects (spec host §9); bound to the pinned definition. */
  no_side_effects: z.array(z.string()).default([]),
  /** By tool whether it moves money; where it says nothing, the records behind a call and its name decide. */
  moves_money: z.record(z.string(), z.boolean()).default({}),
  /** Who may answer a question a tool of this server asks, by tool; staff where it says nothing (spec host §19). */
  question_roles: z.record(z.string(), z.enum(['staff', 'lead', 'admin'])).default({}),
  /** Names of environment variables or headers whose values are secret and so outside the pin's configuration. */
  secrets: z.array(z.string()).default([]),
  enabled: z.boolean().default(true),
};
/** How people sign in to a server; no part of what the server is, so a change asks for no new approval. */
const oauthConfig = z.strictObject({
  /** Authorization servers an admin allows, letter by letter as they call themselves. */
  issuers: z.array(z.string()).default([]),
  /** The desk as it was registered at one of them; a secret of it is kept by the key store. */
  client: z.strictObject({ issuer: z.string(), id: z.string().min(1) }).optional(),
  /** Address of the desk's own metadata document, for those that read one. */
  document: z.url({ protocol: /^https$/ }).optional(),
  /** Whether the desk may register itself. */
  registration: z.boolean().default(false),
});
export type OauthConfig = z.infer<typeof oauthConfig>;

export const serverConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    ...entry,
    kind: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    bundled: z.string().optional(),
  }),
  z.strictObject({
    ...entry,
    kind: z.literal('http') /** An address, or in a profile that of a service it starts. */,
    url: z.union([z.url(), z.string().regex(/^\{service:[a-z0-9-]+\}$/)]),
    /** Sent with every request, beside those of the protocol. */
    headers: z
      .record(z.string(), headerValue)
      .superRefine((headers, context) => {
        for (const name of Object.keys(headers))
          if (!headerName.test(name) || taken.test(name))
            context.addIssue({
              code: 'custom',
              path: [name],
              message: 'is no header a server may be given: it belongs to the protocol, or is no header name',
            });
      })
      .optional(),
    bundled: z.string().optional(),
    oauth: oauthConfig.optional(),
  }),
]);
export type ServerConfig = z.infer<typeof serverConfig>;

/** What a server was asked since the desk started. */
export interface RequestCounts {
  /** ISO 8601. */
  since: string;
  total: number;
  /** By the protocol revision they went out under. */
  revisions: Record<string, number>;
  /** By the server's error code, or words where no answer came that could be used. */
  errors: Record<string, number>;
}
export type ServerState = 'stopped' | 'starting' | 'ready' | 'failed';
export interface ServerStatus {
  prefix: string;
  state: ServerState;
  /** Negotiated protocol revision, e.g. `2026-07-28`. */
  revision: string | null;
  era: 'modern' | 'legacy' | null;
  /** What is wrong and what to do, in a sentence. */
  problem: string | null;
  restarts: number;
  pid: number | null;
  stderr: string;
  /** What it logged over the protocol, a line each. */
  log: string;
  /** What it wanted of the desk in vain, a sentence each. */
  notes: string[];
  requests: RequestCounts;
}
/** A server as it is listed. */
export interface ServerRow {
  prefix: string;
  /** What it runs or connects to, as configured. */
  target: string;
  kind: ServerConfig['kind'];
  state: ServerState | 'disabled';
  revision: string | null;
  tools: number;
  approved: number;
  /** Of definitions: what they cost before the model reads one. */
  bytes: number;
  /** Tokens of approved tools in what the model reads before each ticket; `counted` by the model that is loaded, else reckoned. */
  tokens: { count: number; counted: boolean };
  restarts: number;
  /** Null where it is off. */
  requests: RequestCounts | null;
  problem: string | null;
  /** Ships with the desk. */
  bundled: boolean;
  trusted: boolean;
  system_of_record: boolean;
  /** Tools the host's own list calls free of side effects. */
  no_side_effects: string[];
  question_roles: Record<string, 'staff' | 'lead' | 'admin'>;
  /** Names of values it is given that are secret. */
  secrets: string[];
}
