// Whether the screen is narrow, and whether the side pane is then the one on top.
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';

const query = window.matchMedia('(max-width: 1199.98px)');

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => query.matches,
  );
}

export const useSide = create<{ shown: boolean }>(() => ({ shown: false }));

/** Brings the side pane on top, or sends it back; on a wide screen both are seen anyway. */
export function showSide(shown: boolean): void {
  useSide.setState({ shown });
}
