// Fills the planned slots of one call: a value with one source is taken, several are chosen by the model among the
// literal values, and each argument carries its origin. Nothing is ever written freely into a reference.
import type { Origin, Origins } from '../../shared/calls.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Meter } from '../../shared/runs.ts';
import type { Ticket } from '../../shared/tickets.ts';
import type { Candidate } from './candidates.ts';
import type { Plan, SlotPlan } from './plan.ts';
import type { SlotSpec } from './schema.ts';
import { written } from './ticketText.ts';

/** The model's part: picks one of the given texts after the question. Returns an index. */
export interface Picker {
  pick(question: string, options: string[]): Promise<number>;
}
export interface Filled {
  arguments: JsonObject;
  origins: Origins;
  meter?: Meter;
}

/** Arguments of a planned call. Throws what the picker throws. */
export async function fill(plan: Plan, ticket: Ticket, picker: Picker): Promise<Filled> {
  const args: JsonObject = {};
  const origins: Origins = {};
  for (const slotPlan of plan.slots) {
    const filled = await fillSlot(slotPlan, ticket, picker);
    if (filled === null) continue;
    place(args, slotPlan.slot.pointer, filled.value);
    origins[slotPlan.slot.pointer] = filled.origin;
  }
  return { arguments: args, origins };
}

function place(args: JsonObject, pointer: string, value: Json): void {
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let here = args;
  for (const key of keys.slice(0, -1)) {
    const next = here[key];
    const inner: JsonObject = typeof next === 'object' && next !== null && !Array.isArray(next) ? next : {};
    define(here, key, inner);
    here = inner;
  }
  define(here, keys.at(-1) ?? '', value);
}

/** A server may name a parameter `__proto__`: it is a key like any other. */
function define(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

async function fillSlot(
  plan: SlotPlan,
  ticket: Ticket,
  picker: Picker,
): Promise<{ value: Json; origin: Origin } | null> {
  switch (plan.fill) {
    case 'out':
    case 'person':
    case 'prose':
      return null;
    case 'choice':
      return choose(plan.slot, picker);
    case 'span':
      return span(plan.slot, ticket, picker);
    case 'candidates':
      return among(plan.slot, plan.candidates, picker);
  }
}

async function choose(slot: SlotSpec, picker: Picker): Promise<{ value: Json; origin: Origin } | null> {
  if (slot.way === 'const') return { value: slot.value, origin: { from: 'default', trust: 'trusted' } };
  if (slot.way !== 'choice') return null;
  const options = slot.required ? slot.titles : ['not said', ...slot.titles];
  const index = (await picker.pick(slot.name, options)) - (slot.required ? 0 : 1);
  const value = slot.values[index];
  return value === undefined ? null : { value, origin: { from: 'model', trust: 'untrusted' } };
}

async function among(
  slot: SlotSpec,
  candidates: Candidate[],
  picker: Picker,
): Promise<{ value: Json; origin: Origin } | null> {
  if (candidates.length === 0) return null;
  const index =
    candidates.length === 1
      ? 0
      : await picker.pick(
          slot.name,
          candidates.map((one) => one.value),
        );
  const chosen = candidates[index];
  if (chosen === undefined) return null;
  return { value: slot.way === 'number' ? Number(chosen.value) : chosen.value, origin: chosen.origin };
}

const spanWords = 5;
const filler = new Set(
  'a an the my your our this that these those it is are was do does have has had you i we in on of for to and or any some please thanks hi hello dear with at be can could would if so but'.split(
    ' ',
  ),
);

/** Runs of the customer's own words that neither begin nor end with a filler word. At most 160. */
export function spans(body: string): { text: string; start: number; end: number }[] {
  const found: { text: string; start: number; end: number }[] = [];
  for (const clause of written(body).own.matchAll(/[^.,;:!?()\n]+/g)) {
    const words = [...clause[0].matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)];
    for (let from = 0; from < words.length; from++)
      for (let to = from; to < Math.min(words.length, from + spanWords); to++) {
        const first = words[from];
        const last = words[to];
        if (
          first === undefined ||
          last === undefined ||
          filler.has(first[0].toLowerCase()) ||
          filler.has(last[0].toLowerCase()) ||
          first[0].length < 2 ||
          /^\d+$/.test(first[0])
        )
          continue;
        const start = clause.index + first.index;
        const end = clause.index + last.index + last[0].length;
        found.push({ text: body.slice(start, end), start, end });
      }
  }
  const unique = new Map(found.map((one) => [one.text.toLowerCase(), one]));
  return [...unique.values()].slice(0, 160);
}

async function span(slot: SlotSpec, ticket: Ticket, picker: Picker): Promise<{ value: Json; origin: Origin } | null> {
  const options = spans(ticket.body);
  if (options.length === 0) return null;
  const chosen =
    options[
      await picker.pick(
        slot.name,
        options.map((one) => one.text),
      )
    ];
  if (chosen === undefined) return null;
  return {
    value: chosen.text,
    origin: { from: 'ticket.text', field: 'body', start: chosen.start, end: chosen.end, trust: 'untrusted' },
  };
}
