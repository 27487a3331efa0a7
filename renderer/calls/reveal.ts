// Bringing a call of the log into sight, and the keyboard to it.
import { create } from 'zustand';
import { showSide } from '../frame/side.ts';

/** The tab of the record that is shown. */
export const useRecordTab = create<{ tab: string }>(() => ({ tab: 'log' }));

/** Brings the keyboard to the call log. */
export function focusLog(): void {
  useRecordTab.setState({ tab: 'log' });
  showSide(true);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-record]')?.focus());
}

export function reveal(call: number): void {
  useRecordTab.setState({ tab: 'log' });
  showSide(true);
  requestAnimationFrame(() => {
    const entry = document.getElementById(`call-${call}`);
    entry?.scrollIntoView({ block: 'nearest' });
    entry?.focus();
  });
}
export const barId = 'consent-bar';

/** Brings the keyboard to the bar that asks, or to the amount where the bar is that far. Never to its button that runs. */
export function focusBar(): void {
  showSide(false);
  requestAnimationFrame(() => {
    const bar = document.getElementById(barId);
    (bar?.querySelector<HTMLElement>('[data-own-enter]') ?? bar)?.focus();
  });
}
