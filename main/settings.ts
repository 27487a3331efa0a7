// Settings of a data folder: the servers a person added, the model in use, when the profile's clock began.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { Json } from '../shared/json.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import { iso, memorySecrets, type Clock } from './ports.ts';
import type { Store } from './store/open.ts';
import { createServerSecrets } from './serverSecrets.ts';
import { readSetting, saveSetting } from './store/settings.ts';

const added = 'servers.added';
const switchedKey = 'servers.switched';

export type Settings = ReturnType<typeof createSettings>;

/** Settings over one store. */
export function createSettings(
  store: Store,
  clock: Clock,
  secrets = createServerSecrets(memorySecrets(), () => undefined),
) {
  async function set(key: string, value: Json): Promise<void> {
    await saveSetting(store.db, key, value, iso(clock));
  }
  async function stored(): Promise<ServerConfig[]> {
    return z.array(serverConfig).parse((await readSetting(store.db, added)) ?? []);
  }
  /** Servers switched on or off here, whatever their configuration says. */
  async function switched(): Promise<Record<string, boolean>> {
    return z.record(z.string(), z.boolean()).parse((await readSetting(store.db, switchedKey)) ?? {});
  }
  return {
    switched,
    async switchServer(prefix: string, enabled: boolean): Promise<void> {
      await set(switchedKey, { ...(await switched()), [prefix]: enabled });
    },
    get: (key: string) => readSetting(store.db, key),
    set,
    /** Servers added by a person, after those of the profile. */
    servers: async () => Promise.all((await stored()).map((config) => secrets.fill(config))),
    async addServer(config: ServerConfig, taken: string[]): Promise<void> {
      if (taken.includes(config.prefix))
        throw new Failure(
          'servers.taken',
          `The prefix "${config.prefix}" is in use. Choose another, or remove that server first.`,
        );
      // A checked configuration is plain JSON.
      await set(added, [...(await stored()), await secrets.take(config)] as unknown as Json);
    },
    async removeServer(prefix: string): Promise<void> {
      const all = await stored();
      const gone = all.find((config) => config.prefix === prefix);
      if (gone === undefined)
        throw new Failure('servers.unknown', `No added server has the prefix "${prefix}". Those of the profile stay.`);
      await secrets.forget(gone);
      await set(added, all.filter((config) => config.prefix !== prefix) as unknown as Json);
    },
  };
}
