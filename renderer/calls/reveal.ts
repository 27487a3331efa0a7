// Bringing a call of the log into sight, and the keyboard to it.
import { showSide } from '../frame/side.ts';

export function reveal(call: number): void {
  showSide(true);
  requestAnimationFrame(() => {
    const entry = document.getElementById(`call-${call}`);
    entry?.scrollIntoView({ block: 'nearest' });
    entry?.focus();
  });
}
export const barId = 'consent-bar';

/** Brings the keyboard to the bar that asks. Never to its button that runs. */
export function focusBar(): void {
  showSide(false);
  requestAnimationFrame(() => document.getElementById(barId)?.focus());
}
