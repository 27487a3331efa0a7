// Documents that stood before the model in a run (spec host §21): which they were, and their texts: as the run keeps them, or,
// where it kept the sum only, as they are now, held against that sum.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import type { AttachedDocument, DocumentText } from '../shared/runs.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import type { AttachedResource } from './prompt.ts';
import type { Store } from './store/open.ts';
import { findRun, readText, saveText } from './store/runs.ts';

/** What a run's settings hold of its documents; the second came later than the first. */
const kept = z.object({
  resources: z.record(z.string(), z.string()).default({}),
  documents: z
    .array(z.object({ prefix: z.string(), uri: z.string(), title: z.string().nullable(), bytes: z.number() }))
    .default([]),
});

/** The part of a run's settings about its documents; their texts are stored, each once. */
export async function keepDocuments(store: Store, resources: AttachedResource[]): Promise<JsonObject> {
  const sums: Record<string, string> = {};
  for (const { uri, text } of resources) sums[uri] = await saveText(store.db, text);
  const documents = resources.map(({ prefix, uri, title = null, text }) => ({
    prefix,
    uri,
    title,
    bytes: Buffer.byteLength(text),
  }));
  return { resources: sums, documents };
}

/** In the order the model read them. */
export function documentsOf(settings: JsonObject): AttachedDocument[] {
  const { resources, documents } = kept.parse(settings);
  return Object.entries(resources).map(([uri, sum]) => {
    const { prefix = null, title = null, bytes = null } = documents.find((one) => one.uri === uri) ?? {};
    return { prefix, uri, title, bytes, sha256: sum };
  });
}

/** Failures `runs.unknown`, `runs.document`, `servers.read`. */
export async function documentText(
  host: Host,
  asked: { run: string; uri: string },
  signal: AbortSignal,
): Promise<DocumentText> {
  const run = await findRun(host.store.db, asked.run);
  if (run === undefined) throw new Failure('runs.unknown', `There is no ticket run ${asked.run} in this data folder.`);
  const document = documentsOf(run.settings).find(({ uri }) => uri === asked.uri);
  if (document === undefined)
    throw new Failure('runs.document', `${asked.uri.slice(0, 200)} did not stand before the model in this run.`);
  const text = await readText(host.store.db, document.sha256);
  if (text !== undefined) return { text, from: 'kept' };
  await host.startServers();
  const now = await host.readText(signal)(document.prefix ?? (await serverWith(host, asked.uri)), asked.uri);
  return { text: now, from: sha256(now.toWellFormed()) === document.sha256 ? 'same' : 'changed' };
}

/** The server that offers it now. */
async function serverWith({ servers }: Host, uri: string): Promise<string> {
  for (const { config, connection } of servers.all()) {
    const offered = config.trusted ? await connection.resources().catch(() => []) : [];
    if (offered.some((one) => one.uri === uri)) return config.prefix;
  }
  throw new Failure(
    'runs.document',
    `The text of ${uri.slice(0, 200)} was not kept with the run, and no server offers it now.`,
  );
}
