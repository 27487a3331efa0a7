// The text of a document that stood before the model (spec host §21): as it is kept, or, where only its sum was, as it is now,
// held against that sum.
import type { ParamsOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { DocumentText } from '../shared/runs.ts';
import { documentsOf } from './documents.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import { findRun, readText } from './store/runs.ts';

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
