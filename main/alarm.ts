// One timer for the next thing that falls due (a snooze, a reply on its way), however many there are.
import { reason } from '../shared/failures.ts';
import type { Clock } from './ports.ts';

/** Longer timers overflow; a look each hour also follows a clock that was set. */
const longest = 3_600_000;

export interface Alarm {
  /** Something new may be due earlier. */
  set(): Promise<void>;
  close(): Promise<void>;
}

export function createAlarm(deps: {
  clock: Clock;
  /** ISO 8601 time of what is due next, or null. */
  next: () => Promise<string | null>;
  ring: () => Promise<void>;
  say: (sentence: string) => void;
}): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let running: Promise<void> = Promise.resolve();

  async function set(): Promise<void> {
    const at = await deps.next();
    clearTimeout(timer);
    if (at === null || closed) return;
    const wait = Math.min(Math.max(Date.parse(at) - deps.clock.now(), 0), longest);
    timer = setTimeout(() => {
      running = go();
    }, wait);
    timer.unref();
  }
  async function go(): Promise<void> {
    try {
      await deps.ring();
      await set();
    } catch (error) {
      deps.say(`What was due could not be done: ${reason(error)}`);
    }
  }
  return {
    set,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
