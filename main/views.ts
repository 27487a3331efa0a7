// Views of tools (MCP Apps): the HTML that definitions of tools name, read from its server as a definition of its own, so that
// pins hold it by its own hash like any other (spec host §§6, 22). Nothing here is ever shown.
import { outward, viewType, viewUri } from '../shared/apps.ts';
import { Failure } from '../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import type { Definition } from '../shared/pins.ts';
import { definitionHash } from './mcp/canonical.ts';
import type { Connection } from './mcp/connection.ts';

/** Characters of one view. */
const longest = 1024 * 1024;
const mostViews = 32;

/** Every view that tools of a server name, as it is now; one that cannot be used has a `problem`. */
export async function readViews(connection: Pick<Connection, 'tools' | 'read'>): Promise<Definition[]> {
  const tools = (await connection.tools()).filter((one) => one.problem === null);
  const uris = new Set(tools.flatMap(({ raw }) => viewUri(raw) ?? []));
  return Promise.all([...uris].slice(0, mostViews).map((uri) => readView(connection, uri)));
}

async function readView(connection: Pick<Connection, 'read'>, uri: string): Promise<Definition> {
  const outcome = await connection.read({ uri });
  if (outcome.kind === 'input required') return parked(uri, 'Its server asks something before it gives it.');
  if (outcome.kind !== 'result')
    return parked(uri, `It cannot be read: ${outcome.kind === 'protocol error' ? outcome.message : outcome.reason}.`);
  const [content] = outcome.contents;
  const problem = problemIn(uri, outcome.contents);
  if (problem !== null || !isObject(content)) return parked(uri, problem ?? 'It is no text.');
  try {
    const raw: JsonObject = { name: uri, ...content };
    return { name: uri, raw, hash: definitionHash(raw), problem: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return parked(uri, error.message);
  }
}

function problemIn(uri: string, contents: Json[]): string | null {
  const [content] = contents;
  if (contents.length !== 1 || !isObject(content)) return `Its server gives ${contents.length} documents for it.`;
  if (content['uri'] !== uri) return 'Its server gives another document for it.';
  const { mimeType, text } = content;
  if (typeof mimeType !== 'string' || mimeType.toLowerCase().replaceAll(/\s/g, '') !== viewType)
    return `It is no ${viewType}.`;
  if (typeof text !== 'string') return 'It is no text.';
  if (outward.test(text)) return 'It holds a frame or a link element, which a view may not.';
  return text.length > longest ? `It has ${text.length} characters; at most ${longest} are shown.` : null;
}

function parked(uri: string, problem: string): Definition {
  return { name: uri, raw: { name: uri }, hash: null, problem: problem.slice(0, 400) };
}
