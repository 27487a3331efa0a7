// `desk contract OLD NEW`: what changed between two tool lists, in words, for whoever publishes a server. It leaves with 4
// where something may break callers or readers, so that a pipeline can stop there.
import { existsSync, readFileSync } from 'node:fs';
import { Failure, reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { readServers } from '../../shared/serverFile.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { parseStrict } from '../mcp/canonical.ts';
import { createConnection } from '../mcp/connection.ts';
import { contractDifference, type ContractChange } from '../toolContract.ts';
import { visible } from '../visible.ts';
import { exit, withDesk, type Context } from './context.ts';
import { styled } from './present.ts';

type Tools = Map<string, JsonObject>;

const sources =
  'OLD and NEW are each a file (the result of tools/list, a list of tools, or the configuration of one server, which is started and asked), the prefix of a server here (what was approved of it), or PREFIX@now (what it offers now).';

export async function contractCommand(context: Context, before: string, after: string): Promise<number> {
  const [old, now] = [await toolsOf(context, before), await toolsOf(context, after)];
  const changes = contractDifference(old, now);
  const breaking = {
    callers: changes.filter((change) => change.breaking === 'callers').length,
    readers: changes.filter((change) => change.breaking === 'readers').length,
  };
  if (context.global.json) context.json({ breaking, changes });
  else print(context, changes, breaking, now.size);
  return breaking.callers + breaking.readers > 0 ? exit.breaking : exit.done;
}

function print(
  context: Context,
  changes: ContractChange[],
  { callers, readers }: { callers: number; readers: number },
  tools: number,
): void {
  let last = '';
  for (const { tool, field, text, breaking } of changes) {
    if (tool !== last) context.print(styled('bold', visible(tool)));
    last = tool;
    const side = field === 'inputSchema' ? 'takes: ' : field === 'outputSchema' ? 'gives: ' : '';
    context.print(`  ${side}${text}${breaking === null ? '' : styled('red', ` (may break ${breaking})`)}`);
  }
  const all = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  if (changes.length === 0) context.print(`No difference; ${tools} ${tools === 1 ? 'tool' : 'tools'}.`);
  else if (callers + readers === 0) context.print(`Compatible: ${all}, none breaks callers or readers.`);
  else context.print(`Breaking: of ${all}, ${callers} may break callers and ${readers} may break readers.`);
}

async function toolsOf(context: Context, source: string): Promise<Tools> {
  if (existsSync(source)) return fromFile(source, context.signal);
  const [, prefix, now] = /^([A-Za-z0-9_-]{1,32})(@now)?$/.exec(source) ?? [];
  if (prefix === undefined) throw new Failure('cli.use', `${visible(source)} is no file and no server. ${sources}`);
  return withDesk(context, {}, async (desk) => {
    const { tools } = await desk.request('servers.check', { prefix }, context.signal);
    if (now !== undefined)
      return byName(
        tools.flatMap(({ definition, status }) => (status === 'removed' ? [] : [definition.raw])),
        source,
      );
    return byName(
      tools.flatMap(({ pin }) => (pin?.decision === 'approved' ? [pin.raw] : [])),
      source,
    );
  });
}

async function fromFile(file: string, signal: AbortSignal): Promise<Tools> {
  let text: string;
  let json: Json;
  try {
    text = readFileSync(file, 'utf8');
    json = parseStrict(text);
  } catch (error) {
    throw new Failure('contract.file', `${file} cannot be read: ${reason(error)}`);
  }
  const listed = listIn(json);
  if (listed !== null) return byName(listed, file);
  const [config, ...more] = readServers(text, file);
  if (config === undefined || more.length > 0)
    throw new Failure(
      'contract.file',
      `${file} holds ${more.length + 1} servers; one is compared at a time. ${sources}`,
    );
  return byName(await offeredBy(config, signal), file);
}

/** The list of tools in a file, or null where it holds none. */
function listIn(json: Json): Json[] | null {
  if (Array.isArray(json)) return json.every((one) => isObject(one) && 'inputSchema' in one) ? json : null;
  if (!isObject(json)) return null;
  const { tools, result } = json;
  if (Array.isArray(tools)) return tools;
  return isObject(result) && Array.isArray(result['tools']) ? result['tools'] : null;
}

function byName(list: Json[], where: string): Tools {
  const tools: Tools = new Map();
  for (const tool of list) {
    const name = isObject(tool) ? tool['name'] : undefined;
    if (!isObject(tool) || typeof name !== 'string')
      throw new Failure('contract.file', `${where} holds a tool without a name. ${sources}`);
    if (tools.has(name)) throw new Failure('contract.file', `${where} holds the tool ${visible(name)} twice.`);
    tools.set(name, tool);
  }
  return tools;
}

/** Starts a server, asks what it offers and ends it. */
async function offeredBy(config: ServerConfig, signal: AbortSignal): Promise<JsonObject[]> {
  const connection = createConnection(config, { clock: { now: () => Date.now() }, eras: new Map<string, Json>() });
  try {
    await connection.start(signal);
    return (await connection.tools()).map(({ raw }) => raw);
  } finally {
    await connection.close();
  }
}
