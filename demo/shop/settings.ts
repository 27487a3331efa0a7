/** What both servers of the shop, the staff's and the customers', are told by their environment, and what they open. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { openChangeBus, type ChangeBus } from '../changes.ts';
import { runningClock } from '../clock.ts';
import { readEnvironment, refuse } from '../environment.ts';
import type { RefundDeps } from './heldRefunds.ts';
import { createPolicies, type Policies } from './policies.ts';
import { openQuotes } from './quotes.ts';
import { createSeal, sealingKey, sharedKeys } from './sealing.ts';
import { createShopApi, type ShopApiFor } from './shopApi.ts';

const seconds = z.coerce
  .number('is a number of seconds')
  .int('is a whole number of seconds')
  .min(1, 'is at least one second');
const settings = z.object({
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
  SHOP_CHANGES: z.string().min(1, 'names the file of the change bus').optional(),
  SHOP_POLICIES: z.string().min(1, 'names a folder').optional(),
});

export interface OpenedShop {
  deps: RefundDeps;
  api: ShopApiFor;
  policies: Policies;
  bus: ChangeBus;
}

function open<T>(program: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(program, `${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function openShop(program: string): OpenedShop {
  const environment = readEnvironment(program, settings);
  const { SHOP_DATA, SHOP_KEYS, SHOP_STORE, SHOP_SEED, SHOP_CHANGES, SHOP_POLICIES } = environment;
  if (environment.SHOP_CLOCK_FIXED && !environment.SHOP_CLOCK) refuse(program, 'SHOP_CLOCK_FIXED needs SHOP_CLOCK');
  open(program, 'SHOP_DATA', () => mkdirSync(SHOP_DATA, { recursive: true, mode: 0o700 }));
  const [key, ...others] =
    SHOP_KEYS === undefined
      ? open(program, 'SHOP_DATA', () => [sealingKey(join(SHOP_DATA, 'sealing.key'))] as const)
      : open(program, 'SHOP_KEYS', () => sharedKeys(SHOP_KEYS));
  const quotes = open(program, SHOP_STORE === undefined ? 'SHOP_DATA' : 'SHOP_STORE', () =>
    openQuotes(SHOP_STORE ?? join(SHOP_DATA, 'quotes.db'), SHOP_SEED),
  );
  if (SHOP_POLICIES !== undefined) open(program, 'SHOP_POLICIES', () => readdirSync(SHOP_POLICIES));
  const policies = createPolicies(
    SHOP_POLICIES === undefined ? new URL('../policies/', import.meta.url) : pathToFileURL(`${SHOP_POLICIES}/`),
  );
  return {
    deps: {
      quotes,
      seal: createSeal(key, 'shop-support request state', others),
      now: runningClock(environment.SHOP_CLOCK, environment.SHOP_CLOCK_FIXED !== undefined),
      quoteSeconds: environment.SHOP_QUOTE_TTL,
      stateSeconds: environment.SHOP_STATE_TTL,
    },
    api: createShopApi(environment.SHOP_API_URL, environment.SHOP_API_KEY),
    policies,
    bus: open(program, 'SHOP_CHANGES', () => openChangeBus(SHOP_CHANGES)),
  };
}
