/**
 * The shop's support server as it was written for 2025-11-25, with the SDK of that time, and stayed: quotes kept by session,
 * questions, model calls and folders asked of the client in the middle of a call, notices over the protocol. For a host that
 * must still get on with it.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Refund, ShopApi, ShopApiFor } from '../shop/shopApi.ts';
import type { StockApiFor } from '../warehouse/stockApi.ts';
import { restockCsv } from './restockCsv.ts';

/** A person may think for a day; the SDK's own minute is a machine's. */
const PATIENCE_MS = 86_400_000;

/** A question belongs to the call it is asked in: over HTTP it goes out on that call's stream. */
function waiting({ requestId, signal }: Called): {
  timeout: number;
  relatedRequestId: string | number;
  signal: AbortSignal;
} {
  return { timeout: PATIENCE_MS, relatedRequestId: requestId, signal };
}

/** What a tool is told of the call it answers. */
interface Called {
  requestId: string | number;
  sessionId?: string | undefined;
  signal: AbortSignal;
}

export interface LegacyDeps {
  api: ShopApiFor;
  stock: StockApiFor;
}

/** The one quote a session has open. */
interface OpenQuote {
  order_id: string;
  amount: string;
}

function said(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

async function release({ server }: McpServer, api: ShopApi, refund: Refund, called: Called): Promise<CallToolResult> {
  const { refund_id, order_id, amount } = refund;
  const { action, content } = await server.elicitInput(
    {
      mode: 'form',
      message: `Refund ${refund_id}: pay ${amount} back for order ${order_id}? It is above the limit and held.`,
      requestedSchema: {
        type: 'object',
        properties: { release: { type: 'boolean', title: 'Release the refund' } },
        required: ['release'],
      },
    },
    waiting(called),
  );
  if (action !== 'accept' || content?.release !== true) return said(JSON.stringify(refund));
  return said(JSON.stringify((await api.confirm(refund_id)) ?? (await api.refund(refund_id)) ?? refund));
}

async function firstRoot({ server }: McpServer, called: Called): Promise<string | undefined> {
  const { roots } = await server.listRoots({}, waiting(called));
  const root = roots.find(({ uri }) => uri.startsWith('file:'));
  return root && fileURLToPath(root.uri);
}

function addRefunds(mcp: McpServer, { api }: LegacyDeps): void {
  let open: OpenQuote | undefined;
  mcp.registerTool(
    'quote_refund',
    {
      title: 'Quote a refund',
      description:
        'Works out what a refund of a whole order would be and keeps it as the quote of this session. Use it before issue_refund, which takes no quote of its own but pays this one instead.',
      inputSchema: z.object({ order_id: z.string() }),
    },
    async ({ order_id }, { signal, sessionId }) => {
      const order = await api(signal).order(order_id);
      if (!order) return said(`There is no order ${order_id}.`, true);
      if (order.status !== 'delivered' && order.status !== 'returned')
        return said(`Order ${order_id} is ${order.status}: only delivered or returned orders are refunded.`, true);
      open = { order_id, amount: order.total };
      await mcp.sendLoggingMessage({ level: 'info', data: `quoted ${order.total} for ${order_id}` }, sessionId);
      return said(JSON.stringify(open));
    },
  );
  mcp.registerTool(
    'issue_refund',
    {
      title: 'Issue the quoted refund',
      description:
        'Makes the refund this session quoted last. Use it only after quote_refund; to learn what a refund would be, use quote_refund instead.',
      inputSchema: z.object({}),
    },
    async (_args, called) => {
      const quote = open;
      open = undefined;
      if (!quote) return said('This session has no open quote. Make one with quote_refund.', true);
      const line = api(called.signal);
      const refund = await line.createRefund({ ...quote, reason: null });
      if ('refused' in refund) return said(refund.refused, true);
      await mcp.sendLoggingMessage(
        { level: 'notice', data: `refund ${refund.refund_id} is ${refund.status}` },
        called.sessionId,
      );
      return refund.status === 'needs_confirmation'
        ? await release(mcp, line, refund, called)
        : said(JSON.stringify(refund));
    },
  );
}

function addTriage(mcp: McpServer): void {
  mcp.registerTool(
    'triage_ticket',
    {
      title: 'Triage a ticket',
      description:
        "Asks the host's own model which tool a ticket needs. Use it when that is unclear; when it is clear, call that tool instead.",
      inputSchema: z.object({ text: z.string() }),
    },
    async ({ text }, called) => {
      const { content } = await mcp.server.createMessage(
        {
          messages: [{ role: 'user', content: { type: 'text', text } }],
          systemPrompt: 'Name the one tool of the shop this ticket needs.',
          maxTokens: 20,
        },
        waiting(called),
      );
      return said(content.type === 'text' ? content.text : '');
    },
  );
}

function addReport(mcp: McpServer, { stock }: LegacyDeps): void {
  mcp.registerTool(
    'save_restock_report',
    {
      title: 'Save the restock report',
      description:
        "Writes what runs low into restock.csv in the first folder the host offers as a root. Use it when someone wants the list as a file; for the figure of one product ask the shop's stock instead.",
      inputSchema: z.object({}),
    },
    async (_args, called) => {
      const folder = await firstRoot(mcp, called);
      if (folder === undefined) return said('The host offers no folder to write into.', true);
      const { csv, products } = await restockCsv(stock(called.signal));
      writeFileSync(join(folder, 'restock.csv'), csv);
      await mcp.sendLoggingMessage({ level: 'info', data: `wrote ${products} products` }, called.sessionId);
      return said(`Saved ${products} products to restock.csv.`);
    },
  );
}

/** One server a session: what it remembers is the session's. */
export function createLegacy(deps: LegacyDeps): () => McpServer {
  return () => {
    const mcp = new McpServer(
      { name: 'shop-legacy', title: 'Fernhill Supply support, 2025', version: '0.9.0' },
      { capabilities: { tools: {}, logging: {} }, instructions: 'Refunds of Fernhill Supply. Amounts are euros.' },
    );
    addRefunds(mcp, deps);
    addTriage(mcp);
    addReport(mcp, deps);
    return mcp;
  };
}
