// Where a person is: the screen, and the thing open on it. Kept in the address, so that a reload comes back to it.
import { create } from 'zustand';

export type ScreenId = 'queue' | 'inbox' | 'tools' | 'runs' | 'servers' | 'model';
const ids: readonly string[] = ['queue', 'inbox', 'tools', 'runs', 'servers', 'model'] satisfies ScreenId[];

interface Place {
  screen: ScreenId;
  /** ID of what is open on the screen. */
  open: string | null;
}

function placeOf(hash: string): Place {
  const [screen = '', open] = hash.replace(/^#\/?/, '').split('/');
  // Checked in the same breath.
  return ids.includes(screen)
    ? { screen: screen as ScreenId, open: open === undefined || open === '' ? null : decoded(open) }
    : { screen: 'queue', open: null };
}
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const usePlace = create<Place>(() => placeOf(location.hash));

/** Goes to a screen, and to a thing on it. */
export function go(screen: ScreenId, open: string | null = null): void {
  usePlace.setState({ screen, open });
  history.replaceState(null, '', `#/${screen}${open === null ? '' : `/${encodeURIComponent(open)}`}`);
}
