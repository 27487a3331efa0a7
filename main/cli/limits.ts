// `desk limits`: what servers may at most do to the desk, and what an admin sets instead.
import { Failure } from '../../shared/failures.ts';
import type { LimitRow } from '../../shared/limits.ts';
import { exit, withDesk, type Context } from './context.ts';
import { styled } from './present.ts';

export async function limitsCommand(
  context: Context,
  verb: string | undefined,
  name: string | undefined,
  given: string | undefined,
): Promise<number> {
  const isWhole =
    verb === undefined ||
    (verb === 'set' && name !== undefined && given !== undefined) ||
    (verb === 'reset' && name !== undefined && given === undefined);
  if (!isWhole) {
    context.say('desk limits [set NAME VALUE · reset NAME]');
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    if (verb === undefined || name === undefined) {
      list(context, await desk.request('limits.list', {}));
      return exit.done;
    }
    const value = verb === 'set' ? numberIn(given ?? '') : null;
    const rows = await desk.request('limits.set', { name, value });
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`${name} was set and is not listed`);
    if (context.global.json) context.json(row);
    else
      context.print(
        `“${row.name}” is ${row.value} ${row.unit}${row.value === row.usual ? ', as usual' : ` (usually ${row.usual})`}. A server that runs keeps what it started with: restart the desk, or switch the server off and on.`,
      );
    return exit.done;
  });
}

function numberIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Failure(
    'cli.use',
    `“${text}” is no whole number. It stays as it is. "desk limits" lists each limit with its range.`,
  );
}

function list(context: Context, rows: LimitRow[]): void {
  if (context.global.json) {
    context.json(rows);
    return;
  }
  for (const { name, value, usual, least, most, unit, says } of rows) {
    const changed = value === usual ? '' : styled('yellow', `, usually ${usual}`);
    context.print(`${styled('bold', name.padEnd(22))} ${value} ${unit}${changed}  (${least} to ${most})`);
    context.print(styled('dim', `  ${says}`));
  }
  context.print(
    'An admin changes one: desk limits set NAME VALUE, or desk limits reset NAME (sample company: --as staff-0001).',
  );
}
