// `desk doctor`: one line a check, and what to do where something is wrong.
import { statfsSync } from 'node:fs';
import { Failure, reason } from '../../shared/failures.ts';
import { exit, withHost, type Context } from './context.ts';
import { styled } from './present.ts';

interface Check {
  name: string;
  ok: boolean;
  says: string;
}

export async function doctorCommand(context: Context): Promise<number> {
  const checks: Check[] = [];
  function note(name: string, ok: boolean, says: string): void {
    checks.push({ name, ok, says });
  }
  note(
    'versions',
    Number(process.versions.napi) >= 10,
    `desk on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  );
  try {
    await withHost(context, {}, async (host, models) => {
      const broken = await host.calls.verifyChain();
      note(
        'data',
        broken.length === 0,
        broken[0] ?? `${context.global.data}: ${(await host.tickets.list()).length} tickets, call log whole`,
      );
      const { bavail, bsize } = statfsSync(context.global.data);
      const free = bavail * bsize;
      note(
        'disk',
        free > 2e9,
        `${(free / 1e9).toFixed(1)} GB free${free > 2e9 ? '' : ': the starter model needs 1.2 GB'}`,
      );
      const { model, why } = await models.chosen();
      note('model', model !== null, model === null ? why : `${model.name} (${model.file})`);
      note('playbook', true, `${host.playbook.file}, ${host.playbook.playbook.skeletons.length} skeletons`);
      for (const server of host.servers.all()) {
        const status = server.connection.status();
        note(
          `server ${server.config.prefix}`,
          status.state === 'ready',
          status.state === 'ready' ? `speaks ${status.revision ?? '?'}` : (status.problem ?? status.state),
        );
      }
      const { tools, problems } = await host.servers.offered();
      note('tools', problems.length === 0, problems.length === 0 ? `${tools.length} approved` : problems.join('; '));
    });
  } catch (error) {
    note('data', false, error instanceof Failure ? error.message : reason(error));
  }
  if (context.global.json) context.json(checks);
  else
    for (const check of checks)
      context.print(
        `${check.ok ? styled('green', 'ok  ') : styled('red', 'look')} ${check.name.padEnd(16)} ${check.says}`,
      );
  return checks.every((check) => check.ok) ? exit.done : exit.failed;
}
