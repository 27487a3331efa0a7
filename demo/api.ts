/**
 * Starts the shop's HTTP API on loopback and prints its address as one JSON line. Environment: SHOP_DB (file), SHOP_KEY,
 * and if wanted SHOP_PORT (0), SHOP_CLOCK (ISO 8601, runs on from there), SHOP_RECOUNT_MS (3000). Ends with its stdin.
 * For replays and tests only: SHOP_CLOCK_FIXED=1, the clock stands still at SHOP_CLOCK.
 */
import { z } from 'zod';
import { runningClock } from './clock.ts';
import { createApi } from './routes.ts';
import { openShopStore, type ShopStore } from './shopStore.ts';
import { readEnvironment, refuse } from './environment.ts';

const environment = readEnvironment(
  'shop api',
  z.object({
    SHOP_DB: z.string().min(1, 'names the database file'),
    SHOP_KEY: z.string().min(8, 'is a key of at least 8 characters'),
    SHOP_PORT: z.coerce.number('is a port number').int().min(0).max(65_535).default(0),
    SHOP_CLOCK: z.iso.datetime({ offset: true, error: 'is a time like 2026-06-30T09:00:00Z' }).optional(),
    SHOP_CLOCK_FIXED: z.literal('1', 'is 1 or not set').optional(),
    SHOP_RECOUNT_MS: z.coerce.number('is a number of milliseconds').int().min(0).max(600_000).default(3_000),
  }),
);

function open(file: string): ShopStore {
  try {
    return openShopStore(file);
  } catch (error) {
    return refuse('shop api', `SHOP_DB cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
}

if (environment.SHOP_CLOCK_FIXED && !environment.SHOP_CLOCK) refuse('shop api', 'SHOP_CLOCK_FIXED needs SHOP_CLOCK');
const store = open(environment.SHOP_DB);
const now = runningClock(environment.SHOP_CLOCK, environment.SHOP_CLOCK_FIXED !== undefined);
const server = createApi({ store, key: environment.SHOP_KEY, now, recountMs: environment.SHOP_RECOUNT_MS });

function stop(): void {
  server.close();
  server.closeAllConnections();
  store.close();
  process.exit(0);
}

server.on('error', (error) => refuse('shop api', `cannot listen on port ${environment.SHOP_PORT}: ${error.message}`));
server.listen(environment.SHOP_PORT, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : environment.SHOP_PORT;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.stdin.on('end', stop).on('error', stop).resume();
