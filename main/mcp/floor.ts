/**
 * Who speaks with an older server over stdio: a question it pushes does not say which call it belongs to, so one call at
 * a time is let out. One that waits for a person gives the floor away and takes it again before the answer goes out.
 */
export interface Floor {
  /** Waits for the floor; gives what gives it back. Nothing is given where the signal came first. */
  take(signal?: AbortSignal): Promise<(() => void) | null>;
}

export function createFloor(): Floor {
  const waiting: (() => void)[] = [];
  let taken = false;

  function next() {
    const first = waiting.shift();
    if (first) first();
    else taken = false;
  }

  return {
    async take(signal) {
      if (signal?.aborted) return null;
      if (taken) {
        const got = await new Promise<boolean>((resolve) => {
          const mine = () => {
            signal?.removeEventListener('abort', leave);
            resolve(true);
          };
          const leave = () => {
            waiting.splice(waiting.indexOf(mine), 1);
            resolve(false);
          };
          waiting.push(mine);
          signal?.addEventListener('abort', leave, { once: true });
        });
        if (!got) return null;
      }
      taken = true;
      let given = false;
      return () => {
        if (!given) next();
        given = true;
      };
    },
  };
}
