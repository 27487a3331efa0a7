// Who takes a command right now, and under which key. Components register what they can do; keys, palette, buttons and the
// window's menus all end in `runCommand`. Keys are looked up by place, so one never means two things on a screen.
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { commands, type CommandId, type CommandPlace } from '../../shared/commands.ts';

interface Registry {
  /** The last who registered takes it. */
  takers: Partial<Record<CommandId, (() => void)[]>>;
  /** The person's own keys; null takes the key away. */
  keys: Partial<Record<CommandId, string | null>>;
}
const storedUnder = 'desk.keys';

const useRegistry = create<Registry>(() => ({ takers: {}, keys: readKeys() }));

function readKeys(): Registry['keys'] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storedUnder) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    const known = Object.entries(read).filter(
      ([id, key]) => commands.some((one) => one.id === id) && (typeof key === 'string' || key === null),
    );
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

/** Registers what a command does while the component is there and `ready`. */
export function useCommand(id: CommandId, run: () => void, ready = true): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    if (!ready) return;
    const taker = () => latest();
    useRegistry.setState(({ takers }) => ({ takers: { ...takers, [id]: [...(takers[id] ?? []), taker] } }));
    return () =>
      useRegistry.setState(({ takers }) => ({
        takers: { ...takers, [id]: (takers[id] ?? []).filter((one) => one !== taker) },
      }));
  }, [id, ready]);
}

/** Runs a command; false where nobody takes it now. */
export function runCommand(id: CommandId): boolean {
  const run = useRegistry.getState().takers[id]?.at(-1);
  run?.();
  return run !== undefined;
}
export function useReady(id: CommandId): boolean {
  return useRegistry(({ takers }) => (takers[id]?.length ?? 0) > 0);
}

/** IDs of the commands somebody takes now. */
export function useReadyCommands(): Set<CommandId> {
  const takers = useRegistry((registry) => registry.takers);
  return new Set(commands.map((one) => one.id).filter((id) => (takers[id]?.length ?? 0) > 0));
}

function keyOf(id: CommandId, keys: Registry['keys']): string | null {
  const own = keys[id];
  return own === undefined ? (commands.find((one) => one.id === id)?.key ?? null) : own;
}
export function useKeyOf(id: CommandId): string | null {
  return useRegistry(({ keys }) => keyOf(id, keys));
}

/** Keys of one place beside those that hold everywhere. */
function reachable(places: readonly CommandPlace[]): (typeof commands)[number][] {
  return commands.filter((one) => one.where === 'everywhere' || places.includes(one.where));
}

/** The command a combination means in these places, or `more` where it begins a longer one. */
export function commandOf(combination: string, places: readonly CommandPlace[]): CommandId | 'more' | null {
  const { keys } = useRegistry.getState();
  // The last place named goes first: a bar that has the focus, over the screen it is on.
  for (const one of reachable(places).toSorted((a, b) => places.indexOf(b.where) - places.indexOf(a.where)))
    if (keyOf(one.id, keys) === combination) return one.id;
  return reachable(places).some((one) => keyOf(one.id, keys)?.startsWith(`${combination} `)) ? 'more' : null;
}

/** Gives a command another key (null: none). Returns the command that has it already, and then changes nothing. */
export function remap(id: CommandId, key: string | null): CommandId | null {
  const { keys } = useRegistry.getState();
  const { where } = commands.find((one) => one.id === id) ?? { where: 'everywhere' };
  const rivals =
    where === 'everywhere' ? commands : reachable([where, ...(where === 'consent' ? ['queue' as const] : [])]);
  const taken = rivals.find((one) => {
    const its = keyOf(one.id, keys);
    return (
      one.id !== id &&
      key !== null &&
      its !== null &&
      (its === key || its.startsWith(`${key} `) || key.startsWith(`${its} `))
    );
  });
  if (taken !== undefined) return taken.id;
  const next = { ...keys, [id]: key };
  useRegistry.setState({ keys: next });
  localStorage.setItem(storedUnder, JSON.stringify(next));
  return null;
}
/** All keys as they came. */
export function resetKeys(): void {
  useRegistry.setState({ keys: {} });
  localStorage.removeItem(storedUnder);
}
