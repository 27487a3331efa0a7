/** What runs low by the figures as they stand, as a file for a spreadsheet: fewest units first. */
import type { StockApi } from '../warehouse/stockApi.ts';

const BELOW = 30;

export async function restockCsv(api: StockApi): Promise<{ csv: string; products: number }> {
  const rows: { sku: string; units: number }[] = [];
  for (const { sku } of await api.products()) {
    const stock = await api.stock(sku);
    // Less than nothing is a miscount, not stock.
    const units = stock?.warehouses.reduce((sum, row) => sum + Math.max(0, row.on_hand), 0) ?? 0;
    if (units < BELOW) rows.push({ sku, units });
  }
  rows.sort((a, b) => a.units - b.units);
  return { csv: `sku,units\n${rows.map(({ sku, units }) => `${sku},${units}\n`).join('')}`, products: rows.length };
}
