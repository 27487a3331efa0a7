/** The sample company's smaller servers: a fixed list of tools, and what every one of them checks the same way. */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CallToolResult,
  type InputRequiredResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type ServerContext,
  type ServerNotifier,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callerOf } from './caller.ts';
import { notifierOf } from './changes.ts';
import type { MayListen } from './listening.ts';
import { parseArguments, schemaOf, ToolError, type Round } from './shop/tool.ts';
import { declaresTasks, serveTasks, TASKS_EXTENSION, type Tasks } from './tasks.ts';

export interface Call {
  round: Round;
  meta: Record<string, unknown>;
  /** Aborts when the caller cancels or leaves. */
  signal: AbortSignal;
  /** Tells a caller who asked for it how far the work is. */
  progress: (done: number, total: number, message: string) => void;
  changes: ServerNotifier;
  /** Who asks, as `caller.ts` says. */
  caller: string;
  /** Whether the client of this very request knows tasks. */
  declaresTasks: boolean;
}

/** `resultType: "task"`: a result that stands for work going on. */
type TaskResult = ReturnType<Tasks['create']>;
type Outcome = CallToolResult | InputRequiredResult | TaskResult;

export interface OfferedTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  /** As for the views of MCP Apps: `ui.resourceUri`, `ui.visibility`. */
  _meta?: Record<string, unknown>;
  run(args: unknown, call: Call): Outcome | Promise<Outcome>;
}

export interface Resources {
  list(): ListResourcesResult;
  templates?: ListResourceTemplatesResult;
  /** -32602 with the URI for anything that is not exactly the URI of a resource. */
  read(uri: string, signal: AbortSignal): ReadResourceResult | Promise<ReadResourceResult>;
}

export interface Offer {
  name: string;
  title: string;
  version: string;
  instructions: string;
  tools: readonly OfferedTool[];
  resources?: Resources;
  /** Resources that change while the server runs are listened for. */
  changing?: boolean;
  tasks?: Tasks;
}

/** Rooms and the like change with a release of the server only. */
const RESOURCES_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** A tool whose `run` gets its arguments already parsed. */
export function offerTool<I extends z.ZodObject>(
  tool: Omit<OfferedTool, 'input' | 'run'> & {
    input: I;
    run(args: z.output<I>, call: Call): Outcome | Promise<Outcome>;
  },
): OfferedTool {
  return { ...tool, run: (args, call) => tool.run(parseArguments(tool, args), call) };
}

function listed({ name, title, description, input, output, annotations, _meta }: OfferedTool) {
  // The SDK types a schema as an object with type "object"; these come from z.object, so they are.
  const inputSchema = schemaOf(input, 'input') as { type: 'object' };
  const outputSchema = schemaOf(output, 'output') as { type: 'object' };
  return { name, title, description, inputSchema, outputSchema, annotations, ...(_meta ? { _meta } : {}) };
}

/** A failure the caller can mend is a result; a protocol error stays one; the rest says little, the detail is on stderr. */
function failed(tool: string, error: unknown): CallToolResult {
  if (error instanceof ProtocolError) throw error;
  if (!(error instanceof ToolError)) console.error(`${tool}:`, error);
  const text = error instanceof ToolError ? error.message : `${tool} failed. Try again later.`;
  return { isError: true, content: [{ type: 'text', text }] };
}

/** What is told of the progress of a call; a caller that left is told nothing. */
function progressOf({ mcpReq }: ServerContext): Call['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return (progress, total, message) => {
    if (mcpReq.signal.aborted) return;
    const params = { progressToken, progress, total, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch((error: unknown) => console.error(error));
  };
}

function callOf(context: ServerContext, meta: Record<string, unknown>, changes: ServerNotifier): Call {
  const { mcpReq } = context;
  return {
    round: {
      state: z.string().optional().parse(mcpReq.requestState()),
      responses: mcpReq.inputResponses,
      dropped: mcpReq.droppedInputResponseKeys ?? [],
    },
    meta,
    signal: mcpReq.signal,
    progress: progressOf(context),
    changes,
    caller: callerOf(context, meta),
    declaresTasks: declaresTasks(context),
  };
}

export function createToolServer(offer: Offer, changes = notifierOf([])): McpServer {
  const { name, title, version, instructions, tools, resources, changing = false, tasks } = offer;
  const listening = changing ? { subscribe: true } : {};
  const mcp = new McpServer(
    { name, version, title },
    {
      capabilities: {
        tools: {},
        ...(resources ? { resources: listening } : {}),
        ...(tasks ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
      },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: 300_000, cacheScope: 'public' },
        'resources/list': RESOURCES_CACHE,
        'resources/read': RESOURCES_CACHE,
        'resources/templates/list': RESOURCES_CACHE,
      },
    },
  );
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find((known) => known.name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    try {
      const meta = { ...(params._meta ?? context.mcpReq._meta) };
      const result = await tool.run(params.arguments, callOf(context, meta, changes));
      if ('structuredContent' in result) tool.output.parse(result.structuredContent);
      // The SDK's types know no result of an extension; its wire passes one through.
      return result as CallToolResult;
    } catch (error) {
      return failed(tool.name, error);
    }
  });
  if (resources) {
    mcp.server.setRequestHandler('resources/list', () => resources.list());
    mcp.server.setRequestHandler('resources/templates/list', () => resources.templates ?? { resourceTemplates: [] });
    mcp.server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
      resources.read(params.uri, mcpReq.signal),
    );
  }
  if (tasks) serveTasks(mcp, tasks);
  return mcp;
}

/** Whoever may read a resource may listen for it; these servers answer everybody alike. */
export function listensTo(resources: Resources): MayListen {
  return async (uri) => {
    const { contents } = await resources.read(uri, AbortSignal.timeout(10_000));
    if (contents.length === 0) throw new ResourceNotFoundError(uri, 'There is no such resource.');
  };
}
