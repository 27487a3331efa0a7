/** A profile: everything a data folder starts from. The sample company is one; `{data}`, `{profile}`, `{clock}`,
 *  `{service:NAME}`, `{secret:NAME}` and `{env:NAME:default}` stand for values known only when it starts. */
import { z } from 'zod';
import { serverConfig } from './servers.ts';

const program = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});

export const profileSchema = z.strictObject({
  format: z.literal('desk-profile/1'),
  company: z.string(),
  /** The clock starts here and runs; without it the machine's clock is used. */
  clock: z.iso.datetime().optional(),
  people: z.array(z.strictObject({ id: z.string(), name: z.string(), role: z.enum(['staff', 'lead', 'admin']) })),
  /** People act without a secret: for a sample company only. */
  open_sign_in: z.boolean().default(false),
  tickets: z.string().optional(),
  playbook: z.string().optional(),
  /** SHA-256 of the playbook's text that ships approved; any other text waits for an admin. */
  playbook_sha256: z.string().optional(),
  /** Environment that holds clock and random numbers of its programs still, for runs that are to be the same again. */
  replay: z.strictObject({ env: z.record(z.string(), z.string()) }).optional(),
  /** Programs started first; each prints one JSON line `{"url": …}` when it is ready. */
  services: z.array(program).default([]),
  servers: z.array(serverConfig),
  /** Definitions of bundled servers that ship approved, by prefix: tool and SHA-256 of the raw definition. */
  approved: z.record(z.string(), z.array(z.strictObject({ tool: z.string(), hash: z.string() }))).default({}),
});
export type Profile = z.infer<typeof profileSchema>;
