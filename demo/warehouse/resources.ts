/** What the warehouse lets be read: its ledger, the stock of one product, and the view of the restock report. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { readFileSync } from 'node:fs';
import type { Resources } from '../toolServer.ts';
import type { Ledger } from './ledger.ts';
import type { StockApiFor } from './stockApi.ts';

export const RESTOCK_VIEW = 'ui://warehouse/restock.html';
const LEDGER = 'warehouse://ledger';
const STOCK = /^warehouse:\/\/stock\/(KG-[0-9]{4})$/;
const VIEW_TYPE = 'text/html;profile=mcp-app';
const JSON_TYPE = 'application/json';
const PRIVATE = { ttlMs: 0, cacheScope: 'private' } as const;

/**
 * Where the figures of a product are read. They stand at the shop's address too: whoever listens there hears of it over
 * the change bus.
 */
export const stockUris = (sku: string): string[] => [`warehouse://stock/${sku}`, `shop://stock/${sku}`];

export function warehouseResources(api: StockApiFor, ledger: Ledger): Resources {
  const view = readFileSync(new URL('restock.html', import.meta.url), 'utf8');
  const json = (uri: string, value: unknown) => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
    ...PRIVATE,
  });
  return {
    list: () => ({
      resources: [
        {
          uri: LEDGER,
          name: 'ledger',
          title: 'Ledger of slow work',
          description: 'When each recount began, how far it got, and when and why it stopped. Newest first.',
          mimeType: JSON_TYPE,
          annotations: { audience: ['user'], priority: 0.2 },
        },
        {
          uri: RESTOCK_VIEW,
          name: 'restock-view',
          title: 'Restock report as a table',
          mimeType: VIEW_TYPE,
          size: Buffer.byteLength(view),
          annotations: { audience: ['user'], priority: 0.1 },
        },
      ],
    }),
    templates: {
      resourceTemplates: [
        {
          uriTemplate: 'warehouse://stock/{sku}',
          name: 'stock-of-product',
          title: 'Stock of a product',
          description: 'How many of a product are on the shelves, by warehouse.',
          mimeType: JSON_TYPE,
        },
      ],
    },
    read: async (uri, signal) => {
      if (uri === LEDGER) return json(uri, { entries: ledger.entries() });
      if (uri === RESTOCK_VIEW) return { contents: [{ uri, mimeType: VIEW_TYPE, text: view }] };
      const sku = STOCK.exec(uri)?.[1];
      const stock = sku === undefined ? undefined : await api(signal).stock(sku);
      if (!stock) throw new ResourceNotFoundError(uri, 'There is no such resource.');
      return json(uri, stock);
    },
  };
}
