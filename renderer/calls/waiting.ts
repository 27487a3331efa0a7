// The call of the open ticket that waits for consent, and this page's answer to it.
import { useStore } from 'zustand';
import type { Call } from '../../shared/calls.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { useAsked } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { desk, useMe } from '../session.ts';
import { attempt } from '../tickets/actions.ts';
import { watch } from '../tickets/drafting.ts';
import { opened, useOpened } from '../tickets/openTicket.ts';
import { createConsent, type ConsentState } from './consent.ts';
import { moneyWords } from './money.ts';
import { toolWords } from './words.ts';

export const consent = createConsent(desk, watch);

export function useConsent<Part>(pick: (state: ConsentState) => Part): Part {
  return useStore(consent.store, pick);
}
function waitingOf(calls: readonly Call[]): Call | null {
  return calls.find((call) => call.state === 'asking') ?? null;
}
export function useWaitingCall(): Call | null {
  return useOpened(({ calls }) => waitingOf(calls));
}

opened.store.subscribe(({ calls }) => {
  const call = waitingOf(calls);
  const before = consent.store.getState().shown;
  consent.show(call);
  if (call !== null && before?.hash !== call.hash)
    announce(`${call.prefix} asks to run: ${toolWords(call)}. Nothing runs before you say so.`, 'urgent');
});

useMe.subscribe(({ person }, before) => {
  if (person?.id !== before.person?.id) consent.anew();
});

/** What the person is asked about a call: the money it moves in words, the server's definition of its tool. */
export function useAbout(call: Call): {
  moves: boolean;
  amount: string | null;
  /** What it is for, where the record behind it names it: an order. */
  about: string | null;
  /** Calls of the same run. */
  earlier: readonly Call[];
  raw: JsonObject | undefined;
} {
  const calls = useOpened((state) => state.calls);
  const { value } = useAsked('servers.check', { prefix: call.prefix }, { patient: true });
  const earlier = calls.filter((one) => one.run === call.run);
  const { money } = call;
  const source = money === null ? undefined : earlier.find((one) => one.n === money.call);
  const about = source === undefined ? null : orderIn(source.structured);
  const raw = value?.tools.find(({ definition }) => `${call.prefix}.${definition.name}` === call.tool)?.definition.raw;
  return { moves: money !== null, amount: money && moneyWords(money), about, earlier, raw };
}

function orderIn(record: Json): string | null {
  const named = isObject(record) ? (record['order_id'] ?? record['order']) : undefined;
  return typeof named === 'string' ? named : null;
}

export async function sayYes(money: boolean): Promise<void> {
  await attempt(() => consent.yes(money));
}
export async function sayAmount(): Promise<void> {
  await attempt(() => consent.amount());
}
export async function sayNo(): Promise<void> {
  await attempt(() => consent.no());
}
/** Asks anew with these arguments; the old question is closed unanswered. */
export async function askAnew(call: Call, given: JsonObject): Promise<void> {
  const next = await attempt(() => desk.ask('calls.edit', { id: call.id, arguments: given }));
  if (next !== null) void opened.read();
}
