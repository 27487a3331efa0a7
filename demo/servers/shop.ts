/**
 * Serves the shop: arguments as serving.ts says. Environment: SHOP_API_URL, SHOP_API_KEY, SHOP_DATA (folder of the sealing
 * key and the quotes), and if wanted SHOP_QUOTE_TTL (seconds, 900), SHOP_STATE_TTL (seconds, 14 days), SHOP_CLOCK (ISO
 * 8601, runs on from there). Replicas share SHOP_KEYS (comma-separated, each 64 hex digits or a file; the first seals, all
 * open) and SHOP_STORE (the database of quotes and answered questions).
 * For replays and tests only: SHOP_SEED, an integer from which all quote numbers follow, so that anybody can guess them;
 * SHOP_CLOCK_FIXED=1, the clock stands still at SHOP_CLOCK.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runningClock } from '../clock.ts';
import { readEnvironment, refuse } from '../environment.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { openQuotes } from '../shop/quotes.ts';
import { createSeal, sealingKey, sharedKeys } from '../shop/sealing.ts';
import { createShop } from '../shop/server.ts';
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
    SHOP_CLOCK_FIXED: z.literal('1', 'is 1 or not set').optional(),
    SHOP_SEED: z
      .string()
      .regex(/^-?\d{1,15}$/, 'is a whole number')
      .transform(Number)
      .optional(),
    SHOP_KEYS: z.string().min(1, 'names keys').optional(),
    SHOP_STORE: z.string().min(1, 'names the database file').optional(),
  }),
);

const { SHOP_DATA, SHOP_KEYS, SHOP_STORE, SHOP_SEED } = environment;

function open<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse('shop', `${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

if (environment.SHOP_CLOCK_FIXED && !environment.SHOP_CLOCK) refuse('shop', 'SHOP_CLOCK_FIXED needs SHOP_CLOCK');
open('SHOP_DATA', () => mkdirSync(SHOP_DATA, { recursive: true, mode: 0o700 }));
const [key, ...others] =
  SHOP_KEYS === undefined
    ? open('SHOP_DATA', () => [sealingKey(join(SHOP_DATA, 'sealing.key'))] as const)
    : open('SHOP_KEYS', () => sharedKeys(SHOP_KEYS));
const quotes = open(SHOP_STORE === undefined ? 'SHOP_DATA' : 'SHOP_STORE', () =>
  openQuotes(SHOP_STORE ?? join(SHOP_DATA, 'quotes.db'), SHOP_SEED),
);
const createServer = createShop({
  api: createShopApi(environment.SHOP_API_URL, environment.SHOP_API_KEY),
  quotes,
  seal: createSeal(key, 'shop-support request state', others),
  now: runningClock(environment.SHOP_CLOCK, environment.SHOP_CLOCK_FIXED !== undefined),
  quoteSeconds: environment.SHOP_QUOTE_TTL,
  stateSeconds: environment.SHOP_STATE_TTL,
  policies: new URL('../policies/', import.meta.url),
});
serve('shop', options, createServer, () => quotes.close());
