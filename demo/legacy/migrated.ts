/**
 * The same server brought over to 2026-07-28: a quote is a handle the caller sends back, the question comes as a result, the
 * folder is an argument checked against the server's own list, the model call is gone, and notices go to stderr.
 */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, isAbsolute } from 'node:path';
import { z } from 'zod';
import type { RefundDeps } from '../shop/heldRefunds.ts';
import { issueRefund, quoteRefund } from '../shop/refunds.ts';
import { answer, defineTool, ToolError, type Tool } from '../shop/tool.ts';
import type { StockApiFor } from '../warehouse/stockApi.ts';
import { restockCsv } from './restockCsv.ts';

function isWithin(folder: string, allowed: string): boolean {
  const way = relative(allowed, folder);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
}

/** The folder itself, links and all followed; only then is it compared. */
function exportFolder(given: string, allowed: readonly string[]): string {
  const refused = new ToolError(
    `${JSON.stringify(given)} is not a folder for exports. Send one of these instead: ${allowed.map((one) => basename(one)).join(', ')}.`,
  );
  if (given.includes('\0')) throw refused;
  for (const base of allowed) {
    // A bare name is that of an allowed folder; anything else is taken from there.
    const wanted = given === basename(base) ? base : resolve(base, given);
    try {
      const real = realpathSync(wanted);
      if (allowed.some((one) => isWithin(real, one))) return real;
    } catch {
      // No such folder below this one.
    }
  }
  throw refused;
}

/** Never through a link that stands where the file is to be. */
function writeInto(folder: string, text: string): void {
  const fresh = mkdtempSync(join(folder, '.restock-'));
  writeFileSync(join(fresh, 'restock.csv'), text, { flag: 'wx' });
  renameSync(join(fresh, 'restock.csv'), join(folder, 'restock.csv'));
  rmSync(fresh, { recursive: true });
}

function saveRestockReport(stock: StockApiFor, folders: readonly string[]): Tool {
  const allowed = folders.map((folder) => {
    mkdirSync(folder, { recursive: true });
    return realpathSync(folder);
  });
  return defineTool({
    name: 'save_restock_report',
    title: 'Save the restock report',
    description:
      "Writes what runs low into restock.csv in a folder for exports. Use it when someone wants the list as a file; for the figure of one product ask the shop's stock instead.",
    input: z.object({
      export_dir: z
        .string('must be a folder')
        .min(1, 'must be a folder')
        .max(500, 'must be at most 500 characters')
        .describe('A folder the server allows, like exports.'),
    }),
    output: z.object({ folder: z.string(), file: z.string(), products: z.int() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ export_dir }) => {
      const folder = exportFolder(export_dir, allowed);
      const { csv, products } = await restockCsv(stock(AbortSignal.timeout(60_000)));
      writeInto(folder, csv);
      console.error(`save_restock_report: wrote ${products} products to ${folder}`);
      return answer({ folder: basename(folder), file: 'restock.csv', products });
    },
  });
}

export function migratedTools(deps: RefundDeps, stock: StockApiFor, folders: readonly string[]): Tool[] {
  const quote: Tool = {
    ...quoteRefund(deps),
    description:
      "Works out what a refund of an order, or of one product on it, would be; nothing is paid. Use it always before issue_refund, which needs the quote's ID; to pay, use issue_refund instead.",
  };
  return [quote, issueRefund(deps), saveRestockReport(stock, folders)];
}
