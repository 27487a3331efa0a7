// Asking what may be typed, while somebody types: only once they paused, and never for what is old by then.
import { reason } from '../../shared/failures.ts';
import type { Completed } from '../../shared/attaching.ts';

const pauseMs = 200;

export interface Completing {
  /** Another text stands in the field. */
  typed(value: string): void;
  /** Nobody types any more: what is on its way is stopped. */
  stop(): void;
}

export function createCompleting(deps: {
  ask: (value: string, signal: AbortSignal) => Promise<Completed>;
  tell: (completed: Completed | null, failed: string | null) => void;
}): Completing {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let under = new AbortController();

  function stop(): void {
    clearTimeout(timer);
    under.abort();
  }
  return {
    stop,
    typed(value) {
      stop();
      const mine = new AbortController();
      under = mine;
      timer = setTimeout(() => {
        deps.ask(value, mine.signal).then(
          (completed) => {
            if (!mine.signal.aborted) deps.tell(completed, null);
          },
          (error: unknown) => {
            if (!mine.signal.aborted) deps.tell(null, reason(error));
          },
        );
      }, pauseMs);
    },
  };
}
