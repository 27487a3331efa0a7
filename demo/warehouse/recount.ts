/** Counting the shelves, product by product: as one long call with progress, and as the task behind the restock report. */
import type { CallToolResult, ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answer } from '../shop/tool.ts';
import { requireTasks, TaskStopped, type Tasks, type TaskWork } from '../tasks.ts';
import { offerTool, type OfferedTool } from '../toolServer.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { RESTOCK_VIEW, stockUris } from './resources.ts';
import type { Product, StockApiFor } from './stockApi.ts';

export interface RecountDeps {
  api: StockApiFor;
  ledger: Ledger;
  now: () => Date;
  changes: () => ServerNotifier;
}

const counted = z.object({ sku: z.string(), name: z.string(), units: z.int() });
type Counted = z.infer<typeof counted>;

interface Piece {
  /** As the ledger names it. */
  work: string;
  signal: AbortSignal;
  /** Counted by an earlier runner. */
  before: readonly Counted[];
  told(all: readonly Counted[], products: readonly Product[]): void;
  ended(error: unknown): Parameters<LedgerEntry['end']>[0];
}

/** Each product in turn; what was counted is told after each, and nothing more begins once the signal says so. */
async function recountAll({ api, ledger, changes }: RecountDeps, piece: Piece): Promise<Counted[]> {
  const { signal } = piece;
  const entry = ledger.begin(piece.work);
  const all = [...piece.before];
  try {
    const line = api(signal);
    const products = await line.products();
    for (const { sku, name } of products.slice(all.length)) {
      signal.throwIfAborted();
      all.push({ sku, name, units: await line.recount(sku) });
      entry.counted(all.length);
      for (const uri of stockUris(sku)) changes().resourceUpdated(uri);
      piece.told(all, products);
    }
    entry.end('finished');
    return all;
  } catch (error) {
    entry.end(piece.ended(error));
    throw error;
  }
}

export function recountStock(deps: RecountDeps): OfferedTool {
  return offerTool({
    name: 'recount_stock',
    title: 'Recount all stock',
    description:
      'Counts every product on the shelves of both warehouses anew, which takes minutes and tells how far it is. Use it when many figures look wrong. For what to order from suppliers use restock_report instead, and to put one known figure right use set_on_hand.',
    input: z.object({}),
    output: z.object({ products: z.int(), units: z.int(), recounted_at: z.string() }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (_args, { signal, progress }) => {
      const all = await recountAll(deps, {
        work: 'recount_stock',
        signal,
        before: [],
        told: (done, products) => progress(done.length, products.length, `recounted ${done.at(-1)?.sku ?? ''}`),
        ended: () => (signal.aborted ? 'cancelled' : 'failed'),
      });
      const units = all.reduce((sum, row) => sum + row.units, 0);
      return answer({ products: all.length, units, recounted_at: deps.now().toISOString() });
    },
  });
}

const below = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(10_000, 'must be at most 10000')
  .default(30)
  .describe('List products with fewer units than this.');

const report = z.object({
  below: z.int(),
  products: z.int(),
  units: z.int(),
  reorder: z.array(counted.extend({ short_by: z.int() })),
});

function restocked(limit: number, all: readonly Counted[]): CallToolResult {
  const reorder = all
    .filter(({ units }) => units < limit)
    .sort((a, b) => a.units - b.units)
    .map((row) => ({ ...row, short_by: limit - row.units }));
  const units = all.reduce((sum, row) => sum + row.units, 0);
  return answer({ below: limit, products: all.length, units, reorder });
}

/** The work of the task: kept is what was counted so far, so that it goes on after a restart. */
export function restockWork(deps: RecountDeps): TaskWork {
  return async (args, { kept, done, signal }) => {
    const { below: limit } = z.object({ below: z.int() }).parse(args);
    const all = await recountAll(deps, {
      work: 'restock_report',
      signal,
      before: z.array(counted).parse(kept ?? []),
      told: (rows, products) => done(rows, `recounted ${rows.length} of ${products.length}`),
      ended: (error) => (signal.aborted ? 'interrupted' : error instanceof TaskStopped ? 'cancelled' : 'failed'),
    });
    return restocked(limit, all);
  };
}

export function restockReport(tasks: Tasks): OfferedTool {
  return offerTool({
    name: 'restock_report',
    title: 'Restock report',
    description:
      'Counts every product anew and lists those that run low, fewest first; it takes minutes and goes on as a task. Use it when someone wants to know what to order from suppliers. For the figures of one product use the stock look-up of the shop instead.',
    input: z.object({ below }),
    output: report,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: { ui: { resourceUri: RESTOCK_VIEW } },
    run: (args, { declaresTasks, caller }) => {
      requireTasks(declaresTasks);
      return tasks.create('restock_report', caller, args);
    },
  });
}
