// Secret values of the servers a person added: kept by the key store, never in the database (spec trust, invariant 9).
import type { ServerConfig } from '../shared/servers.ts';
import type { Secrets } from './ports.ts';

/** Names a variable of the desk's own environment: no secret itself, and there again after a restart. */
const reference = /^\{env:[A-Z0-9_]+:\}$/;

export function createServerSecrets(secrets: Secrets, say: (words: string) => void) {
  const said = new Set<string>();
  function once(words: string): void {
    if (!said.has(words)) say(words);
    said.add(words);
  }
  const keyOf = (prefix: string, name: string): string => `server ${prefix} ${name}`;
  function secretNames(config: ServerConfig): string[] {
    if (config.kind !== 'stdio') return [];
    return Object.keys(config.env).filter(
      (name) => config.secrets.includes(name) && !reference.test(config.env[name] ?? ''),
    );
  }
  return {
    /** The configuration as it is stored: names, without the values. */
    async take(config: ServerConfig): Promise<ServerConfig> {
      if (config.kind !== 'stdio') return config;
      const env = { ...config.env };
      for (const name of secretNames(config)) {
        await secrets.set(keyOf(config.prefix, name), env[name] ?? '');
        env[name] = '';
      }
      const names = secretNames(config).join(', ');
      if (names !== '' && !secrets.lasting)
        once(
          `${names} of server “${config.prefix}” is kept in memory only, until this desk ends. To keep it longer, add the server in the window, or name a variable of your own as "{env:NAME:}".`,
        );
      return { ...config, env };
    },
    /** With the values again; one that is gone is left out and said. */
    async fill(config: ServerConfig): Promise<ServerConfig> {
      if (config.kind !== 'stdio') return config;
      const env = { ...config.env };
      for (const name of secretNames(config)) {
        const value = await secrets.get(keyOf(config.prefix, name));
        if (value !== null) env[name] = value;
        else if (env[name] === '')
          once(`${name} of server “${config.prefix}” is not known any more: remove the server and add it again.`);
      }
      return { ...config, env };
    },
    async forget(config: ServerConfig): Promise<void> {
      for (const name of secretNames(config)) await secrets.set(keyOf(config.prefix, name), null);
    },
  };
}
