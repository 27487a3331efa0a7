// Secret values of the servers a person added: kept by the key store, never in the database (spec trust, invariant 9).
import { valuesOf } from '../shared/serverFile.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { Secrets } from './ports.ts';

/** Names a variable of the desk's own environment: no secret itself, and there again after a restart. */
const reference = /^(?:Bearer |Basic )?\{env:[A-Z0-9_]+:\}$/;

export function createServerSecrets(secrets: Secrets, say: (words: string) => void) {
  const said = new Set<string>();
  function once(words: string): void {
    if (!said.has(words)) say(words);
    said.add(words);
  }
  const keyOf = (prefix: string, name: string): string => `server ${prefix} ${name}`;
  function secretNames(config: ServerConfig): string[] {
    const given = valuesOf(config);
    return Object.keys(given).filter((name) => config.secrets.includes(name) && !reference.test(given[name] ?? ''));
  }
  function withValues(config: ServerConfig, given: Record<string, string>): ServerConfig {
    if (config.kind === 'stdio') return { ...config, env: given };
    return config.headers === undefined ? config : { ...config, headers: given };
  }
  return {
    /** The configuration as it is stored: names, without the values. */
    async take(config: ServerConfig): Promise<ServerConfig> {
      const given = { ...valuesOf(config) };
      for (const name of secretNames(config)) {
        await secrets.set(keyOf(config.prefix, name), given[name] ?? '');
        given[name] = '';
      }
      const names = secretNames(config).join(', ');
      if (names !== '' && !secrets.lasting)
        once(
          `${names} of server “${config.prefix}” is kept in memory only, until this desk ends. To keep it longer, add the server in the window, or name a variable of your own as "{env:NAME:}".`,
        );
      return withValues(config, given);
    },
    /** With the values again; one that is gone is left out and said. */
    async fill(config: ServerConfig): Promise<ServerConfig> {
      const given = { ...valuesOf(config) };
      for (const name of secretNames(config)) {
        const value = await secrets.get(keyOf(config.prefix, name));
        if (value !== null) given[name] = value;
        else if (given[name] === '')
          once(`${name} of server “${config.prefix}” is not known any more: remove the server and add it again.`);
      }
      return withValues(config, given);
    },
    async forget(config: ServerConfig): Promise<void> {
      for (const name of secretNames(config)) await secrets.set(keyOf(config.prefix, name), null);
    },
  };
}
