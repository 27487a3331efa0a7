/** The resources of one server that are shown or attached: what it is listened to about, over all its sessions (spec host §5). */

const most = 20;

export interface Followed {
  /** The newest that were named; an older one beyond twenty is given up. */
  add(uri: string): void;
  /** The server will not tell of it. */
  drop(uri: string): void;
  uris(): string[];
  /** Resolves when another is named, or when the signal comes. */
  more(signal: AbortSignal): Promise<void>;
}

export function createFollowed(): Followed {
  const uris = new Set<string>();
  const refused = new Set<string>();
  const waiting = new Set<() => void>();
  return {
    add(uri) {
      if (refused.has(uri) || uris.has(uri)) return;
      uris.add(uri);
      const [oldest] = uris;
      if (uris.size > most && oldest !== undefined) uris.delete(oldest);
      for (const one of waiting) one();
    },
    drop(uri) {
      uris.delete(uri);
      refused.add(uri);
    },
    uris: () => [...uris],
    async more(signal) {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done, { once: true });
      });
    },
  };
}
