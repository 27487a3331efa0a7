// What a screen reader is told though nobody moved there: one polite and one urgent live region for the whole page.
import { create } from 'zustand';

interface Told {
  polite: string;
  urgent: string;
}
export const useTold = create<Told>(() => ({ polite: '', urgent: '' }));

/** Said when the reader is free; `urgent` interrupts. */
export function announce(words: string, how: keyof Told = 'polite'): void {
  // The same words twice are news only if the region changes.
  useTold.setState((old) => ({ [how]: old[how] === words ? `${words}\u00a0` : words }));
}
