/**
 * Serves the shop to its staff: arguments as serving.ts says, and `--release current|deprecated|retired|gone` (current), as
 * `shop/releases.ts` says. Environment: SHOP_API_URL, SHOP_API_KEY, SHOP_DATA (folder of the sealing key and the quotes),
 * and if wanted SHOP_QUOTE_TTL (seconds, 900), SHOP_STATE_TTL (seconds, 14 days), SHOP_POLICIES (folder), SHOP_CLOCK (ISO
 * 8601, runs on from there). Replicas share SHOP_KEYS (comma-separated, each 64 hex digits or a file; the first seals, all
 * open), SHOP_STORE (the database of quotes and answered questions) and SHOP_CHANGES (the file of the change bus).
 * For replays and tests only: SHOP_SEED, an integer from which all quote numbers follow, so that anybody can guess them;
 * SHOP_CLOCK_FIXED=1, the clock stands still at SHOP_CLOCK.
 */
import { refuse } from '../environment.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { releaseOf, shopReleases } from '../shop/releases.ts';
import { byTicket } from '../shop/scope.ts';
import { createShop, listensToShop, staffTools, type ShopOffer } from '../shop/server.ts';
import { openShop } from '../shop/settings.ts';

const options = readServingOptions('shop', ['release']);
const wanted = options.own.release ?? 'current';
const release = shopReleases.find((known) => known === wanted);
if (!release) refuse('shop', `--release ${wanted} is wrong: the releases are ${shopReleases.join(', ')}`);
const { deps, api, policies, bus } = openShop('shop');
const offer: ShopOffer = {
  name: 'shop-support',
  title: 'Fernhill Supply shop',
  instructions: 'Orders, refunds and stock of Fernhill Supply. Amounts are euros.',
  ...releaseOf(release, staffTools(deps)),
  toolsMs: release === 'current' || release === 'gone' ? 300_000 : 60_000,
  whoAsks: byTicket,
  api,
  policies,
};
const changes = serve('shop', options, createShop(offer), () => deps.quotes.close(), {
  mayListen: listensToShop(offer),
  bus,
});
policies.watch((uri) => {
  changes.resourceUpdated(uri);
  changes.resourcesChanged();
});
// A replica of another release may just have taken its place beside those that were listened to.
bus.notifier.toolsChanged();
