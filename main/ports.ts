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
