// What the window's shell and its host send each other, beside the texts of the contract. Plain JSON; `line` is one page's.
export type ToHost =
  | { line: number; open: true }
  | { line: number; text: string }
  /** Something that is no text came over it: to be counted. */
  | { line: number; refused: string }
  | { line: number; gone: true }
  /** The person wants to quit: how many open questions would end with the host? */
  | { quitting: true }
  /** What the shell's key store says to a `SecretAsked`. */
  | { asked: number; value: string | null }
  | { asked: number; failed: string };

/** The host asks the key store; with `set` it is kept, or removed where that is null. */
export interface SecretAsked {
  asked: number;
  secret: string;
  set?: string | null;
}

export type FromHost =
  | { line: number; text: string }
  | { line: number; end: true }
  | SecretAsked
  /** What would end with it, asked by `quitting`. */
  | { ending: number }
  /** A sentence the person should read. */
  | { says: string }
  /** The address of a server's question, checked by the host, for the person's browser. */
  | { open: string }
  /** It could not start, and ends; trying again does not help by itself. */
  | { failed: string };
