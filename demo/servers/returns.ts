/** Serves returns, as `serving.ts` says. Environment, as `dataFolder.ts` says: RETURNS_DATA, RETURNS_STATE_TTL, RETURNS_CLOCK. */
import { openDataFolder } from '../dataFolder.ts';
import { recordReturn, RETURNS_TABLES } from '../returns/recordReturn.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createToolServer } from '../toolServer.ts';

const options = readServingOptions('returns');
const asking = openDataFolder('returns', RETURNS_TABLES);
const offer = {
  name: 'returns',
  title: 'Fernhill Supply returns',
  version: '1.0.0',
  instructions: 'Returns of products to Fernhill Supply. Nothing is recorded before a person answered.',
  tools: [recordReturn(asking)],
};
serve(
  'returns',
  options,
  () => createToolServer(offer),
  () => asking.db.close(),
);
