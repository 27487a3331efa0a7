/** Serves deployments, as `serving.ts` says. Environment, as `dataFolder.ts` says: DEPLOYS_DATA, DEPLOYS_STATE_TTL, DEPLOYS_CLOCK. */
import { openDataFolder } from '../dataFolder.ts';
import { deploy, DEPLOYS_TABLES } from '../deploys/deploy.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createToolServer } from '../toolServer.ts';

const options = readServingOptions('deploys');
const asking = openDataFolder('deploys', DEPLOYS_TABLES);
const offer = {
  name: 'deploys',
  title: 'Fernhill Supply deployments',
  version: '1.0.0',
  instructions: 'Deployments of the services of Fernhill Supply. A person approves every one.',
  tools: [deploy(asking)],
};
serve(
  'deploys',
  options,
  () => createToolServer(offer),
  () => asking.db.close(),
);
