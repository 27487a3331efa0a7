/** Servers as people paste them: our own configuration, a list of it, or the `mcpServers` JSON they already have. */
import { z } from 'zod';
import { Failure, reason } from './failures.ts';
import { serverConfig, type ServerConfig } from './servers.ts';

const started = z.object({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const reached = z.object({ url: z.string() });
const pasted = z.object({ mcpServers: z.record(z.string(), z.union([started, reached])) });

/** Failure `servers.file`, begun with `where`; nothing was added by then. */
export function readServers(text: string, where: string): ServerConfig[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure('servers.file', `${where} cannot be read as JSON: ${reason(error)}. Nothing was added.`);
  }
  const known = pasted.safeParse(json);
  const list = known.success
    ? Object.entries(known.data.mcpServers).map(([prefix, server]) => ({
        prefix,
        ...('url' in server ? { kind: 'http', url: server.url } : { kind: 'stdio', ...server }),
      }))
    : [json].flat();
  return list.map((one) => {
    const parsed = serverConfig.safeParse(one);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('/') || '(top)'}: ${issue.message}`);
    throw new Failure('servers.file', `${where}: ${problems.slice(0, 4).join('; ')}. Nothing was added.`);
  });
}
