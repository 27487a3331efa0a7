/**
 * Serves payments, as `serving.ts` says. Environment, besides what `dataFolder.ts` says (PAYMENTS_DATA, PAYMENTS_STATE_TTL,
 * PAYMENTS_CLOCK): PAYMENTS_API_URL, PAYMENTS_API_KEY, and if wanted PAYMENTS_PERSON (the ID of the one person this process
 * works for) and PAYMENTS_PAGE=loopback, which sends people to the provider's page on this machine, whose address is told
 * on stderr, instead of to pay.fernhill.example.
 */
import { z } from 'zod';
import { openDataFolder } from '../dataFolder.ts';
import { readEnvironment } from '../environment.ts';
import { createPayingApi } from '../payments/payingApi.ts';
import { payRefund } from '../payments/payRefund.ts';
import { openProvider, PROVIDER_TABLES } from '../payments/provider.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createToolServer } from '../toolServer.ts';

const options = readServingOptions('payments');
const environment = readEnvironment(
  'payments',
  z.object({
    PAYMENTS_API_URL: z.url({ protocol: /^https?$/, error: 'is the http address of the shop' }),
    PAYMENTS_API_KEY: z.string().min(1, 'is the key of the shop'),
    PAYMENTS_PERSON: z
      .string()
      .regex(/^[\w.@-]{1,100}$/, 'is the ID of a person')
      .optional(),
    PAYMENTS_PAGE: z.literal('loopback', 'is loopback or not set').optional(),
  }),
);
const asking = openDataFolder('payments', PROVIDER_TABLES);
const provider = await openProvider(asking.db, asking.now);
console.error(`payments: the provider's page is ${provider.page}`);
const offer = {
  name: 'payments',
  title: 'Fernhill Supply payments',
  version: '1.0.0',
  instructions: 'Paying out refunds of Fernhill Supply through its payment provider. Amounts are euros.',
  tools: [
    payRefund({
      asking,
      api: createPayingApi(environment.PAYMENTS_API_URL, environment.PAYMENTS_API_KEY),
      provider,
      page: environment.PAYMENTS_PAGE === undefined ? 'https://pay.fernhill.example/connect/' : provider.page,
      person: environment.PAYMENTS_PERSON,
    }),
  ],
};
serve(
  'payments',
  options,
  () => createToolServer(offer),
  () => {
    provider.close();
    asking.db.close();
  },
);
