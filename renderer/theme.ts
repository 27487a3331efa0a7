// Light or dark: as the system says, unless the person chose.
import { create } from 'zustand';

type Theme = 'system' | 'light' | 'dark';
const storedUnder = 'desk.theme';
const order: readonly Theme[] = ['system', 'light', 'dark'];

function stored(): Theme {
  const said = localStorage.getItem(storedUnder);
  return order.find((one) => one === said) ?? 'system';
}
const useTheme = create<{ theme: Theme }>(() => ({ theme: stored() }));

function apply({ theme }: { theme: Theme }): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
/** Keeps the page in the chosen theme. */
export function keepTheme(): void {
  apply(useTheme.getState());
  useTheme.subscribe(apply);
}
/** The next of system, light, dark; returns it in words. */
export function nextTheme(): string {
  const { theme } = useTheme.getState();
  const next = order[(order.indexOf(theme) + 1) % order.length] ?? 'system';
  localStorage.setItem(storedUnder, next);
  useTheme.setState({ theme: next });
  return next === 'system' ? 'As the system: light or dark' : next === 'light' ? 'Light' : 'Dark';
}
