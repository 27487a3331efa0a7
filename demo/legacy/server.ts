/**
 * The shop's support server as it was written for 2025-11-25 and stayed: quotes kept by session, questions, model calls and
 * folders asked of the client in the middle of a call, notices over the protocol. For a host that must still get on with it.
 */
/* eslint-disable @typescript-eslint/no-deprecated -- what a server of 2025 does is what this one is for */
import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ServerFactory } from '../servingOptions.ts';
import type { Refund, ShopApi, ShopApiFor } from '../shop/shopApi.ts';
import type { StockApiFor } from '../warehouse/stockApi.ts';
import { restockCsv } from './restockCsv.ts';

/** A person may think for a day; the SDK's own minute is a machine's. */
const PATIENCE_MS = 86_400_000;
const waiting = { timeout: PATIENCE_MS };

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

async function release(api: ShopApi, refund: Refund, { mcpReq }: ServerContext): Promise<CallToolResult> {
  const { refund_id, order_id, amount } = refund;
  const { action, content } = await mcpReq.elicitInput(
    {
      mode: 'form',
      message: `Refund ${refund_id}: pay ${amount} back for order ${order_id}? It is above the limit and held.`,
      requestedSchema: {
        type: 'object',
        properties: { release: { type: 'boolean', title: 'Release the refund' } },
        required: ['release'],
      },
    },
    waiting,
  );
  if (action !== 'accept' || content?.release !== true) return said(JSON.stringify(refund));
  return said(JSON.stringify((await api.confirm(refund_id)) ?? (await api.refund(refund_id)) ?? refund));
}

const rootsResult = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });

async function firstRoot({ mcpReq }: ServerContext): Promise<string | undefined> {
  const { roots } = await mcpReq.send({ method: 'roots/list' }, rootsResult, waiting);
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
    async ({ order_id }, { mcpReq }) => {
      const order = await api(mcpReq.signal).order(order_id);
      if (!order) return said(`There is no order ${order_id}.`, true);
      if (order.status !== 'delivered' && order.status !== 'returned')
        return said(`Order ${order_id} is ${order.status}: only delivered or returned orders are refunded.`, true);
      open = { order_id, amount: order.total };
      await mcpReq.log('info', `quoted ${order.total} for ${order_id}`);
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
    async (_args, context) => {
      const quote = open;
      open = undefined;
      if (!quote) return said('This session has no open quote. Make one with quote_refund.', true);
      const line = api(context.mcpReq.signal);
      const refund = await line.createRefund({ ...quote, reason: null });
      if ('refused' in refund) return said(refund.refused, true);
      await context.mcpReq.log('notice', `refund ${refund.refund_id} is ${refund.status}`);
      return refund.status === 'needs_confirmation'
        ? await release(line, refund, context)
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
    async ({ text }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: 'user', content: { type: 'text', text } }],
          systemPrompt: 'Name the one tool of the shop this ticket needs.',
          maxTokens: 20,
        },
        waiting,
      );
      const [first] = Array.isArray(content) ? content : [content];
      return said(first?.type === 'text' ? first.text : '');
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
    async (_args, context) => {
      const folder = await firstRoot(context);
      if (folder === undefined) return said('The host offers no folder to write into.', true);
      const { csv, products } = await restockCsv(stock(context.mcpReq.signal));
      writeFileSync(join(folder, 'restock.csv'), csv);
      await context.mcpReq.log('info', `wrote ${products} products`);
      return said(`Saved ${products} products to restock.csv.`);
    },
  );
}

/** One server a session: what it remembers is the session's. */
export function createLegacy(deps: LegacyDeps): ServerFactory {
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
