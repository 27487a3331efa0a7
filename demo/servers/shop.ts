/**
 * Serves the shop over stdio. Environment: SHOP_API_URL, SHOP_API_KEY, SHOP_DATA (folder of the sealing key and the
 * quotes), and if wanted SHOP_QUOTE_TTL (seconds, 900), SHOP_STATE_TTL (seconds, 14 days), SHOP_CLOCK (ISO 8601, runs on
 * from there). Ends with its stdin.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runningClock } from '../clock.ts';
import { readEnvironment, refuse } from '../environment.ts';
import { readServingOptions, serve } from '../serving.ts';
import { openQuotes } from '../shop/quotes.ts';
import { createSeal, sealingKey } from '../shop/sealing.ts';
import { createShopServer } from '../shop/server.ts';
import { createShopApi } from '../shop/shopApi.ts';

const options = readServingOptions('shop');
const seconds = z.coerce
  .number('is a number of seconds')
  .int('is a whole number of seconds')
  .min(1, 'is at least one second');
const environment = readEnvironment(
  'shop',
  z.object({
    SHOP_API_URL: z.url({ protocol: /^https?$/, error: 'is the http address of the shop' }),
    SHOP_API_KEY: z.string().min(1, 'is the key of the shop'),
    SHOP_DATA: z.string().min(1, 'names a folder'),
    SHOP_QUOTE_TTL: seconds.default(900),
    SHOP_STATE_TTL: seconds.default(14 * 86_400),
    SHOP_CLOCK: z.iso.datetime({ offset: true, error: 'is a time like 2026-06-30T09:00:00Z' }).optional(),
  }),
);

function openFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { quotes: openQuotes(join(folder, 'quotes.db')), key: sealingKey(join(folder, 'sealing.key')) };
  } catch (error) {
    return refuse('shop', `SHOP_DATA cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const { quotes, key } = openFolder(environment.SHOP_DATA);
const deps = {
  api: createShopApi(environment.SHOP_API_URL, environment.SHOP_API_KEY),
  quotes,
  seal: createSeal(key, 'shop-support request state'),
  now: runningClock(environment.SHOP_CLOCK),
  quoteSeconds: environment.SHOP_QUOTE_TTL,
  stateSeconds: environment.SHOP_STATE_TTL,
  policies: new URL('../policies/', import.meta.url),
};
serve('shop', options, () => createShopServer(deps), () => quotes.close());
