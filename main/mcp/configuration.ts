/** What makes a server the same server (spec host §8): a pin and a cached era belong to this hash, a change asks again. */
import type { Json } from '../../shared/json.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { canonical, sha256 } from './canonical.ts';

/** SHA-256 over kind, command, arguments, URL, names of environment variables and headers, and the values not marked secret. */
export function configurationHash(config: ServerConfig): string {
  return sha256(canonical(identity(config)));
}

function identity(config: ServerConfig): Json {
  // A bundled server moves with the application: its paths and ports say nothing about what it is.
  if (config.bundled !== undefined) return { bundled: config.bundled };
  const named = (given: Record<string, string>): Json =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]): [string, Json] => [
        name,
        config.secrets.includes(name) ? null : value,
      ]),
    );
  if (config.kind === 'stdio')
    return { kind: 'stdio', command: config.command, args: config.args, env: named(config.env) };
  const { headers = {}, url } = config;
  return { kind: 'http', url, ...(Object.keys(headers).length > 0 && { headers: named(headers) }) };
}
