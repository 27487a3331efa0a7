/**
 * Serves the migrated twin of `servers/legacy.ts`: arguments as `serving.ts` says; environment as `servers/shop.ts` says,
 * and SHOP_EXPORT_DIRS (the folders exports may go to, separated as in PATH).
 */
import { delimiter } from 'node:path';
import { z } from 'zod';
import { readEnvironment, refuse } from '../environment.ts';
import { migratedTools } from '../legacy/migrated.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { byTicket } from '../shop/scope.ts';
import { createShop, listensToShop, type ShopOffer } from '../shop/server.ts';
import { openShop } from '../shop/settings.ts';
import { createStockApi } from '../warehouse/stockApi.ts';

const options = readServingOptions('migrated');
const { SHOP_EXPORT_DIRS, SHOP_API_URL, SHOP_API_KEY } = readEnvironment(
  'migrated',
  z.object({
    SHOP_EXPORT_DIRS: z.string().min(1, 'names folders'),
    SHOP_API_URL: z.url({ protocol: /^https?$/, error: 'is the http address of the shop' }),
    SHOP_API_KEY: z.string().min(1, 'is the key of the shop'),
  }),
);
const { deps, api, policies, bus } = openShop('migrated');

function tools() {
  try {
    return migratedTools(deps, createStockApi(SHOP_API_URL, SHOP_API_KEY), SHOP_EXPORT_DIRS.split(delimiter));
  } catch (error) {
    return refuse('migrated', `SHOP_EXPORT_DIRS is wrong: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const offer: ShopOffer = {
  name: 'shop-migrated',
  title: 'Fernhill Supply support',
  version: '1.0.0',
  instructions: 'Refunds of Fernhill Supply. Amounts are euros.',
  tools: tools(),
  toolsMs: 300_000,
  whoAsks: byTicket,
  api,
  policies,
};
serve('migrated', options, createShop(offer), () => deps.quotes.close(), { mayListen: listensToShop(offer), bus });
