// A desk that refunds one order after the other until it is killed: the program under test of crash.test.ts. It uses the
// host as every command does, goes on with what an earlier one left, and tells its parent each step it has stored.
import path from 'node:path';
import { z } from 'zod';
import type { Call, Origins } from '../shared/calls.ts';
import { isObject, textOf } from '../shared/json.ts';
import type { Ticket } from '../shared/tickets.ts';
import { createEvents } from '../main/events.ts';
import { createHost, type Host } from '../main/host.ts';
import type { OfferedTool } from '../main/slots/plan.ts';

const plan = z
  .object({
    data: z.string(),
    orders: z.array(z.string()),
    /** Orders whose consent is refused, and those whose release is. */
    dont: z.array(z.string()).default([]),
    hold: z.array(z.string()).default([]),
    /** Kills itself the moment this step is stored. */
    kill: z.object({ state: z.string(), round: z.number() }).optional(),
    /** Kills itself so long after it stored so many steps. */
    after: z.object({ steps: z.number(), ms: z.number() }).optional(),
    /** Stops where a question waits instead of answering it. */
    leave: z.boolean().default(false),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const events = createEvents();
let stored = 0;
events.listen((change) => {
  if (change.feature !== 'calls' || !('entity' in change)) return;
  const { state, round, tool: name } = change.entity;
  process.send?.({ order: orderOf(change.entity), state, round });
  if (++stored === plan.after?.steps) setTimeout(() => process.kill(process.pid, 'SIGKILL'), plan.after.ms);
  if (name !== 'shop.issue_refund' || plan.kill === undefined) return;
  if (state === plan.kill.state && round === plan.kill.round) process.kill(process.pid, 'SIGKILL');
});
const host = await createHost({
  data: plan.data,
  profileFile: path.join(import.meta.dirname, '../demo/profile.json'),
  servers: true,
  say: () => undefined,
  events,
  ask: async (call) => ({
    answer: plan.dont.includes(orderOf(call)) ? 'dont' : 'run',
    by: await host.person('staff-0007'),
    scripted: true,
  }),
  put: async (_, call) =>
    plan.leave
      ? null
      : {
          answer: { action: 'accept', content: { release: !plan.hold.includes(orderOf(call)) } },
          by: await host.person('staff-0002'),
          scripted: true,
        },
});
const tools = await offeredTools();
for (const order of plan.orders) await refund(host, order);
await host.close();
process.disconnect();

/** The shop may come up after the host did: for a minute. */
async function offeredTools(): Promise<OfferedTool[]> {
  for (const until = performance.now() + 60_000; ;) {
    const { tools: found } = await host.servers.offered();
    if (found.some(({ prefix }) => prefix === 'shop') || performance.now() > until) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
function orderOf(call: Call): string {
  return call.run.slice('flow-'.length);
}
function tool(name: string): OfferedTool {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not offered`);
  return found;
}
/** Staff work with all orders: the tickets of this flow came from no system the shop knows. */
function ticketOf(order: string): Ticket {
  const about = { subject: `Refund ${order}`, body: `Please refund ${order}.`, channel: null };
  const nobody = { customer: null, customer_name: null, machine: false };
  const fixed = { received_at: '2026-06-30T09:00:00Z', source: 'import', state: 'open', version: 1 } as const;
  return { id: `X-${order}`, ...about, ...nobody, ...fixed };
}

/** Brings the refund of an order to its end, from wherever it is. */
async function refund(desk: Host, order: string): Promise<void> {
  const run = `flow-${order}`;
  const of = { run, ticket: ticketOf(order) };
  const call = (await desk.calls.list({ run })).findLast((one) => one.tool === 'shop.issue_refund');
  if (call === undefined) return begin(desk, order, of);
  if (call.state === 'asking') {
    const by = await desk.person('staff-0007');
    const answer = plan.dont.includes(order) ? 'dont' : 'run';
    const answered = await desk.calls.answer(call.id, { by, answer, hash: call.hash, scripted: true });
    if (answered.state === 'consented') await desk.gate.send(answered, of);
  } else if (call.state === 'consented') await desk.gate.send(call, of);
  else if (call.state === 'asked') {
    const by = await desk.person('staff-0002');
    for (const { id } of (await desk.questions.of(call.id)).filter((one) => one.state === 'open'))
      await desk.questions.answer(id, {
        by,
        answer: { action: 'accept', content: { release: !plan.hold.includes(order) } },
        scripted: true,
      });
    await desk.gate.resume(await desk.calls.get(call.id), of);
  } else if (call.state === 'answered') await desk.gate.resume(call, of);
}

async function begin(desk: Host, order: string, of: { run: string; ticket: Ticket }): Promise<void> {
  const fromTicket: Origins = { '/order_id': { from: 'ticket.text', trust: 'bound' } };
  const args = { order_id: order };
  const quoted = await desk.gate.propose(
    { n: 1, offered: tool('shop.quote_refund'), arguments: args, origins: fromTicket },
    of,
  );
  const quote = isObject(quoted.structured) ? textOf(quoted.structured['quote_id']) : '';
  const origins: Origins = { '/quote_id': { from: 'result', call: 1, field: '/quote_id', trust: 'bound' } };
  await desk.gate.propose({ n: 2, offered: tool('shop.issue_refund'), arguments: { quote_id: quote }, origins }, of);
}
