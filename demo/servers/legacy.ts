/**
 * Serves the shop's support server of 2025-11-25, and that revision alone: arguments as `serving.ts` says, without
 * `--no-2025`. Environment: LEGACY_API_URL and LEGACY_API_KEY.
 */
import { z } from 'zod';
import { readEnvironment, refuse } from '../environment.ts';
import { createLegacy } from '../legacy/server.ts';
import { olderServer } from '../legacy/sessions.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createShopApi } from '../shop/shopApi.ts';
import { createStockApi } from '../warehouse/stockApi.ts';

const options = readServingOptions('legacy');
if (!options.older) refuse('legacy', '--no-2025 is not understood: this server speaks 2025-11-25 and nothing else');
const { LEGACY_API_URL, LEGACY_API_KEY } = readEnvironment(
  'legacy',
  z.object({
    LEGACY_API_URL: z.url({ protocol: /^https?$/, error: 'is the http address of the shop' }),
    LEGACY_API_KEY: z.string().min(1, 'is the key of the shop'),
  }),
);
const factory = createLegacy({
  api: createShopApi(LEGACY_API_URL, LEGACY_API_KEY),
  stock: createStockApi(LEGACY_API_URL, LEGACY_API_KEY),
});
serve('legacy', options, olderServer(factory), () => undefined);
