// Listens to the keyboard once for the whole page and runs what a key means where the person is. Typing in a field stays
// typing: there only combinations with a modifier, and Escape, are commands.
import { useEffect } from 'react';
import type { CommandPlace } from '../../shared/commands.ts';
import { announce } from '../parts/announce.ts';
import { usePlace } from '../place.ts';
import { combinationOf } from './keys.ts';
import { commandOf, runCommand } from './registry.ts';

/** How long the second key of a pair is waited for. */
const pairMs = 1_500;

const placeOf = {
  queue: 'queue',
  inbox: 'inbox',
  tools: 'definitions',
  runs: 'runs',
  servers: 'servers',
  model: 'model',
} as const satisfies Record<ReturnType<typeof usePlace.getState>['screen'], CommandPlace>;

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox],[type=radio]), textarea, select') !== null
  );
}
/** Escape in a search that holds something clears it first. */
function clears(target: EventTarget | null, combination: string): boolean {
  return (
    combination === 'Escape' && target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''
  );
}
/** A dialog, menu or list box over the page has the keyboard for itself. */
function busy(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('[role=dialog], [role=alertdialog], [role=menu], [data-popup]') !== null
  );
}
/** These do something of their own on what has the focus. */
function ownKey(target: EventTarget | null, combination: string): boolean {
  return (
    ['Enter', 'Space'].includes(combination) &&
    target instanceof HTMLElement &&
    target.closest('button, a, summary, [role=tab], [role=checkbox], [data-own-enter]') !== null
  );
}

/** A key of the bar that asks, pressed elsewhere, answers nothing: it brings the keyboard there. */
function toTheBar(): void {
  if (runCommand('calls.look')) announce('The question has the keyboard now. Y runs it, N does not.');
}

export function useKeys(): void {
  useEffect(() => {
    let first: { key: string; until: number } | null = null;
    function press(event: KeyboardEvent): void {
      const combination = combinationOf(event);
      if (combination === null || event.isComposing || event.defaultPrevented) return;
      const free = combination === 'Escape' || combination.startsWith('Mod+');
      if (busy(event.target) || (typing(event.target) && !free) || ownKey(event.target, combination)) return;
      if (clears(event.target, combination)) return;
      const inBar = event.target instanceof HTMLElement && event.target.closest('[data-place=consent]') !== null;
      const places: CommandPlace[] = [placeOf[usePlace.getState().screen], ...(inBar ? ['consent' as const] : [])];
      const pair = first !== null && first.until > event.timeStamp ? `${first.key} ${combination}` : combination;
      first = null;
      const meant = commandOf(pair, places);
      if (meant === null && !event.repeat && commandOf(combination, ['consent']) !== null) toTheBar();
      if (meant === 'more') first = { key: pair, until: event.timeStamp + pairMs };
      // A held key moves on, and does nothing else twice.
      else if (meant === null || (event.repeat && !/^tickets\.(next|previous)$/.test(meant)) || !runCommand(meant))
        return;
      event.preventDefault();
      event.stopPropagation();
    }
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, []);
}
