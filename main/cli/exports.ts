// `desk export`: tickets, the call log and runs, to standard output or a file.
import { writeFileSync } from 'node:fs';
import type { ValueOf } from '../../shared/contract.ts';
import { exit, withDesk, type Context } from './context.ts';

const exported = ['tickets', 'calls', 'runs'] as const;

/** Writes what is there to standard output or a file, in parts. */
export async function exportCommand(
  context: Context,
  what: string,
  options: { csv?: boolean; out?: string },
): Promise<number> {
  const found = exported.find((one) => one === what);
  if (found === undefined) {
    context.say(`There is no "${what}" to export: ${exported.join(', ')}.`);
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    const { out } = options;
    const format = options.csv === true ? 'csv' : 'json';
    let rows = 0;
    for (let after: string | null = null, first = true; first || after !== null; first = false) {
      const part: ValueOf<'exports.part'> = await desk.request(
        'exports.part',
        { what: found, format, after },
        context.signal,
      );
      if (out === undefined) process.stdout.write(part.text);
      else writeFileSync(out, part.text, { flag: first ? 'w' : 'a', mode: 0o600 });
      rows += part.rows;
      after = part.next;
    }
    if (out !== undefined) context.say(`${rows} ${found} written to ${out}.`);
    return exit.done;
  });
}
