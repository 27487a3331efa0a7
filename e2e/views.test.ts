// The views and filters of the queue on screen, by keyboard alone: each holds its tickets and no other, follows what people and
// the model do, and begins at its beginning.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, openBySearch, pick, tabTo } from './keyboard.ts';
import { lookOver } from './lookOver.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;
/** The model's next choice waits for this. */
let step: Promise<void> = Promise.resolve();

/** Letters of one customer, the first three of each priority, the others low: more than are in sight. */
const priorities = ['urgent', 'high', 'normal', 'low'];
const letters = Array.from({ length: 36 }, (_, n) => ({
  id: `V-${n}`,
  customer: 'C-0001',
  subject: `Letter ${n}`,
  body: 'When are you open?',
  received_at: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
  priority: priorities[n < 12 ? n % 4 : 3],
}));

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await openLabelledDesk(folder.data, { step: () => step });
  await desk.host.tickets.importText(JSON.stringify(letters), { source: 'import' });
  page = desk.page;
  // On battery nothing is drafted ahead: only what is asked for here changes the list.
  await page.addInitScript(() => Reflect.set(navigator, 'getBattery', () => Promise.resolve({ charging: false })));
  // Signed in by the link first: loaded again before, the page is nobody's.
  await page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor();
  await page.reload();
  await be(page, 'Mara Lindqvist');
  await page.getByRole('region', { name: 'Messages' }).waitFor();
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'failed-views.png') });
});

const rows = () => page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
async function ids(): Promise<string[]> {
  return rows().evaluateAll((all) => all.map((one) => one.getAttribute('data-key') ?? ''));
}
/** Exactly these, in this order. */
async function listed(...wanted: string[]): Promise<void> {
  await expect.poll(ids).toEqual(wanted);
}
async function view(name: string): Promise<void> {
  await keys(page, 'v');
  await page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).waitFor();
  await pick(page, new RegExp(`^${name}`));
  await page.getByRole('button', { name: `View: ${name}` }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}
