/** Pins: approved definitions (spec host §§6–8). */
import type { JsonObject } from './json.ts';

/** One tool as it came over the wire, before any SDK parsed it; `problem` parks it alone. */
export interface Definition {
  name: string;
  raw: JsonObject;
  /** SHA-256 (hex) over RFC 8785 canonical JSON of the raw object; null where that cannot be made. */
  hash: string | null;
  problem: string | null;
}

export type Mark = 'prose' | 'reference';

export interface Pin {
  prefix: string;
  tool: string;
  /** SHA-256 of the server configuration this pin belongs to. */
  configuration: string;
  hash: string;
  raw: JsonObject;
  /** How each free string parameter may be filled, by JSON pointer into the arguments. */
  marks: Record<string, Mark>;
  no_side_effects: boolean;
  decision: 'approved' | 'refused';
  by: string;
  why: string | null;
  at: string;
}
