/** Waits, for tests, until the servers of a host run and what they ship with is adopted. */
import { vi } from 'vitest';
import type { Host } from './host.ts';
import { pinnedNames } from './servers.ts';

/** A host waits some seconds for its servers and goes on without the slow ones: on a busy machine that may be any. */
export async function serversUp(host: Host): Promise<void> {
  const servers = host.servers.all();
  const shipped = servers
    .filter(({ config }) => config.bundled !== undefined)
    .flatMap(({ config }) => pinnedNames(config.prefix))
    .filter((name) => (host.profile.approved[name] ?? []).length > 0);
  const up = async () => {
    for (const { config, connection } of servers) {
      const { state, problem } = connection.status();
      if (state !== 'ready') throw new Error(`${config.prefix} is ${state}: ${problem ?? 'no problem is known'}`);
    }
    for (const name of shipped)
      if (!(await host.servers.review(name)).some(({ status }) => status === 'approved'))
        throw new Error(`what ships as ${name} is not adopted`);
  };
  await vi.waitFor(up, { timeout: 30_000 });
}
