/** The MCP server of the shop: its tools in a fixed order, six policies, orders and stock by template, and one prompt. */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type ReadResourceResult,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { KeyRefused } from '../apiLine.ts';
import type { MayListen } from '../listening.ts';
import type { ServerFactory } from '../servingOptions.ts';
import type { RefundDeps } from './heldRefunds.ts';
import { checkStock, findOrders, getOrderStatus } from './lookups.ts';
import { POLICIES_CACHE, type Policies } from './policies.ts';
import { complete, mayComplete, readRecord, templates } from './records.ts';
import { issueRefund, quoteRefund } from './refunds.ts';
import { getPrompt, prompts } from './reviewRefund.ts';
import type { WhoAsks } from './scope.ts';
import type { ShopApiFor } from './shopApi.ts';
import { schemaOf, ToolError, type Round, type Scope, type Tool } from './tool.ts';

export interface ShopOffer {
  name: string;
  title: string;
  version: string;
  instructions: string;
  tools: readonly Tool[];
  /** How long anybody may keep the list of tools: shorter while it is about to change. */
  toolsMs: number;
  whoAsks: WhoAsks;
  api: ShopApiFor;
  policies: Policies;
}

/** The tools of the staff's server. Every connection shares them: what they remember is made once. */
export function staffTools(deps: RefundDeps): Tool[] {
  return [findOrders, getOrderStatus, quoteRefund(deps), issueRefund(deps), checkStock];
}

/** One nobody at the desk can mend is a protocol error that says whom to ask; the rest says little, the detail is on stderr. */
function protocolError(what: string, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  console.error(`${what}:`, error);
  const text =
    error instanceof KeyRefused
      ? 'The shop refuses this server. Its administrator must set SHOP_API_KEY to a key the shop knows.'
      : 'The shop could not be asked. Try again later.';
  return new ProtocolError(ProtocolErrorCode.InternalError, text);
}

/** A failure the caller can mend is a result. */
function failed(tool: string, error: unknown): CallToolResult {
  if (error instanceof ToolError) return { isError: true, content: [{ type: 'text', text: error.message }] };
  if (error instanceof ProtocolError || error instanceof KeyRefused) throw protocolError(tool, error);
  console.error(`${tool}:`, error);
  return {
    isError: true,
    content: [{ type: 'text', text: `${tool} failed: the shop could not be asked. Try again later.` }],
  };
}

function listed({ name, title, description, input, output, annotations }: Tool) {
  // The SDK types a schema as an object with type "object"; these come from z.object, so they are.
  const inputSchema = schemaOf(input, 'input') as { type: 'object' };
  const outputSchema = schemaOf(output, 'output') as { type: 'object' };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** Reads what a caller may read: a policy is anybody's, a record is the caller's or does not exist. */
async function read({ policies }: ShopOffer, uri: string, scopeOf: () => Promise<Scope>): Promise<ReadResourceResult> {
  if (uri.startsWith('shop://policies/')) return await policies.read(uri);
  return await readRecord(uri, await scopeOf());
}

/** Whoever may read a resource may listen for it. */
export function listensToShop(offer: ShopOffer): MayListen {
  return async (uri, meta, authInfo) => {
    await read(offer, uri, () => offer.whoAsks(offer.api(AbortSignal.timeout(10_000)), meta, authInfo));
  };
}

/** Every connection, and over HTTP every request, gets a server of its own. */
export function createShop(offer: ShopOffer): ServerFactory {
  return (changes) => createShopServer(offer, changes);
}

function newServer({ name, title, version, instructions, toolsMs }: ShopOffer): McpServer {
  return new McpServer(
    { name, version, title },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: {},
        completions: {},
      },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: toolsMs, cacheScope: 'public' },
        'resources/list': POLICIES_CACHE,
        'resources/read': POLICIES_CACHE,
        'resources/templates/list': POLICIES_CACHE,
        'prompts/list': POLICIES_CACHE,
      },
    },
  );
}

function createShopServer(offer: ShopOffer, changes: ServerNotifier): McpServer {
  const { tools, policies } = offer;
  const mcp = newServer(offer);
  const scopeOf = ({ mcpReq, http }: ServerContext, meta: Record<string, unknown> | undefined): Promise<Scope> =>
    offer.whoAsks(offer.api(mcpReq.signal), meta ?? mcpReq._meta, http?.authInfo);

  async function call(name: string, args: unknown, scope: () => Promise<Scope>, round: Round) {
    const tool = tools.find((known) => known.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    try {
      const updated = (uri: string): void => changes.resourceUpdated(uri);
      const result: CallToolResult | InputRequiredResult = await tool.run(args, await scope(), round, { updated });
      if ('structuredContent' in result) tool.output.parse(result.structuredContent);
      return result;
    } catch (error) {
      return failed(name, error);
    }
  }
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  mcp.server.setRequestHandler('tools/call', ({ params }, context) =>
    call(params.name, params.arguments, () => scopeOf(context, params._meta), {
      state: z.string().optional().parse(context.mcpReq.requestState()),
      responses: context.mcpReq.inputResponses,
      dropped: context.mcpReq.droppedInputResponseKeys ?? [],
    }),
  );
  async function told<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw protocolError(what, error);
    }
  }
  mcp.server.setRequestHandler('resources/list', () => policies.list());
  mcp.server.setRequestHandler('resources/templates/list', () => templates);
  mcp.server.setRequestHandler('resources/read', ({ params }, context) =>
    told('resources/read', () => read(offer, params.uri, () => scopeOf(context, params._meta))),
  );
  mcp.server.setRequestHandler('prompts/list', () => prompts);
  mcp.server.setRequestHandler('prompts/get', ({ params }, context) =>
    told('prompts/get', async () =>
      getPrompt(params.name, params.arguments, await scopeOf(context, params._meta), policies),
    ),
  );
  mcp.server.setRequestHandler('completion/complete', ({ params }, context) =>
    told('completion/complete', async () => {
      const { ref, argument } = params;
      if (!mayComplete(ref, argument.name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${argument.name} to complete there.`);
      return { completion: await complete(argument, await scopeOf(context, params._meta)) };
    }),
  );
  return mcp;
}
