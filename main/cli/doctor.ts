// `desk doctor`: one line a check, and what to do where something is wrong.
import type { Check } from '../../shared/contract.ts';
import { Failure, reason } from '../../shared/failures.ts';
import { exit, withDesk, type Context } from './context.ts';
import { styled } from './present.ts';

export async function doctorCommand(context: Context): Promise<number> {
  const checks: Check[] = [
    {
      name: 'versions',
      ok: Number(process.versions.napi) >= 10,
      says: `desk on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    },
  ];
  try {
    await withDesk(context, {}, async (desk) => {
      checks.push(...(await desk.request('doctor.check', {}, context.signal)));
    });
  } catch (error) {
    context.signal.throwIfAborted();
    checks.push({ name: 'data', ok: false, says: error instanceof Failure ? error.message : reason(error) });
  }
  if (context.global.json) context.json(checks);
  else
    for (const check of checks)
      context.print(
        `${check.ok ? styled('green', 'ok  ') : styled('red', 'look')} ${check.name.padEnd(16)} ${check.says}`,
      );
  return checks.every((check) => check.ok) ? exit.done : exit.failed;
}
