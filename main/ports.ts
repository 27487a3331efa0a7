// What the shell, a browser or a terminal lends the host. Everything else in main/ takes these as arguments.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
export interface Random {
  /** `n` random bytes as lower-case hex. */
  hex(n: number): string;
}

/** Now as ISO 8601 UTC text, the only form of time that is stored. */
export function iso(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Where keys and tokens are kept (spec trust, invariant 9): by the shell's key store, elsewhere in memory. */
export interface Secrets {
  /** Whether what is kept outlives the host. */
  lasting: boolean;
  /** Null where there is none. */
  get(name: string): Promise<string | null>;
  /** Null removes it. */
  set(name: string, value: string | null): Promise<void>;
}

export function memorySecrets(): Secrets {
  const kept = new Map<string, string>();
  return {
    lasting: false,
    get: (name) => Promise.resolve(kept.get(name) ?? null),
    set(name, value) {
      if (value === null) kept.delete(name);
      else kept.set(name, value);
      return Promise.resolve();
    },
  };
}
