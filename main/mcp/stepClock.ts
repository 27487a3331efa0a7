/** A clock for tests of how long a call may take: it goes by the call's progress, however long a step takes. */
import { vi } from 'vitest';

/** Stops the clock; `ms` go by with each progress, which `steps` keeps. `vi.useRealTimers()` ends it. */
export function stepClock(ms: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const steps: number[] = [];
  function onProgress({ progress }: { progress: number }): void {
    steps.push(progress);
    vi.advanceTimersByTime(ms);
  }
  return { steps, onProgress };
}
