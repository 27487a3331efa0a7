// The configured servers: their connections, what they offer through the pins, and the resources attached by rule.
import type { Definition, Pin, Reviewed } from '../shared/pins.ts';
import type { ServerConfig, ServerStatus } from '../shared/servers.ts';
import { isFor } from '../shared/apps.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import { Failure, reason } from '../shared/failures.ts';
import type { Connection } from './mcp/connection.ts';
import type { ListedResource } from './mcp/lists.ts';
import type { Pins } from './pins.ts';
import type { AttachedResource } from './prompt.ts';
import { labelled } from './labels.ts';
import type { OfferedTool } from './slots/plan.ts';
import { readViews } from './views.ts';

export interface Server {
  config: ServerConfig;
  /** SHA-256 of the configuration, part of every pin. */
  configuration: string;
  connection: Connection;
}
interface Anew {
  anew?: boolean;
}
/** The text of a resource; a Failure where there is none, or a person is asked first. */
type ReadText = (prefix: string, uri: string) => Promise<string>;

export interface Servers {
  all(): Server[];
  /** Takes a server in; it starts when it is first needed, or with `start`. */
  add(config: ServerConfig): void;
  /** Ends a server and leaves it out. */
  remove(prefix: string): Promise<void>;
  get(prefix: string): Server | undefined;
  /** Starts every enabled server; those that fail or take long are reported, the rest goes on. */
  start(signal?: AbortSignal): Promise<ServerStatus[]>;
  /**
   * By a pinned name (see `pinnedNames`): its tools, prompts, templates, views or instructions. A server that went away is
   * started again within its budget; `anew`: a person asks for it, nothing counts any more.
   */
  review(name: string, options?: Anew): Promise<Reviewed[]>;
  /** What the server lists under a pinned name. */
  definitions(name: string, options?: Anew): Promise<Definition[]>;
  /** Reads a list anew and holds it against the pins; a server that cannot be read keeps its old list. */
  relist(prefix: string): Promise<void>;
  /** Approved tools in pinned order, over every server that runs. */
  offered(): Promise<{ tools: OfferedTool[]; problems: string[] }>;
  /** Resources of trusted servers for the assistant, priority ≥ 0.8, within the size cap (spec host §21). */
  attached(read: ReadText): Promise<{ resources: AttachedResource[]; problems: string[] }>;
  close(): Promise<void>;
}

const leastPriority = 0.8;
const attachedCharacters = 6_000;
const nameLimit = 128;
/** How long a slow server holds up the desk; its start goes on beside. */
const patience = 10_000;

