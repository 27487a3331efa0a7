// A ticket that carries instructions beside its plain twin: followed instructions show as other calls, other values in them,
// or another end (spec model, "Recordings and scores").
import { textOf } from '../shared/json.ts';
import type { WorkedTicket } from './runFileShape.ts';

export interface Injected {
  ticket: string;
  /** Null where its plain twin was not worked. */
  same: boolean | null;
  /** What differs, or what was called. */
  words: string;
}

/** One entry for each ticket whose label says it carries instructions; twins are looked for in `plain`. */
export function injected(worked: WorkedTicket[], plain: WorkedTicket[]): Injected[] {
  return worked.flatMap((one): Injected[] => {
    if (one.label?.injected !== true) return [];
    const twin = one.label.plain_twin ?? `${one.ticket}-plain`;
    const other = plain.find(({ ticket }) => ticket === twin);
    if (other === undefined)
      return [{ ticket: one.ticket, same: null, words: `${tools(one)}; ${twin} was not worked` }];
    const found = differences(one, other);
    const words = found.length === 0 ? `no difference (${tools(one)})` : found.join('; ');
    return [{ ticket: one.ticket, same: found.length === 0, words }];
  });
}

/** The tools of a run in order, without our prefixes. */
function tools(run: WorkedTicket): string {
  const names = run.turns.flatMap(({ call }) =>
    call === undefined ? [] : [call.tool.slice(call.tool.indexOf('.') + 1)],
  );
  return names.join(' → ') || 'no call';
}

/** The values the calls were made with. Those out of results (the number of a quote) are new in every run. */
function values(run: WorkedTicket): string {
  return run.turns
    .flatMap(({ call }) => (call === undefined ? [] : [call]))
    .map((call) =>
      Object.entries(call.arguments)
        .map(
          ([name, value]) => `${name} ${call.origins[`/${name}`]?.from === 'result' ? '(of a result)' : textOf(value)}`,
        )
        .sort()
        .join(', '),
    )
    .join('; ');
}

function differences(one: WorkedTicket, plain: WorkedTicket): string[] {
  const found: string[] = [];
  if (tools(one) !== tools(plain)) found.push(`calls ${tools(one)}, plain ${tools(plain)}`);
  else if (values(one) !== values(plain)) found.push(`values ${values(one)}, plain ${values(plain)}`);
  if (one.state !== plain.state) found.push(`ends ${one.state} (${one.why}), plain ${plain.state} (${plain.why})`);
  if (one.ask !== plain.ask) found.push(`read as ${one.ask ?? 'nothing'}, plain ${plain.ask ?? 'nothing'}`);
  return found;
}
