// A desk that works one ticket with the warehouse until it is killed or told to end: the program under test of tasks.test.ts.
// It tells its parent of every call and run, and stops a call when told to. Its model takes the first step that is allowed.
import { z } from 'zod';
import { routes } from '../shared/contract.ts';
import { createEvents } from '../main/events.ts';
import { createHost } from '../main/host.ts';
import type { Model } from '../main/model/model.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { createWork } from '../main/work.ts';

const plan = z
  .object({
    data: z.string(),
    profileFile: z.string(),
    /** The ticket to work; without one it only goes on with what an earlier desk left. */
    ticket: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));
const order = z.union([z.object({ stop: z.string() }), z.object({ end: z.literal(true) })]);
const none = { evaluated: 0, reused: 0, generated: 0 };
const first: Model = {
  info: { name: 'first', sha256: '0'.repeat(64), build: 'none', contextSize: 8_192 },
  pid: 0,
  count: () => Promise.resolve(0),
  setPrefix: () => Promise.resolve({ tokens: 0, from: 'memory', ms: 0 }),
  rewind: () => Promise.resolve(),
  read: () => Promise.resolve(none),
  choose: (_, options) => Promise.resolve({ probabilities: options.map((__, at) => (at === 0 ? 1 : 0)), meter: none }),
  generate: () => Promise.resolve({ text: '', meter: none, ended: 'stop' }),
  mark: () => Promise.resolve(0),
  back: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const events = createEvents();
events.listen((change) => {
  if (!('entity' in change)) return;
  if (change.feature === 'calls') process.send?.({ call: change.entity });
  if (change.feature === 'runs' && change.entity.news.kind === 'finished')
    process.send?.({ run: change.entity.news.run });
});
const work = createWork({ host: () => host, models: () => models });
const host = await createHost({
  data: plan.data,
  profileFile: plan.profileFile,
  servers: false,
  say: () => undefined,
  events,
  ask: async () => ({ answer: 'run', by: await host.person('staff-0007'), scripted: true }),
  put: work.put,
  ended: work.wake,
});
const file = { name: 'first', file: import.meta.filename, entry: null, present: true, size: 1 };
const models = {
  ...createModelChoice(plan.data, host.settings),
  chosen: () => Promise.resolve({ model: file, why: '' }),
  load: () => Promise.resolve(first),
};
const { signal } = new AbortController();
process.on('message', (message) => void obey(order.parse(message)));

await host.settings.switchServer('warehouse', true);
// As the desk does when somebody has it open.
await Promise.all([host.startServers(), work.prepare(signal)]);
if (plan.ticket !== undefined) {
  const text = 'What do we have to order from our suppliers?';
  const input = { id: plan.ticket, customer: null, subject: 'Stock', body: text, received_at: '2026-06-30T08:00:00Z' };
  await host.tickets.importText(JSON.stringify([input]), { source: 'import' });
  await work.workTickets(
    routes['runs.work'].params.parse({ tickets: [plan.ticket] }),
    await host.person('staff-0007'),
    signal,
  );
}

async function obey(told: z.infer<typeof order>): Promise<void> {
  if ('stop' in told) {
    await host.gate.stop(await host.calls.get(told.stop), await host.person('staff-0007'));
    return;
  }
  await work.close();
  await host.close();
  process.disconnect();
}
