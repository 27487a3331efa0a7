// One after the other, in the order of asking: what a single model can do for several views.

export function createTurns() {
  let last: Promise<null> = Promise.resolve(null);
  let waiting = 0;
  return {
    busy: (): boolean => waiting > 0,
    /** Waits for its turn, then works; whoever gives up while waiting holds up nobody. */
    async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const before = last;
      const { promise, resolve } = Promise.withResolvers<null>();
      last = promise;
      waiting++;
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const leave = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      signal.addEventListener('abort', leave, { once: true });
      try {
        await Promise.race([before, stopped]).finally(() => signal.removeEventListener('abort', leave));
        return await work();
      } finally {
        waiting--;
        void before.then(() => resolve(null));
      }
    },
  };
}
