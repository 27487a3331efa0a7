// What a person waits for on the queue's screen with a hundred thousand tickets: a whole import and who works meanwhile, first
// paint in a browser and in the window, key to visible change, opening a ticket, choosing a view, setting and clearing a
// filter, searching. `npm run bench:ui -- [--tickets N]`; it prints figures and never fails for being slow.
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { TicketFilter, TicketView } from '../shared/queue.ts';
import { bringIn } from './benchImport.ts';
import { beginning, looked, moving, never, until } from './benchList.ts';
import { temporaryDesk } from './deskProgram.ts';
import { searched } from './keyboard.ts';
import { median, percentile } from './figures.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { openInWindow } from './screen.ts';
import { sampleTickets } from './trial.ts';

const { values: given } = parseArgs({ options: { tickets: { type: 'string', default: '100000' } } });
const many = Number(given.tickets);
const newest = Date.parse('2026-11-20T10:00:00Z');
const me = 'staff-0007';
const figures: [string, number[]][] = [];

/** The sample's tickets again and again, as JSON Lines: one in ten is high, in fifty urgent, in five low, in two done. */
function writeTickets(file: string): void {
  const samples = sampleTickets();
  const to = openSync(file, 'w');
  for (let at = 0; at < many; at++) {
    const sample = samples[at % samples.length];
    const one = {
      id: `B-${at}`,
      customer: `C-${at % 20_000}`,
      subject: sample?.subject ?? '',
      body: `${sample?.body ?? ''}\nReference R${at.toString(36)}`,
      received_at: new Date(newest - (many - at) * 61_000).toISOString(),
      priority: at % 50 === 3 ? 'urgent' : at % 10 === 2 ? 'high' : at % 5 === 1 ? 'low' : 'normal',
      status: at % 2 === 0 && at > 1_000 ? 'done' : 'open',
    };
    writeSync(to, `${JSON.stringify(one)}\n`);
  }
  closeSync(to);
}

/** An empty view and back again, each by its menu. */
async function viewing({ host, page }: LabelledDesk, times: number): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n++)
    for (const [view, words] of [
      ['mine', 'Mine'],
      ['unassigned', 'Unassigned'],
      ['done', 'Done'],
      ['all', 'All tickets'],
    ] as const) {
      await page.keyboard.press('v');
      await page.getByRole('menuitemradio').first().waitFor();
      await page.keyboard.type(words);
      took.push(await until(page, 'Enter', await beginning({ host, me }, view)));
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
  return took;
}

/** What the filter's menu offers, with where in the queue it is found: at once, far down, nowhere. */
const filters: [string, TicketFilter][] = [
  ['Urgent priority', { priorities: ['urgent'] }],
  ['High priority', { priorities: ['high'] }],
  ['Low priority', { priorities: ['low'] }],
  ['Ready', { drafts: ['ready'] }],
  ['Asks you', { drafts: ['asks you'] }],
  ['Claims to check', { drafts: ['blocked'] }],
];
/** Each filter of the menu set by a key and cleared by the same, in the view that is shown. */
async function filtering({ host, page }: LabelledDesk, view: TicketView, times: number): Promise<void> {
  const all = await beginning({ host, me }, view);
  async function choose(words: string, wanted: string[]): Promise<number> {
    await page.getByRole('button', { name: /^Filter/ }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: words }).waitFor();
    await page.keyboard.type(words);
    const took = await until(page, 'Enter', wanted);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return took;
  }
  const set: number[] = [];
  const cleared: number[] = [];
  for (let n = 0; n < times; n++)
    for (const [words, filter] of filters) {
      const wanted = await beginning({ host, me }, view, filter);
      // The most urgent stand first in some views: nothing to see.
      if (wanted.join() === all.join()) continue;
      set.push(await choose(words, wanted));
      cleared.push(await choose(words, all));
    }
  figures.push([`setting a filter, ${view}`, set], [`clearing it, ${view}`, cleared]);
}

