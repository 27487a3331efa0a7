/**
 * Serves the shop to its customers: the same look-ups, but whose they are comes from the token a request carries (over
 * stdio from SHOP_TOKEN), and no argument says otherwise. Arguments as serving.ts says; environment as `servers/shop.ts`
 * says, and SHOP_TOKEN_KEY (file of the public key, PEM, of whoever signs the tokens), SHOP_TOKEN_ISSUER (its address) and
 * SHOP_TOKEN_AUDIENCE (the address of this server that tokens are for).
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readEnvironment, refuse } from '../environment.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { customerTools } from '../shop/customerTools.ts';
import { bySignIn } from '../shop/scope.ts';
import { createShop, listensToShop, type ShopOffer } from '../shop/server.ts';
import { openShop } from '../shop/settings.ts';
import { tokenReader } from '../shop/tokens.ts';

const program = 'customer shop';
const options = readServingOptions(program);
const environment = readEnvironment(
  program,
  z.object({
    SHOP_TOKEN_KEY: z.string().min(1, 'names a file'),
    SHOP_TOKEN_ISSUER: z.url('is an address'),
    SHOP_TOKEN_AUDIENCE: z.url('is an address'),
    SHOP_TOKEN: z.string().optional(),
  }),
);
const { deps, api, policies, bus } = openShop(program);

function openTokens() {
  try {
    const pem = readFileSync(environment.SHOP_TOKEN_KEY, 'utf8');
    const { SHOP_TOKEN_ISSUER: issuer, SHOP_TOKEN_AUDIENCE: audience } = environment;
    // Tokens are of this day, whatever the company's own clock says.
    return tokenReader({ pem, issuer, audience, now: () => new Date() });
  } catch (error) {
    return refuse(program, `SHOP_TOKEN_KEY cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const signIn = openTokens();
const startedFor = environment.SHOP_TOKEN === undefined ? undefined : signIn(environment.SHOP_TOKEN);
if (options.port === undefined && !startedFor)
  refuse(program, 'SHOP_TOKEN is missing or not valid: over stdio it says whose records are shown');
const offer: ShopOffer = {
  name: 'shop-customer',
  title: 'Fernhill Supply, your orders',
  version: '1.0.0',
  instructions: 'Your own orders with Fernhill Supply, what a refund would be, and stock. Amounts are euros.',
  tools: customerTools(deps),
  toolsMs: 300_000,
  whoAsks: bySignIn(options.port === undefined ? startedFor : undefined),
  api,
  policies,
};
const changes = serve(program, options, createShop(offer), () => deps.quotes.close(), {
  mayListen: listensToShop(offer),
  signIn: options.port === undefined ? undefined : signIn,
  bus,
});
policies.watch((uri) => {
  changes.resourceUpdated(uri);
  changes.resourcesChanged();
});
