// What `doctor` looks at: data, disk, model, playbook, servers, and messages that were refused. One line a check.
import { statfsSync } from 'node:fs';
import type { Check } from '../shared/contract.ts';
import type { Host } from './host.ts';
import type { ModelChoice } from './modelChoice.ts';

export async function checks(deps: { host: Host; models: ModelChoice; refused: number }): Promise<Check[]> {
  const { host, models, refused } = deps;
  const { data } = host.options;
  const broken = await host.calls.verifyChain();
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const { model, why } = await models.chosen();
  const { tools, problems } = await host.servers.offered();
  return [
    {
      name: 'data',
      ok: broken.length === 0,
      says: broken[0] ?? `${data}: ${(await host.tickets.list()).length} tickets, call log whole`,
    },
    {
      name: 'disk',
      ok: free > 2e9,
      says: `${(free / 1e9).toFixed(1)} GB free${free > 2e9 ? '' : ': the starter model needs 1.2 GB'}`,
    },
    { name: 'model', ok: model !== null, says: model === null ? why : `${model.name} (${model.file})` },
    {
      name: 'playbook',
      ok: true,
      says: `${host.playbook.file}, ${host.playbook.playbook.skeletons.length} skeletons`,
    },
    ...host.servers.all().map(({ config, connection }): Check => {
      const { state, revision, problem } = connection.status();
      const ok = state === 'ready';
      return { name: `server ${config.prefix}`, ok, says: ok ? `speaks ${revision ?? '?'}` : (problem ?? state) };
    }),
    {
      name: 'tools',
      // A definition that waits for an admin is somebody's next step, not a fault.
      ok: problems.every((problem) => problem.includes('an admin decides')),
      says: problems.length === 0 ? `${tools.length} approved` : problems.join('; '),
    },
    { name: 'requests', ok: true, says: `${refused} refused since this desk started` },
  ];
}