/** Sets one that is not set, clears one that is; then so many are set. */
async function filter(name: string, set: number): Promise<void> {
  await tabTo(page, /^Filter/);
  await keys(page, 'Enter');
  await page.getByRole('menuitemcheckbox', { name }).waitFor();
  await pick(page, new RegExp(name));
  const words = set === 0 ? 'Filter' : `Filter · ${set}`;
  await page.getByRole('button', { name: words, exact: true }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}
async function cleared(): Promise<void> {
  await keys(page, '/', 'Escape', 'Escape');
}

describe('filters', () => {
  it('by priority: each alone, two together with the most urgent first, and none that fits', async () => {
    await filter('Urgent priority', 1);
    await listed('V-0', 'V-4', 'V-8');
    await page.getByText('3 with this filter').waitFor();
    await lookOver(page, 'filtered', 'light', () => page.getByText('3 with this filter').waitFor());
    await filter('High priority', 2);
    await listed('V-0', 'V-4', 'V-8', 'V-1', 'V-5', 'V-9');
    await filter('Urgent priority', 1);
    await listed('V-1', 'V-5', 'V-9');
    await view('Done');
    await page.getByText('No ticket fits.').waitFor();
    await view('Unassigned');
    await filter('High priority', 0);
    await filter('Low priority', 1);
    await expect.poll(async () => (await ids()).slice(0, 4)).toEqual(['V-3', 'V-7', 'V-11', 'V-12']);
    await filter('Low priority', 0);
    await filter('Normal priority', 1);
    await expect.poll(async () => (await ids()).slice(0, 3)).toEqual(['V-2', 'V-6', 'V-10']);
    expect(await ids()).not.toContain('V-0');
    await filter('Normal priority', 0);
    await expect.poll(async () => (await ids())[0]).toBe('V-0');
  });

  it('follow a priority that is set with a key: of the open ticket, and of the marked ones together', async () => {
    const set = async (words: string): Promise<void> => {
      await keys(page, 'i');
      await page.getByRole('menuitemradio', { name: words }).waitFor();
      await pick(page, new RegExp(`^${words}`));
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    const priority = async (id: string): Promise<string> => (await desk.host.queue.row(id)).priority;
    await openBySearch(page, 'Letter 35', 'V-35');
    await set('Urgent');
    await page.getByRole('button', { name: 'Priority: urgent' }).waitFor();
    expect(await priority('V-35')).toBe('urgent');
    await cleared();
    await filter('Urgent priority', 1);
    await listed('V-0', 'V-4', 'V-8', 'V-35');
    // V-35 is open, the last of them.
    await keys(page, 'Escape', 'x', 'k', 'x');
    await page.getByText('2 marked').waitFor();
    await set('High');
    // The open one keeps its row until the person moves on.
    await listed('V-0', 'V-4', 'V-8');
    await keys(page, 'k');
    await listed('V-0', 'V-4');
    expect(await Promise.all(['V-0', 'V-4', 'V-8', 'V-35'].map(priority))).toEqual([
      'urgent',
      'urgent',
      'high',
      'high',
    ]);
    await filter('Urgent priority', 0);
  });

  it('by draft: each state holds what is in it, and a ticket goes where its state goes', async () => {
    const draft = async (id: string): Promise<string> => (await desk.host.queue.row(id)).draft;
    await openBySearch(page, 'teapot', 'T-0018');
    await keys(page, 'd');
    await expect.poll(() => draft('T-0018')).toBe('ready');
    await openBySearch(page, 'bent tray', 'T-0024');
    await keys(page, 'd');
    await expect.poll(() => draft('T-0024')).toBe('asks you');
    await openBySearch(page, 'Parcel supposedly handed over', 'T-0004');
    await keys(page, 'd');
    await expect.poll(() => draft('T-0004')).toBe('ready');
    const claims = (await desk.host.drafts.get('T-0004'))?.claims ?? [];
    const doubted = claims.map((claim) => ({ ...claim, verdict: 'no source', why: 'No call says so.' }));
    const { db } = desk.host.store;
    await db
      .updateTable('drafts')
      .set({ claims: JSON.stringify(doubted), blocked: 1 })
      .where('ticket', '=', 'T-0004')
      .execute();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    step = promise;
    await openBySearch(page, 'No dispatch email yet', 'T-0001');
    await keys(page, 'd');
    await expect.poll(() => draft('T-0001')).toBe('working');
    await cleared();
    await filter('Ready', 1);
    await listed('T-0018');
    await filter('Ready', 0);
    await filter('Asks you', 1);
    await listed('T-0024');
    await filter('Asks you', 0);
    await filter('Claims to check', 1);
    await listed('T-0004');
    await filter('Claims to check', 0);
    await filter('No draft', 1);
    await expect
      .poll(async () => {
        const now = await ids();
        return [now.includes('V-0'), now.includes('T-0018')];
      })
      .toEqual([true, false]);
    await filter('No draft', 0);
    await filter('Working', 1);
    await listed('T-0001');
    // It leaves the filter, but not while it is open.
    step = Promise.resolve();
    resolve(undefined);
    await rows().getByText('Ready').waitFor();
    await listed('T-0001');
    await filter('Ready', 2);
    await expect.poll(async () => (await ids()).sort()).toEqual(['T-0001', 'T-0018']);
    await filter('Working', 1);
    await filter('Ready', 0);
  });

  it('and views are seen from their beginning, however far the list was gone through', async () => {
    const top = () => page.getByRole('listbox', { name: 'Tickets' }).evaluate((list) => list.scrollTop);
    const far = async (): Promise<void> => {
      // The long list is there again: of a short one nothing goes out of sight.
      await expect.poll(async () => (await ids()).length).toBeGreaterThan(10);
      for (let n = 0; n < 45; n++) await keys(page, 'j');
      await expect.poll(top).toBeGreaterThan(500);
    };
    await far();
    await filter('Low priority', 1);
    await expect.poll(async () => [await top(), (await ids())[0]]).toEqual([0, 'V-3']);
    await far();
    await view('All tickets');
    await expect.poll(async () => [await top(), (await ids())[0]]).toEqual([0, 'V-3']);
    await filter('Low priority', 0);
    await view('Unassigned');
  });
});

describe('views', () => {
  it('hold what is mine, what nobody has, what waits for me, what nothing backs, what is done, and all', async () => {
    await view('Waiting for a person');
    await listed('T-0024');
    await view('Unbacked');
    await listed('T-0004');
    await view('Mine');
    await page.getByText('Nothing waits here.').waitFor();
    await view('Unassigned');
    await openBySearch(page, 'Letter 5', 'V-5');
    await keys(page, 'a');
    await page.getByRole('button', { name: /^Let go/ }).waitFor();
    await openBySearch(page, 'Letter 7', 'V-7');
    await keys(page, 'e');
    await page.getByRole('button', { name: /^Open again/ }).waitFor();
    await cleared();
    await view('Mine');
    await listed('V-5');
    await view('Done');
    await listed('V-7');
    await view('Unassigned');
    await filter('High priority', 1);
    await listed('V-1', 'V-8', 'V-9', 'V-35');
    await view('All tickets');
    await listed('V-1', 'V-5', 'V-8', 'V-9', 'V-35');
    await filter('High priority', 0);
    await view('Waiting for a lead');
    await page.getByText('Nothing waits here.').waitFor();
    await view('Unassigned');
    await openBySearch(page, 'Letter 2', 'V-2');
    await keys(page, 'h');
    await page.keyboard.type('Above my limit.');
    await keys(page, 'Control+s');
    await page.locator('header').getByText('Handed over to a lead').waitFor();
    await cleared();
    await view('Waiting for a lead');
    await listed('V-2');
    await view('Waiting for a person');
    await listed('T-0024');
    await keys(page, 'v');
    await expect
      .poll(() => page.getByRole('menuitemradio').allTextContents())
      .toEqual(expect.arrayContaining(['Mine1', 'Waiting for a person1', 'Waiting for a lead1', 'Unbacked1', 'Done1']));
    await keys(page, 'Escape');
  });
});
