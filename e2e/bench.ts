// `npm run bench`: what a model decision costs over reading alone and without the kept prefix, what the host itself adds to a
// ticket, and what our connection adds to a bare SDK client. `--quick` repeats less, `--data DIR` names the folder with models.
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { sampleProfile } from '../main/cli/folders.ts';
import { decide } from '../main/decide.ts';
import { createHost, type Host } from '../main/host.ts';
import type { Model, Segment } from '../main/model/model.ts';
import { tinyModel } from '../main/model/tinyModel.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { ticketSegments } from '../main/prompt.ts';
import { openSession } from '../main/session.ts';
import { trialFolder } from '../main/trialFolder.ts';
import { callCosts } from './benchCalls.ts';
import { isolation, isolationLine } from './benchIsolation.ts';
import { median, percentile } from './figures.ts';
import { createSpent, timedModel, timeServers, type Spent } from './timers.ts';
import { modelOnDisk, realData, runScript } from './trial.ts';

const { values: given } = parseArgs({ options: { data: { type: 'string' }, quick: { type: 'boolean' } } });
const repeat =
  given.quick === true ? { warm: 4, cold: 1, tickets: 8, calls: 40 } : { warm: 30, cold: 4, tickets: 60, calls: 200 };

/** Milliseconds unless the name says otherwise. */
type Rows = [name: string, values: number[]][];

async function clocked(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Two ways of the same, one after the other, each first as often as second. */
async function paired(times: number, one: (at: number) => Promise<number>, other: (at: number) => Promise<number>) {
  const found = { one: [] as number[], other: [] as number[], ratio: [] as number[] };
  for (let at = 0; at < times; at++) {
    const late = at % 2 === 0 ? null : await other(at);
    const first = await one(at);
    const second = late ?? (await other(at));
    found.one.push(first);
    found.other.push(second);
    found.ratio.push(first / second);
  }
  return found;
}

/** The first decision of a ticket, the kind of request, as the loop makes it: back to the prefix, read, choose. */
async function decisionCosts(host: Host, model: Model, prefix: Segment[], signal: AbortSignal): Promise<Rows> {
  const { playbook } = host.playbook;
  const labels = playbook.asks.map((ask) => ask.label);
  const asked = (await host.tickets.list()).map((ticket) => ticketSegments(playbook, ticket));
  const at = (index: number): Segment[] => asked[index % asked.length] ?? [];
  // Where labels begin alike the decision reads a legend too: the floor reads the same.
  const legend = (await decide(model, at(0), labels, signal)).read.slice(at(0).length);
  const tokens = { warm: [] as number[], cold: [] as number[] };
  const decision = (before: Segment[], index: number, read: number[]): Promise<number> =>
    clocked(async () => {
      await model.rewind();
      read.push((await decide(model, [...before, ...at(index)], labels, signal)).meter.evaluated);
    });
  const floor = (index: number): Promise<number> =>
    clocked(async () => {
      await model.rewind();
      await model.read([...at(index), ...legend], signal);
    });
  const warm = await paired(repeat.warm, (index) => decision([], index, tokens.warm), floor);
  await model.setPrefix([{ text: '\n', trust: 'own' }], signal);
  const cold: number[] = [];
  for (let index = 0; index < repeat.cold; index++) cold.push(await decision(prefix, index, tokens.cold));
  return [
    ['decision, prefix kept', warm.one],
    ['  tokens read for it', tokens.warm],
    ['  floor: reading the same tokens', warm.other],
    ['  decision over floor (ratio, pairwise)', warm.ratio],
    ['decision, prefix read each time', cold],
    ['  tokens read for it', tokens.cold],
    ['  over the median with the prefix kept (ratio)', cold.map((ms) => ms / median(warm.one))],
  ];
}

/** Whole tickets on a real host: what is neither the model's time nor a server's is the host's. */
async function ticketCosts(host: Host, model: Model, signal: AbortSignal): Promise<{ prefix: Segment[]; rows: Rows }> {
  const spent = createSpent();
  const timed = timedModel(model, spent);
  let prefix: Segment[] = [];
  const setPrefix: Model['setPrefix'] = (segments, cancel) => {
    prefix = segments;
    return timed.setPrefix(segments, cancel);
  };
  const session = await openSession(host, { ...timed, setPrefix }, null, signal);
  timeServers(host, spent);
  for (const problem of session.problems) console.error(problem);
  const tickets = await host.tickets.list();
  // The first ticket once before: code that runs for the first time is not what is measured.
  for (const ticket of tickets.slice(0, 1)) await session.workTicket(ticket, { signal });
  const found: (Omit<Spent, 'reset'> & { whole: number })[] = [];
  for (const ticket of tickets.slice(0, repeat.tickets)) {
    spent.reset();
    const whole = await clocked(() => session.workTicket(ticket, { signal }));
    found.push({ ...spent, whole });
  }
  const { tokens = 0, from = 'none', ms = 0 } = session.prefix ?? {};
  const rows: Rows = [
    [`prefix at the start (${tokens} tokens, ${from})`, [ms]],
    ['ticket, whole', found.map((one) => one.whole)],
    ['  in the model, with the way to its process', found.map((one) => one.model)],
    ['  in servers (tools/call)', found.map((one) => one.servers)],
    ['  in the host, storage included', found.map((one) => one.whole - one.model - one.servers)],
    ['  model operations (number)', found.map((one) => one.operations)],
    ['  calls sent (number)', found.map((one) => one.calls)],
  ];
  return { prefix, rows };
}

function print(head: string, rows: Rows): void {
  const cpu = cpus();
  console.log(
    `${head}\nMachine: ${cpu.length} × ${cpu[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}\n`,
  );
  const number = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(value < 100 ? 2 : 0));
  const line = (name: string, ...rest: string[]): string =>
    name.padEnd(50) + rest.map((one) => one.padStart(10)).join('');
  console.log(line('milliseconds, where nothing else is said', 'median', 'p95', 'n'));
  for (const [name, values] of rows)
    console.log(line(name, number(median(values)), number(percentile(values, 0.95)), String(values.length)));
  console.log('\np95 by nearest rank: below 20 values it is the largest of them.');
}

