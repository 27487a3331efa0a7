// What a person waits for on the queue's screen with a hundred thousand tickets: first paint in a browser and in the window,
// key to visible change, opening a ticket, choosing a view, searching. `npm run bench:ui -- [--tickets N]`; it
// prints figures and never fails for being slow.
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { temporaryDesk } from './deskProgram.ts';
import { median, percentile } from './figures.ts';
import { openLabelledDesk } from './labelledDesk.ts';
import { openInWindow } from './screen.ts';
import { sampleTickets } from './trial.ts';

const { values: given } = parseArgs({ options: { tickets: { type: 'string', default: '100000' } } });
const many = Number(given.tickets);
const newest = Date.parse('2026-11-20T10:00:00Z');

/** The sample's tickets again and again, as JSON Lines. */
function lines(from: number, to: number): string {
  const samples = sampleTickets();
  return Array.from({ length: to - from }, (_, n) => {
    const at = from + n;
    const sample = samples[at % samples.length];
    const received_at = new Date(newest - (many - at) * 61_000).toISOString();
    const body = `${sample?.body ?? ''}\nReference R${at.toString(36)}`;
    return JSON.stringify({
      id: `B-${at}`,
      customer: `C-${at % 20_000}`,
      subject: sample?.subject ?? '',
      body,
      received_at,
    });
  }).join('\n');
}

/** Milliseconds from a key to the frame in which the page shows what it means. */
async function moving(page: Page, times: number): Promise<{ key: number[]; opened: number[] }> {
  return page.evaluate(async (rounds) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const id = () => document.querySelector('header code')?.textContent ?? '';
    const shown = () => document.querySelector('[data-ticket]')?.getAttribute('data-ticket') ?? '';
    const result = { key: [] as number[], opened: [] as number[] };
    for (let n = 0; n < rounds; n++) {
      const before = id();
      const started = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true }));
      while (id() === before) await frame();
      result.key.push(performance.now() - started);
      while (shown() !== id()) await frame();
      result.opened.push(performance.now() - started);
      await frame();
    }
    return result;
  }, times);
}

/** Milliseconds until the list shows other rows, after something was done. */
async function listed(page: Page, act: () => Promise<void>): Promise<number> {
  const first = await page.locator('[data-key]').first().getAttribute('data-key');
  const started = performance.now();
  await act();
  await page.waitForFunction((was) => {
    const now = document.querySelector('[data-key]')?.getAttribute('data-key');
    return now !== undefined && now !== was;
  }, first);
  return performance.now() - started;
}

/** Milliseconds from Enter in an open menu until a function of the page is true. */
async function chosen(page: Page, shown: () => boolean): Promise<number> {
  const started = performance.now();
  await page.keyboard.press('Enter');
  await page.waitForFunction(shown);
  return performance.now() - started;
}
const empty = () => /Nothing waits here|No ticket fits/.test(document.body.textContent);
const filled = () => document.querySelector('[data-key]') !== null && !/No ticket fits/.test(document.body.textContent);

/** An empty view and back again, each by its menu. */
async function viewing(page: Page, times: number): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n++)
    for (const [view, shown] of [
      ['Done', empty],
      ['All tickets', filled],
    ] as const) {
      await page.keyboard.press('v');
      await page.getByRole('menuitemradio').first().waitFor();
      await page.keyboard.type(view);
      took.push(await chosen(page, shown));
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
  return took;
}
/** Milliseconds from the beginning of the page to its first words, and to the list. */
async function painting(page: Page): Promise<{ paint: number; list: number }> {
  await page.locator('[data-key]').first().waitFor();
  return page.evaluate(() => {
    const [first] = performance.getEntriesByName('first-contentful-paint');
    return { paint: first?.startTime ?? Number.NaN, list: performance.now() };
  });
}
function beginnings(name: string, took: { paint: number; list: number }[]): [string, number[]][] {
  return [
    [`first paint, ${name}`, took.map(({ paint }) => paint)],
    [`list shown, ${name}`, took.map(({ list }) => list)],
  ];
}

const figures: [string, number[]][] = [];
const folder = temporaryDesk();
const desk = await openLabelledDesk(folder.data);
try {
  const { host, page } = desk;
  for (let from = 0; from < many; from += 5_000)
    await host.tickets.importText(lines(from, Math.min(many, from + 5_000)), { source: 'import' });
  const begun: { paint: number; list: number }[] = [];
  for (let n = 0; n < 5; n++) {
    await page.reload();
    begun.push(await painting(page));
  }
  figures.push(...beginnings('browser', begun));
  const opened: { paint: number; list: number }[] = [];
  for (let n = 0; n < 3; n++) {
    const window = await openInWindow(folder.data);
    opened.push(await painting(window.page));
    await window.close();
  }
  figures.push(...beginnings('window', opened));
  const moves = await moving(page, 100);
  figures.push(['key to visible change', moves.key], ['opening a ticket', moves.opened]);
  figures.push(['choosing a view', await viewing(page, 5)]);
  const searches: number[] = [];
  for (const words of ['muffin tray', 'Reference R2a', 'delivery', 'casserole', 'weekend'])
    searches.push(
      await listed(page, async () => {
        await page.keyboard.press('/');
        await page.keyboard.type(words);
        await page.keyboard.press('Enter');
      }),
    );
  figures.push(['searching, typing included', searches]);
} finally {
  await desk.close();
  folder.remove();
}
console.log(`${many} tickets`);
for (const [name, values] of figures)
  console.log(
    `${name.padEnd(30)} median ${median(values).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, n ${values.length}`,
  );
