/**
 * Serves the warehouse: arguments as `serving.ts` says. Environment, besides what `dataFolder.ts` says (WAREHOUSE_DATA,
 * WAREHOUSE_CLOCK): WAREHOUSE_API_URL, WAREHOUSE_API_KEY, and if wanted WAREHOUSE_TASK_TTL (seconds a task is kept, 3600)
 * and WAREHOUSE_CHANGES (file of the change bus).
 */
import { z } from 'zod';
import { openChangeBus } from '../changes.ts';
import { openDataFolder } from '../dataFolder.ts';
import { readEnvironment } from '../environment.ts';
import { serve } from '../serving.ts';
import { readServingOptions } from '../servingOptions.ts';
import { createTasks, TASKS_TABLES } from '../tasks.ts';
import { createToolServer, listensTo } from '../toolServer.ts';
import { createLedger, LEDGER_TABLES } from '../warehouse/ledger.ts';
import { recountStock, restockReport, restockWork, type RecountDeps } from '../warehouse/recount.ts';
import { warehouseResources } from '../warehouse/resources.ts';
import { addToSupplierOrder, setOnHand } from '../warehouse/shelves.ts';
import { createStockApi } from '../warehouse/stockApi.ts';

const options = readServingOptions('warehouse');
const environment = readEnvironment(
  'warehouse',
  z.object({
    WAREHOUSE_API_URL: z.url({ protocol: /^https?$/, error: 'is the http address of the shop' }),
    WAREHOUSE_API_KEY: z.string().min(1, 'is the key of the shop'),
    WAREHOUSE_TASK_TTL: z.coerce.number('is a number of seconds').int().min(1, 'is at least one second').default(3_600),
    WAREHOUSE_CHANGES: z.string().min(1, 'names a file').optional(),
  }),
);
const { db, now } = openDataFolder('warehouse', TASKS_TABLES + LEDGER_TABLES);
const api = createStockApi(environment.WAREHOUSE_API_URL, environment.WAREHOUSE_API_KEY);
const ledger = createLedger(db, now);
const deps: RecountDeps = { api, ledger, now, changes: () => changes };
const tasks = createTasks({
  db,
  now,
  ttlMs: environment.WAREHOUSE_TASK_TTL * 1_000,
  works: { restock_report: restockWork(deps) },
});
const resources = warehouseResources(api, ledger);
const offer = {
  name: 'warehouse',
  title: 'Fernhill Supply warehouse',
  version: '1.0.0',
  instructions: 'Stock on the shelves of Fernhill Supply: counting it, putting figures right, and what to order.',
  tools: [recountStock(deps), setOnHand(api), restockReport(tasks), addToSupplierOrder(db, api, now)],
  resources,
  changing: true,
  tasks,
};
const changes = serve(
  'warehouse',
  options,
  (told) => createToolServer(offer, told),
  async () => {
    await tasks.close();
    db.close();
  },
  { mayListen: listensTo(resources), bus: openChangeBus(environment.WAREHOUSE_CHANGES) },
);
