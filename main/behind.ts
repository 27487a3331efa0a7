// A call that goes on at its server longer than a view is let wait: its run is left waiting, the call goes on behind it, and
// whoever works tickets is told when it ended (spec host §22).
import type { Call } from '../shared/calls.ts';
import type { Calls } from './calls.ts';
import type { GateAnswer } from './loop.ts';

export function createBehind(deps: { calls: Calls; ended?: ((call: Call) => Promise<void>) | undefined }) {
  const going = new Map<string, Promise<GateAnswer | null>>();
  const all = new Set<Promise<unknown>>();

  function keep(work: Promise<unknown>): void {
    const kept = work.catch(() => undefined).finally(() => all.delete(kept));
    all.add(kept);
  }
  /** Not told of one that waits for a person, or that a view took over. */
  async function tell(id: string, answer: GateAnswer | null): Promise<void> {
    if (answer !== null && answer.outcome !== 'waiting') await deps.ended?.(await deps.calls.get(id));
  }

  return {
    /** What it comes to within `ms`; null where it takes longer, after which `left` is called and it goes on behind. */
    async wait(
      id: string,
      work: Promise<GateAnswer | null>,
      { ms, signal, left }: { ms: number; signal?: AbortSignal | undefined; left: () => void },
    ): Promise<GateAnswer | null> {
      const whole = work.finally(() => going.get(id) === whole && going.delete(id));
      going.set(id, whole);
      const late = Promise.withResolvers<null>();
      const give = () => late.resolve(null);
      const timer = setTimeout(give, ms);
      if (signal?.aborted) give();
      signal?.addEventListener('abort', give, { once: true });
      try {
        const first = await Promise.race([whole.then((answer) => ({ answer })), late.promise]);
        if (first !== null) return first.answer;
        left();
        keep(whole.then((answer) => tell(id, answer)));
        return null;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', give);
      }
    },
    /** Settles when the call ended or waits for a person; false where nothing of it goes on. */
    async end(id: string): Promise<boolean> {
      const work = going.get(id);
      await work?.catch(() => null);
      return work !== undefined;
    },
    async quiet(): Promise<void> {
      await Promise.allSettled([...all]);
    },
  };
}
