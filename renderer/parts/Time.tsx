// A time as people say it, with the exact one on focus and hover; every such word of the page moves on together.
import { useSyncExternalStore } from 'react';
import { cx } from '../classes.ts';
import styles from './Time.module.css';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, 20_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Milliseconds since the epoch, moving on with the page. */
export function useNow(): number {
  const current = useSyncExternalStore(subscribe, () => now);
  return Math.max(current, now);
}

interface Props {
  at: string;
  ago?: boolean;
  /** Reached with Tab, and then it shows the exact time. */
  reached?: boolean;
  className?: string | undefined;
}

export function Time({ at, ago = false, reached = false, className }: Props) {
  const words = since(at, useNow());
  const whole = exact(at);
  return (
    <time
      dateTime={at}
      title={whole}
      className={cx(className, reached && styles.reached)}
      {...(reached ? { tabIndex: 0, 'data-exact': whole } : {})}
    >
      {ago && /(min|h|d)$/.test(words) ? `${words} ago` : words}
    </time>
  );
}

/** "now", "4 min", "3 h", "2 d", then the day itself. */
function since(at: string, from: number): string {
  const minutes = Math.floor((from - Date.parse(at)) / 60_000);
  if (Number.isNaN(minutes)) return at;
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 60 / 24)} d`;
  const year = new Date(from).getFullYear() === new Date(at).getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
}
/** "29 June 2026, 08:56". */
export function exact(at: string): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
}
/** "08:56" of today, else "29 Jun, 08:56". */
export function momentWords(at: string, now = new Date()): string {
  const moment = new Date(at);
  const time = moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return moment.toDateString() === now.toDateString()
    ? time
    : `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