async function searching({ host, page }: LabelledDesk): Promise<number[]> {
  const took: number[] = [];
  for (const text of ['muffin tray', 'Reference R2a', 'delivery', 'casserole', 'weekend']) {
    const asked = { text, filter: {}, after: null, limit: looked };
    const { hits } = await host.queue.search(asked, await host.person(me), never);
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    const wanted = hits.map(({ row }) => row.id);
    took.push(await until(page, 'Enter', wanted));
    await searched(page);
  }
  return took;
}

/** Down until the page holds as many rows as it ever does, or all; the last one is opened. */
async function scrollFar(page: Page): Promise<void> {
  const list = page.getByRole('listbox', { name: 'Tickets' });
  for (let pages = 1; pages < Math.min(10, Math.ceil(many / 200)); pages++) {
    const height = await list.evaluate((box) => (box.scrollTop = box.scrollHeight));
    await page.waitForFunction((before) => {
      const box = document.querySelector('[role=listbox][aria-label="Tickets"]');
      return box !== null && box.scrollHeight > before;
    }, height + 1_000);
  }
  await list.evaluate((box) => (box.scrollTop = box.scrollHeight));
  await list.getByRole('option').last().click();
}

/** Milliseconds from the beginning of the page to its first words, and to the list. */
async function painting(page: Page): Promise<{ paint: number; list: number }> {
  await page.locator('[data-key]').first().waitFor();
  const list = await page.evaluate(() => performance.now());
  // The entry comes some frames after the paint it tells of.
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  );
  return { paint: (await paint.jsonValue()) ?? Number.NaN, list };
}
function beginnings(name: string, took: { paint: number; list: number }[]): void {
  figures.push(
    [`first paint, ${name}`, took.map(({ paint }) => paint)],
    [`list shown, ${name}`, took.map(({ list }) => list)],
  );
}

async function importing({ page, another }: LabelledDesk, file: string): Promise<void> {
  const other = await another();
  await other.getByRole('region', { name: 'Messages' }).waitFor();
  const { looked, came } = await bringIn(page, other, file);
  for (const [name, { took, deaf, opened }] of [
    ['looking at the file', looked],
    ['bringing it in', came],
  ] as const)
    figures.push([name, [took]], ['  host answers nobody, longest', [deaf]], ['  opening a ticket meanwhile', opened]);
  await other.context().close();
}

const folder = temporaryDesk();
const desk = await openLabelledDesk(folder.data);
try {
  const { host, page } = desk;
  const file = path.join(folder.folder, 'tickets.jsonl');
  writeTickets(file);
  await painting(page);
  await page.evaluate((id) => localStorage.setItem('desk.person', id), me);
  await page.reload();
  await painting(page);
  await importing(desk, file);
  const { db } = host.store;
  // As after some work: a few drafts are ready, among the oldest a call asks.
  await db.updateTable('queue').set({ draft: 'ready' }).where('ticket', 'like', 'B-%77').execute();
  await db.updateTable('queue').set({ draft: 'asks you', waits: 'staff' }).where('ticket', 'like', 'B-10_').execute();
  const begun: { paint: number; list: number }[] = [];
  for (let n = 0; n < 5; n++) {
    await page.reload();
    begun.push(await painting(page));
  }
  beginnings('browser', begun);
  const moves = await moving(page, 100);
  figures.push(['key to visible change', moves.key], ['opening a ticket', moves.opened]);
  await filtering(desk, 'unassigned', 3);
  figures.push(['choosing a view', await viewing(desk, 5)]);
  await filtering(desk, 'all', 3);
  await scrollFar(page);
  const deep = await moving(page, 100, 'k');
  figures.push(['key to visible change, 2,000 rows', deep.key], ['opening a ticket, 2,000 rows', deep.opened]);
  figures.push(['searching, from Enter', await searching(desk)]);
  const opened: { paint: number; list: number }[] = [];
  for (let n = 0; n < 3; n++) {
    const window = await openInWindow(folder.data);
    opened.push(await painting(window.page));
    await window.close();
  }
  beginnings('window', opened);
} finally {
  await desk.close();
  folder.remove();
  // Also where something went wrong: what was measured until then.
  console.log(`${many} tickets`);
  for (const [name, values] of figures)
    console.log(
      `${name.padEnd(34)} median ${median(values).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, n ${values.length}`,
    );
}