/** The starter where it is on disk, else the random model: its times say nothing about a real one's. */
async function openModel(data: string, host: Host, signal: AbortSignal): Promise<{ model: Model; which: string }> {
  const models = createModelChoice(data, host.settings);
  const starter = modelOnDisk(data, 'starter');
  if (starter.file === null) {
    const tiny = await models.add(tinyModel(data));
    return {
      model: await models.load(tiny, { signal }),
      which: 'tiny (random weights; the starter is not on disk, so model times mean nothing)',
    };
  }
  return {
    model: await models.load(await models.find(starter.name), { signal }),
    which: `${starter.name} (${starter.role})`,
  };
}

/** The parts that need a host and a model; both are closed before servers are compared. */
async function withModel(data: string, signal: AbortSignal): Promise<{ head: string; rows: Rows }> {
  const host = await createHost({ data, profileFile: sampleProfile, servers: true, say: console.error, signal });
  try {
    const { model, which } = await openModel(data, host, signal);
    try {
      console.error(`${which}: the prefix, then tickets`);
      const tickets = await ticketCosts(host, model, signal);
      console.error('decisions, with the prefix kept and read each time');
      const decisions = await decisionCosts(host, model, tickets.prefix, signal);
      return { head: `Model: ${which}; ${model.info.build}`, rows: [...decisions, ...tickets.rows] };
    } finally {
      await model.close();
    }
  } finally {
    await host.close();
  }
}

await runScript(async (signal) => {
  const trial = trialFolder(realData(given.data));
  try {
    const { head, rows } = await withModel(trial.data, signal);
    print(head, [...rows, ...(await callCosts(trial.data, repeat.calls, signal))]);
    console.log('\nA good server’s call, alone and beside a bad one (milliseconds, medians)');
    for (const row of await isolation(given.quick === true)) console.log(isolationLine(row));
  } finally {
    trial.remove();
  }
});
