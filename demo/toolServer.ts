/** The sample company's smaller servers: a fixed list of tools, and what every one of them checks the same way. */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type ListResourcesResult,
  type ReadResourceResult,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseArguments, schemaOf, ToolError, type Round } from './shop/tool.ts';

export interface Call {
  round: Round;
  meta: Record<string, unknown>;
}

type Outcome = CallToolResult | InputRequiredResult;

export interface OfferedTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run(args: unknown, call: Call): Outcome;
}

export interface Resources {
  list(): ListResourcesResult;
  /** -32602 with the URI for anything that is not exactly the URI of a resource. */
  read(uri: string): ReadResourceResult;
}

export interface Offer {
  name: string;
  title: string;
  version: string;
  instructions: string;
  tools: readonly OfferedTool[];
  resources?: Resources;
}

/** Rooms and the like change with a release of the server only. */
const RESOURCES_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** A tool whose `run` gets its arguments already parsed. */
export function offerTool<I extends z.ZodObject>(
  tool: Omit<OfferedTool, 'input' | 'run'> & { input: I; run(args: z.output<I>, call: Call): Outcome },
): OfferedTool {
  return { ...tool, run: (args, call) => tool.run(parseArguments(tool, args), call) };
}

function listed({ name, title, description, input, output, annotations }: OfferedTool) {
  // The SDK types a schema as an object with type "object"; these come from z.object, so they are.
  const inputSchema = schemaOf(input, 'input') as { type: 'object' };
  const outputSchema = schemaOf(output, 'output') as { type: 'object' };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** A failure the caller can mend is a result; a protocol error stays one; the rest says little, the detail is on stderr. */
function failed(tool: string, error: unknown): CallToolResult {
  if (error instanceof ProtocolError) throw error;
  if (!(error instanceof ToolError)) console.error(`${tool}:`, error);
  const text = error instanceof ToolError ? error.message : `${tool} failed. Try again later.`;
  return { isError: true, content: [{ type: 'text', text }] };
}

export function createToolServer({ name, title, version, instructions, tools, resources }: Offer): McpServer {
  const mcp = new McpServer(
    { name, version, title },
    {
      capabilities: { tools: {}, ...(resources ? { resources: {} } : {}) },
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
  mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = tools.find((known) => known.name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const round: Round = {
      state: z.string().optional().parse(mcpReq.requestState()),
      responses: mcpReq.inputResponses,
      dropped: mcpReq.droppedInputResponseKeys ?? [],
    };
    try {
      const result = tool.run(params.arguments, { round, meta: { ...(params._meta ?? mcpReq._meta) } });
      if ('structuredContent' in result) tool.output.parse(result.structuredContent);
      return result;
    } catch (error) {
      return failed(tool.name, error);
    }
  });
  if (resources) {
    mcp.server.setRequestHandler('resources/list', () => resources.list());
    mcp.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    mcp.server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri));
  }
  return mcp;
}
