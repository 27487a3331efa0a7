/** The MCP server of the shop: five tools over its API and six policies, in a fixed order. */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { checkStock, findOrders, getOrderStatus } from './lookups.ts';
import { createPolicies, POLICIES_CACHE, type Policies } from './policies.ts';
import type { RefundDeps } from './heldRefunds.ts';
import { issueRefund, quoteRefund } from './refunds.ts';
import { KeyRefused } from '../apiLine.ts';
import type { ShopApi, ShopApiFor } from './shopApi.ts';
import { schemaOf, ToolError, type Round, type Scope, type Tool } from './tool.ts';

/** The `_meta` key under which a host names the ticket it works; the server reads the ticket's customer itself. */
const TICKET_KEY = 'example.fernhill/ticket';

export interface ShopServerDeps extends RefundDeps {
  api: ShopApiFor;
  policies: URL;
}

async function scopeOf(api: ShopApi, meta: Record<string, unknown> | undefined): Promise<Scope> {
  const ticket = meta?.[TICKET_KEY];
  if (ticket === undefined) return { api, customer: undefined, caller: 'staff' };
  if (typeof ticket !== 'string') {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `_meta["${TICKET_KEY}"] must be the ID of a ticket, like T-0613.`,
    );
  }
  // A ticket the shop does not know has no customer, and so sees nobody's records.
  return { api, customer: (await api.customerOfTicket(ticket)) ?? null, caller: `ticket ${ticket}` };
}

/** A failure the caller can mend is a result; one nobody at the desk can mend is a protocol error; the rest says little. */
function failed(tool: string, error: unknown): CallToolResult {
  if (error instanceof ToolError) return { isError: true, content: [{ type: 'text', text: error.message }] };
  if (error instanceof ProtocolError) throw error;
  console.error(`${tool}:`, error);
  if (error instanceof KeyRefused) {
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The shop refuses this server. Its administrator must set SHOP_API_KEY to a key the shop knows.',
    );
  }
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

/** Every connection, and over HTTP every request, gets a server of its own; what they must share is made here, once. */
export function createShop(deps: ShopServerDeps): () => McpServer {
  const tools = [findOrders, getOrderStatus, quoteRefund(deps), issueRefund(deps), checkStock];
  const policies = createPolicies(deps.policies);
  return () => createShopServer(deps.api, tools, policies);
}

function createShopServer(apiFor: ShopApiFor, tools: readonly Tool[], policies: Policies): McpServer {
  const mcp = new McpServer(
    { name: 'shop-support', version: '1.0.0', title: 'Fernhill Supply shop' },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: 'Orders, refunds and stock of Fernhill Supply. Amounts are euros.',
      cacheHints: {
        'tools/list': { ttlMs: 300_000, cacheScope: 'public' },
        'resources/list': POLICIES_CACHE,
        'resources/read': POLICIES_CACHE,
        'resources/templates/list': POLICIES_CACHE,
      },
    },
  );
  async function call(
    name: string,
    args: unknown,
    meta: Record<string, unknown> | undefined,
    round: Round,
    signal: AbortSignal,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = tools.find((known) => known.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    try {
      const result = await tool.run(args, await scopeOf(apiFor(signal), meta), round);
      if ('structuredContent' in result) tool.output.parse(result.structuredContent);
      return result;
    } catch (error) {
      return failed(name, error);
    }
  }
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    call(
      params.name,
      params.arguments,
      params._meta ?? mcpReq._meta,
      {
        state: z.string().optional().parse(mcpReq.requestState()),
        responses: mcpReq.inputResponses,
        dropped: mcpReq.droppedInputResponseKeys ?? [],
      },
      mcpReq.signal,
    ),
  );
  mcp.server.setRequestHandler('resources/list', () => policies.list());
  mcp.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  mcp.server.setRequestHandler('resources/read', ({ params }) => policies.read(params.uri));
  return mcp;
}
