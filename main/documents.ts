// Documents that stood before the model in a run (spec host §21): which they were, kept in the run's settings, and their texts,
// each stored once under its sum.
import { z } from 'zod';
import type { Attachment } from '../shared/attaching.ts';
import type { JsonObject } from '../shared/json.ts';
import type { AttachedDocument } from '../shared/runs.ts';
import type { AttachedResource } from './prompt.ts';
import type { Executor, Store } from './store/open.ts';
import { readText, saveText } from './store/runs.ts';

/** What a run's settings hold of its documents; the sums are older than the rest. `added`: by persons, for its ticket. */
const kept = z.object({
  resources: z.record(z.string(), z.string()).default({}),
  documents: z
    .array(z.object({ prefix: z.string(), uri: z.string(), title: z.string().nullable(), bytes: z.number() }))
    .default([]),
  added: z
    .array(
      z.object({
        prefix: z.string(),
        uri: z.string(),
        title: z.string().nullable(),
        bytes: z.number(),
        sha256: z.string(),
        by: z.string(),
      }),
    )
    .default([]),
});

/** The part of a run's settings about its documents; their texts are stored, each once. */
export async function keepDocuments(
  store: Store,
  resources: AttachedResource[],
  attached: Attachment[],
): Promise<JsonObject> {
  const sums: Record<string, string> = {};
  for (const { uri, text } of resources) sums[uri] = await saveText(store.db, text);
  const documents = resources.map(({ prefix, uri, title = null, text }) => ({
    prefix,
    uri,
    title,
    bytes: Buffer.byteLength(text),
  }));
  const added = attached.map(({ prefix, uri, title, bytes, sha256: sum, by }) => ({
    prefix,
    uri,
    title,
    bytes,
    sha256: sum,
    by,
  }));
  return { resources: sums, documents, ...(added.length > 0 && { added }) };
}

/** In the order the model read them. */
export function documentsOf(settings: JsonObject): AttachedDocument[] {
  const { resources, documents, added } = kept.parse(settings);
  const always = Object.entries(resources).map(([uri, sum]) => {
    const { prefix = null, title = null, bytes = null } = documents.find((one) => one.uri === uri) ?? {};
    return { prefix, uri, title, bytes, sha256: sum, by: null };
  });
  return [...always, ...added];
}

/** What the host's rule put before the model, as far as its texts are kept: they back claims, what a person attached does not. */
export async function rulesOf(executor: Executor, settings: JsonObject): Promise<AttachedResource[]> {
  const found: AttachedResource[] = [];
  for (const { prefix, uri, sha256, by } of documentsOf(settings)) {
    const text = by === null ? await readText(executor, sha256) : undefined;
    if (text !== undefined) found.push({ prefix: prefix ?? '', uri, text });
  }
  return found;
}