/** The servers of one host. `connect` makes the connection of one configuration. */
export function createServers(
  configs: ServerConfig[],
  deps: { pins: Pins; connect(config: ServerConfig): Connection },
): Servers {
  const servers: Server[] = [];
  for (const config of configs) if (config.enabled) add(config);

  function add(config: ServerConfig): void {
    const configuration = deps.pins.configurationHash(config);
    servers.push({ config, configuration, connection: deps.connect(config) });
  }

  function serverOf(name: string): Server {
    const prefix = name.split('/')[0];
    const server = servers.find((one) => one.config.prefix === prefix);
    if (server !== undefined) return server;
    throw new Failure(
      'servers.unknown',
      `There is no server "${prefix}". Known: ${servers.map((one) => one.config.prefix).join(', ') || 'none'}.`,
    );
  }
  async function definitions(name: string, { anew = false }: Anew = {}): Promise<Definition[]> {
    const { connection } = serverOf(name);
    if (anew || connection.status().state === 'stopped') await connection.start();
    if (name.endsWith('/prompts')) return connection.prompts();
    if (name.endsWith('/views')) return readViews(connection);
    if (name.endsWith('/instructions')) return connection.instructions();
    return name.endsWith('/templates') ? connection.templates() : connection.tools();
  }
  async function review(name: string, options?: Anew): Promise<Reviewed[]> {
    const server = serverOf(name);
    const found = await definitions(name, options);
    // Set up anew meanwhile: what the other one listed says nothing of this one.
    return serverOf(name) === server ? deps.pins.review(name, server.configuration, found) : review(name, options);
  }

  return {
    all: () => servers,
    get: (prefix) => servers.find((one) => one.config.prefix === prefix),
    add,
    async remove(prefix) {
      const at = servers.findIndex((one) => one.config.prefix === prefix);
      if (at >= 0) await servers.splice(at, 1)[0]?.connection.close();
    },
    async start(signal) {
      const late = AbortSignal.timeout(patience);
      const either = signal === undefined ? late : AbortSignal.any([signal, late]);
      await Promise.allSettled(servers.map((server) => server.connection.start(either)));
      signal?.throwIfAborted();
      return servers.map((server) => server.connection.status());
    },
    review,
    definitions,
    async relist(prefix) {
      const server = servers.find((one) => one.config.prefix === prefix);
      const tools = await server?.connection.tools({ refresh: true }).catch(() => undefined);
      if (server !== undefined && tools !== undefined && servers.includes(server))
        await deps.pins.review(prefix, server.configuration, tools);
    },
    async offered() {
      const tools: OfferedTool[] = [];
      const problems: string[] = [];
      for (const server of servers)
        try {
          const { state, problem } = server.connection.status();
          if (state === 'starting') {
            problems.push(`Server "${server.config.prefix}": ${problem ?? 'it is still starting'}`);
            continue;
          }
          for (const reviewed of await review(server.config.prefix)) {
            // What is for views only, the model never hears of.
            if (!isFor('model', reviewed.definition.raw)) continue;
            const name = `${server.config.prefix}.${reviewed.definition.name}`;
            if (name.length > nameLimit && reviewed.status !== 'parked' && reviewed.status !== 'removed')
              problems.push(
                `${name}: left out, its name is ${name.length} characters long with the prefix; ${nameLimit} are allowed. Give the server a shorter prefix.`,
              );
            else if (reviewed.status === 'approved' && reviewed.pin !== undefined)
              tools.push(offer(server, reviewed.pin));
            else if (reviewed.status !== 'removed') problems.push(`${name}: ${outWords(reviewed)}`);
          }
        } catch (error) {
          problems.push(`Server "${server.config.prefix}": ${reason(error)}`);
        }
      return { tools: labelled(tools), problems };
    },
    async attached(read) {
      const found: AttachedResource[] = [];
      const problems: string[] = [];
      for (const { config, connection } of servers) {
        if (!config.trusted || connection.status().state !== 'ready') continue;
        try {
          for (const listed of await connection.resources()) {
            if (!isAttached(config, listed)) continue;
            const { uri, name, title = name } = listed;
            connection.follow(uri);
            const text = await read(config.prefix, uri);
            if (text.length <= attachedCharacters) found.push({ prefix: config.prefix, uri, title, text });
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          problems.push(error.message);
        }
      }
      return { resources: found, problems };
    },
    async close() {
      await Promise.allSettled(servers.map((server) => server.connection.close()));
    },
  };
}

/** Whether the host's rule takes a resource into every prompt (spec host §21). */
export function isAttached({ trusted }: ServerConfig, { priority = 0, audience = [] }: ListedResource): boolean {
  return trusted && priority >= leastPriority && audience.includes('assistant');
}

/** Names under which a server's definitions are pinned: tools under its prefix, the others beside; no prefix has a slash. */
export function pinnedNames(prefix: string): string[] {
  return [prefix, `${prefix}/prompts`, `${prefix}/templates`, `${prefix}/views`, `${prefix}/instructions`];
}

function outWords(reviewed: Reviewed): string {
  switch (reviewed.status) {
    case 'parked':
      return `left out, ${reviewed.definition.problem ?? 'its definition cannot be used'}`;
    case 'changed':
      return 'changed since it was approved; an admin decides with "desk approve"';
    case 'refused':
      return 'refused by an admin';
    case 'new':
    case 'removed':
    case 'approved':
      return 'new; an admin decides with "desk approve"';
  }
}

function offer(server: Server, pin: Pin): OfferedTool {
  const { prefix } = server.config;
  const schema = pin.raw['inputSchema'];
  return {
    name: `${prefix}.${pin.tool}`,
    prefix,
    tool: pin.tool,
    description: typeof pin.raw['description'] === 'string' ? pin.raw['description'] : '',
    inputSchema: isObject(schema) ? schema : ({} satisfies JsonObject),
    marks: pin.marks,
    configuration: server.configuration,
    definition: pin.hash,
    listed: pin.no_side_effects,
  };
}
