// What the queue costs with a hundred thousand tickets: bringing them in, starting on them, pages, counts, search, opening
// and changing, as the host does them for a view, answer as JSON included. `node e2e/benchTickets.ts [--tickets N]`; it prints
// figures and never fails for being slow.
import { parseArgs } from 'node:util';
import { sampleProfile } from '../main/cli/folders.ts';
import { createHost, type Host } from '../main/host.ts';
import { openTicket } from '../main/openTicket.ts';
import { trialFolder } from '../main/trialFolder.ts';
import type { TicketFilter, TicketRow, TicketView } from '../shared/queue.ts';
import { median, percentile } from './figures.ts';
import { sampleTickets } from './trial.ts';

const { values: given } = parseArgs({ options: { tickets: { type: 'string', default: '100000' } } });
const many = Number(given.tickets);
const times = 30;
const newest = Date.parse('2026-11-20T10:00:00Z');
const never = new AbortController().signal;

/** The sample's tickets again and again, each with order numbers, customers and times of its own. */
function lines(from: number, to: number): string {
  const samples = sampleTickets();
  const all: string[] = [];
  for (let at = from; at < to; at++) {
    const sample = samples[at % samples.length];
    if (sample === undefined) break;
    const order = `O-${String(1_000 + ((at * 7) % 9_000))}`;
    const body = `${sample.body.replaceAll(/O-\d{4}/g, order)}\nReference ${at.toString(36)} ${order}`;
    const received_at = new Date(newest - (many - at) * 61_000).toISOString();
    const customer = `C-${String((at * 13) % 20_000).padStart(5, '0')}`;
    all.push(JSON.stringify({ id: `B-${at}`, customer, subject: sample.subject, body, received_at }));
  }
  return all.join('\n');
}

const rows: [string, number[]][] = [];
async function clocked<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const value = await work();
  JSON.stringify(value);
  const spent = performance.now() - started;
  const row = rows.find(([known]) => known === name);
  if (row === undefined) rows.push([name, [spent]]);
  else row[1].push(spent);
  return value;
}

async function fill(host: Host): Promise<void> {
  const step = 5_000;
  for (let from = 0; from < many; from += step) {
    const text = lines(from, Math.min(from + step, many));
    await clocked(`import ${step} tickets`, () => host.tickets.importText(text, { source: 'import' }));
  }
}

/** A queue in the middle of its life: most is done, some is owned, some waits. */
async function spread(host: Host, by: Awaited<ReturnType<Host['person']>>): Promise<void> {
  const { db } = host.store;
  const all = await db.selectFrom('queue').select(['ticket', 'edition']).orderBy('since').execute();
  const share = (from: number, to: number) =>
    all
      .slice(Math.floor(all.length * from), Math.floor(all.length * to))
      .map(({ ticket, edition }) => ({ id: ticket, edition }));
  const step = 2_000;
  const done = share(0, 0.5);
  for (let from = 0; from < done.length; from += step)
    await clocked(`bulk done of ${step}`, () =>
      host.queue.bulk(done.slice(from, from + step), by, { kind: 'done', done: true }),
    );
  await host.queue.bulk(share(0.9, 0.93), by, { kind: 'claim' });
}

async function measure(host: Host, by: Awaited<ReturnType<Host['person']>>): Promise<void> {
  const page = (name: string, view: TicketView, filter: TicketFilter = {}, after: string | null = null) =>
    clocked(name, () => host.queue.page({ view, filter, after, limit: 200 }, by, never));
  const search = (name: string, text: string, filter: TicketFilter = {}) =>
    clocked(name, () => host.queue.search({ text, filter, after: null, limit: 200 }, by, never));
  await search('search, first (thread starts)', 'warm');
  let deep: string | null = null;
  for (let at = 0; at < 100; at++) {
    const next = await host.queue.page({ view: 'unassigned', filter: {}, after: deep, limit: 200 }, by, never);
    if (next.after === null) break;
    deep = next.after;
  }
  for (let at = 0; at < times; at++) {
    const { rows: some } = await page('page of unassigned', 'unassigned');
    await page('page of unassigned, 100 pages on', 'unassigned', {}, deep);
    await page('page of mine', 'mine');
    await page('page of done', 'done');
    await page('page of all', 'all');
    await page('page of all by customer', 'all', { customer: some[at]?.customer ?? '' });
    await page('page of all, filter that nothing fits', 'all', { drafts: ['blocked'] });
    await page('page of unassigned, filter that nothing fits', 'unassigned', { priorities: ['urgent'] });
    await page('page of mine with a text', 'mine', { text: 'refund' });
    await clocked('counts of all views', () => host.queue.counts());
    const one: TicketRow | undefined = some[(at * 7) % some.length];
    if (one === undefined) throw new Error('no ticket to open');
    await clocked('open a ticket', () => openTicket({ store: host.store, playbook: host.playbook.playbook }, one.id));
    const claimed = await clocked('claim', () => host.queue.change(one, by, { kind: 'claim' }));
    await clocked('release', () => host.queue.change(claimed, by, { kind: 'release' }));
    await search('search, a word in most tickets', 'order');
    await search('search, two letters', 're');
    await search('search, two words', 'refund order');
    await search('search, an order number', `O-${String(1_000 + at * 7)}`);
    await search('search, one ticket', `B-${at * 100}`);
    await search('search, nothing', 'zzyzx');
    await search('search, most tickets, filter that nothing fits', 'order', { priorities: ['urgent'] });
  }
  for (let at = 0; at < 5; at++) {
    const [first] = (await host.queue.page({ view: 'unassigned', filter: {}, after: null, limit: 1 }, by, never)).rows;
    if (first === undefined) break;
    await clocked('note', () => host.queue.note({ id: first.id, version: first.version, text: 'Called them.' }, by));
  }
}

const folder = trialFolder('/nowhere');
const open = () =>
  createHost({
    data: folder.data,
    profileFile: sampleProfile,
    servers: false,
    say: (sentence) => console.log(sentence),
  });
try {
  let host = await open();
  const by = await host.person('ines').catch(async () => {
    const [first] = await host.people();
    if (first === undefined) throw new Error('the sample company has no people');
    return first;
  });
  await fill(host);
  await spread(host, by);
  await host.close();
  for (let at = 0; at < 3; at++) {
    host = await clocked('start of the host', open);
    if (at < 2) await host.close();
  }
  await measure(host, by);
  await host.close();
} finally {
  folder.remove();
}
console.log(`${many} tickets, ${times} times each; milliseconds`);
for (const [name, values] of rows)
  console.log(
    `${name.padEnd(52)} median ${median(values).toFixed(1).padStart(8)}  p95 ${percentile(values, 0.95).toFixed(1).padStart(8)}`,
  );
