// What stands behind a call that waits for a person: the records its arguments came from, who let it run, whose ticket it is.
// Read from what the desk itself keeps, so that the person sees it also while the server is down.
import type { Call } from '../shared/calls.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { CallAbout } from '../shared/questions.ts';
import { handlesOf } from './draft.ts';
import type { Host } from './host.ts';

/** By the IDs of the calls. */
export async function aboutCalls(host: Host, calls: Call[]): Promise<Record<string, CallAbout>> {
  if (calls.length === 0) return {};
  const people = await host.people();
  const about = calls.map(async (call) => [call.id, await aboutCall(host, call, people)] as const);
  return Object.fromEntries(await Promise.all(about));
}

async function aboutCall(host: Host, call: Call, people: Person[]): Promise<CallAbout> {
  const wanted = new Set(Object.values(call.origins).flatMap((origin) => origin.call ?? []));
  const earlier = call.run === '' || wanted.size === 0 ? [] : await host.calls.list({ run: call.run });
  const behind = earlier.filter((one) => wanted.has(one.n) && one.n !== call.n && one.state === 'result');
  const own = await definitionOf(host, call);
  const ticket = call.ticket === '' ? undefined : await host.tickets.find(call.ticket);
  return {
    title: titleIn(own),
    behind,
    consented: consentedIn(call, people),
    handles: handlesOf(host.playbook.playbook, behind),
    customer: ticket?.customer_name ?? ticket?.customer ?? null,
  };
}

/** The definition a call was made by, which may not be the one of today. */
async function definitionOf(host: Host, { prefix, tool, definition }: Call): Promise<JsonObject | undefined> {
  const pins = await host.pins.history(prefix, tool.slice(prefix.length + 1));
  return pins.findLast((pin) => pin.hash === definition)?.raw;
}

function titleIn(raw: JsonObject | undefined): string | null {
  const annotations = raw?.['annotations'];
  const said = raw?.['title'] ?? (isObject(annotations) ? annotations['title'] : undefined);
  return typeof said === 'string' && said.trim() !== '' ? said : null;
}

function consentedIn({ consent, created_at }: Call, people: Person[]): CallAbout['consented'] {
  if (consent?.answer !== 'run' || consent.by === 'host') return null;
  const person = people.find(({ id }) => id === consent.by);
  const at = new Date(Date.parse(created_at) + consent.ms).toISOString();
  return { name: person?.name ?? consent.by, role: person?.role ?? null, at };
}
