/** When a server that went away may be started again: 1 → 60 s apart, 5 times in 10 minutes (spec trust, "Limits"). */
import type { Clock } from '../ports.ts';
import type { Limits } from './limits.ts';

export interface Budget {
  /** Milliseconds to wait before the next start; Infinity when the budget is spent. */
  wait(): number;
  restarted(): void;
  /** The server went away, or a start failed. */
  ended(): void;
  /** A person starts it: nothing counts any more. */
  reset(): void;
  total(): number;
}

export function createBudget(clock: Clock, limits: Limits): Budget {
  let starts: number[] = [];
  let step = 0;
  let notBefore = 0;
  let last = 0;
  let total = 0;
  return {
    wait() {
      const now = clock.now();
      starts = starts.filter((at) => now - at < limits.restartWindowMs);
      return starts.length >= limits.restarts ? Infinity : Math.max(0, notBefore - now);
    },
    restarted() {
      last = clock.now();
      starts.push(last);
      total++;
    },
    ended() {
      const now = clock.now();
      // One that ran well for a while starts over with the shortest wait.
      if (last > 0 && now - last > limits.backoffMaxMs) step = 0;
      notBefore = now + Math.min(limits.backoffMaxMs, limits.backoffMs * 2 ** step);
      step++;
    },
    reset() {
      starts = [];
      step = 0;
      notBefore = 0;
    },
    total: () => total,
  };
}
