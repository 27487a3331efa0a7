// Calls in words: the tool, where an argument came from, how the call ended, what the server says of its tool.
import type { Call, Origin } from '../../shared/calls.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

/** `shop.issue_refund` as "Issue refund". */
export function toolWords(call: Pick<Call, 'tool' | 'prefix' | 'method'>): string {
  const name = call.tool.startsWith(`${call.prefix}.`) ? call.tool.slice(call.prefix.length + 1) : call.tool;
  if (call.method === 'resources/read') return 'Read a document';
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Its number in the log; a call that a view asked for is of no run and has one of its own. */
export function numberWords({ run, n }: Pick<Call, 'run' | 'n'>): string {
  return run === '' && n > 100 ? `v${n - 100}` : String(n);
}

/** A chip of one or two words; `look` where nothing vouches for the value. */
export function originWords(origin: Origin | undefined): { words: string; title: string; look: boolean } {
  if (origin === undefined) return { words: 'no source', title: 'No known source.', look: true };
  const written = origin.written === undefined ? '' : `, written “${origin.written}”`;
  switch (origin.from) {
    case 'ticket.field':
      return { words: 'ticket', title: `From the ticket’s ${origin.field ?? 'fields'}.`, look: false };
    case 'ticket.text':
      return { words: 'ticket', title: `The customer’s own words${written}: nobody checked them.`, look: false };
    case 'result':
      return {
        words: `call ${origin.call ?? '?'}`,
        title: `From the result of call ${origin.call ?? '?'}${origin.trust === 'bound' ? ', this customer’s record' : ''}.`,
        look: false,
      };
    case 'person':
      return { words: 'person', title: 'Typed by a person.', look: false };
    case 'default':
      return { words: 'default', title: 'The default of the definition.', look: false };
    case 'example':
      return { words: 'example', title: 'The definition’s own example.', look: true };
    case 'view':
      return { words: 'its view', title: 'Sent by the view of its server; nothing says it is right.', look: true };
    case 'model':
      return { words: 'model’s choice', title: 'The model chose it; nothing says it is right.', look: true };
  }
}

/** How a call stands, where it has no result to show; null where it has. */
export function stateWords(call: Call): { words: string; look: boolean } | null {
  switch (call.state) {
    case 'result':
      return null;
    case 'tool error':
      return { words: 'The tool answered with an error', look: true };
    case 'declined':
      return { words: 'Not run', look: false };
    case 'failed':
      return { words: 'Failed, nothing came back', look: true };
    case 'unknown':
      return { words: 'Outcome unknown: it may have happened', look: true };
    case 'asking':
      return { words: 'Waits for your consent', look: false };
    case 'asked':
      return { words: 'Its server asks something: see the inbox', look: false };
    case 'answered':
      return { words: `Answered; sent when ${call.prefix} runs`, look: false };
    case 'proposed':
    case 'consented':
    case 'sending':
      return { words: 'On its way', look: false };
  }
}

/** The server's own word on its tool, as a sentence; null where it says nothing. */
export function serverSays(raw: JsonObject | undefined): string | null {
  const said = raw?.['annotations'];
  if (!isObject(said)) return null;
  const words = [
    hint(said['readOnlyHint'], 'only reads', 'changes things'),
    hint(said['destructiveHint'], 'destructive', 'not destructive'),
    hint(said['idempotentHint'], 'safe to repeat', 'not safe to repeat'),
    hint(said['openWorldHint'], 'reaches outside', 'stays inside'),
  ].filter((one) => one !== null);
  return words.length === 0 ? null : words.join(', ');
}
function hint(value: Json | undefined, yes: string, no: string): string | null {
  return typeof value === 'boolean' ? (value ? yes : no) : null;
}

/** How long something took, no finer than a person cares: "1.4 s", "23 min", "5 h", "3 days". */
export function lengthWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 60 / 24)} days`;
}
