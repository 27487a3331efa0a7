// Documents that stood before the model in a run (spec host §21): which they were, and their texts: as the run keeps them, or,
// where it kept the sum only, as they are now, held against that sum.
import { z } from 'zod';
import type { Attachment } from '../shared/attaching.ts';
import type { ParamsOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import type { AttachedDocument, DocumentText } from '../shared/runs.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import type { AttachedResource } from './prompt.ts';
import type { Store } from './store/open.ts';
import { findRun, readText, saveText } from './store/runs.ts';

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

/** Of a run, or of what is attached to a ticket now. Failures `runs.unknown`, `runs.document`, `servers.read`. */
export async function documentText(
  host: Host,
  asked: ParamsOf<'runs.document'>,
  signal: AbortSignal,
): Promise<DocumentText> {
  const document = 'run' in asked ? await inRun(host, asked) : await atTicket(host, asked);
  if (document === undefined)
    throw new Failure('runs.document', `${asked.uri.slice(0, 200)} does not stand before the model here.`);
  const { prefix, uri, sha256: sum } = document;
  // What a prompt said has no address to listen to.
  if (prefix !== null && /^[a-z][a-z0-9+.-]*:/i.test(uri)) host.servers.get(prefix)?.connection.follow(uri);
  const text = await readText(host.store.db, sum);
  if (text === undefined) {
    await host.startServers();
    const now = await host.readText(signal)(prefix ?? (await serverWith(host, uri)), uri);
    return { text: now, from: sumOf(now) === sum ? 'same' : 'changed', outdated: false };
  }
  return { text, from: 'kept', outdated: prefix !== null && (await outdated(prefix)) };

  /** Only where its server told of a change is it read again. */
  async function outdated(of: string): Promise<boolean> {
    if (!host.changedSince(of, uri)) return false;
    const now = await host
      .readText(signal)(of, uri)
      .catch(() => null);
    return now !== null && sumOf(now) !== sum;
  }
}

async function inRun({ store }: Host, { run: id, uri }: { run: string; uri: string }) {
  const run = await findRun(store.db, id);
  if (run === undefined) throw new Failure('runs.unknown', `There is no ticket run ${id} in this data folder.`);
  return documentsOf(run.settings).find((one) => one.uri === uri);
}
async function atTicket(
  { attachments }: Host,
  { ticket, prefix, uri }: { ticket: string; prefix: string; uri: string },
) {
  return (await attachments.list(ticket)).find((one) => one.prefix === prefix && one.uri === uri);
}
function sumOf(text: string): string {
  return sha256(text.toWellFormed());
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
