// A day at the desk with the keyboard alone: the path of each role in a browser and in the window of Electron, and what staff
// do with the queue between two replies. Pictures of every state are kept for a person to look at.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { latestDraft } from '../main/store/runs.ts';
import { be, keys, openBySearch, pick, tabTo } from './keyboard.ts';
import { temporaryDesk } from './deskProgram.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { adminApproves, leadReleases, staffAsksForRefund, staffSends } from './paths.ts';
import { openInWindow, type WindowDesk } from './screen.ts';
import { refundsSince } from './shopRecords.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
mkdirSync(pictures, { recursive: true });

describe.each(['browser', 'window'] as const)('the path of each role by keyboard alone, in the %s', (kind) => {
  const folder = temporaryDesk();
  let desk: LabelledDesk;
  let window: WindowDesk | null = null;
  let page: Page;
  beforeAll(async () => {
    const approved = await folder.run('approve', 'partner', '--yes', '--as', 'staff-0001');
    expect(approved.stdout).toContain('partner.track_parcel is approved');
    process.env['PARTNER_RELEASE'] = 'updated';
    desk = await openLabelledDesk(folder.data);
    if (kind === 'window') window = await openInWindow(folder.data);
    if (window !== null) await keepNotices(window);
    page = window?.page ?? desk.page;
  });
  afterAll(async () => {
    delete process.env['PARTNER_RELEASE'];
    await window?.close();
    await desk.close();
    folder.remove();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, `failed-${kind}.png`) });
  });

  it('staff: from the queue to T-0003 sent, with its evidence', async () => {
    await staffSends(page);
    expect(await desk.host.queue.row('T-0003')).toMatchObject({ status: 'done', owner: 'staff-0007' });
  });
  it('lead: from the inbox to the refund of O-1145 released', async () => {
    await staffAsksForRefund(page);
    // The question is a lead's: staff are told of the consent only. A click on the notice leads to what it is about.
    if (window !== null) expect(await noticed(window)).toEqual(['A call waits for consent: T-0031']);
    await leadReleases(page, () => refundsSince(folder.data, 'O-1145'));
  });
  it('admin: from the changed track_parcel to its approval', async () => {
    await adminApproves(page);
    const pins = await desk.host.pins.history('partner', 'track_parcel');
    const mine = pins.find(({ why }) => why === 'read in full');
    expect(mine).toMatchObject({ decision: 'approved', by: 'staff-0001' });
  });
});

interface Kept {
  deskNotices: { title: string; emit: (event: string) => boolean }[];
}
/** This screen has no place for notices: they are kept instead of shown, and the window looks away. */
async function keepNotices({ app }: WindowDesk): Promise<void> {
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const kept: Kept['deskNotices'] = [];
    Object.assign(globalThis, { deskNotices: kept });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      kept.push(this);
    };
    for (const one of BrowserWindow.getAllWindows()) one.isFocused = () => false;
  });
}
/** Titles of the notices so far; the last one is clicked. */
async function noticed({ app, page }: WindowDesk): Promise<string[]> {
  const titles = await app.evaluate(() => {
    const { deskNotices } = globalThis as unknown as Kept; // as keepNotices put it there
    deskNotices.at(-1)?.emit('click');
    return deskNotices.map(({ title }) => title);
  });
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return titles;
}

describe('the queue between two replies, by keyboard alone', () => {
  const folder = temporaryDesk();
  let desk: LabelledDesk;
  let page: Page;
  beforeAll(async () => {
    desk = await openLabelledDesk(folder.data);
    page = desk.page;
    await be(page, 'Mara Lindqvist');
    await page.getByRole('region', { name: 'Messages' }).waitFor();
    await keys(page, 'Escape');
  });
  afterAll(async () => {
    await desk.close();
    folder.remove();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'failed-day.png') });
  });

  const option = (name: RegExp) => page.getByRole('option', { name });
  async function choose(view: string): Promise<void> {
    await keys(page, 'v');
    await page.getByRole('menuitemradio', { name: new RegExp(`^${view}`) }).waitFor();
    await pick(page, new RegExp(`^${view}`));
    await page.getByRole('button', { name: `View: ${view}` }).waitFor();
  }
  /** In both themes and sizes, with what axe says of it. */
  async function look(name: string): Promise<void> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [width, height] of [
        [1440, 900],
        [1024, 700],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${width}.png`) });
        if (width === 1024) continue;
        const { violations } = await new AxeBuilder({ page }).analyze();
        for (const { id, impact, nodes } of violations)
          if (impact === 'serious' || impact === 'critical')
            found.push(`${name}, ${colorScheme}: ${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`);
      }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(found).toEqual([]);
  }
  const opened = () => page.locator('header code').textContent();

  it('X selects, D drafts all that are selected; what asks and what is ready says so in its row', async () => {
    const first: (string | null)[] = [];
    for (let n = 0; n < 3; n++) {
      await keys(page, 'x');
      first.push(await opened());
      await keys(page, 'j');
    }
    await page.getByText('3 marked').waitFor();
    await look('bulk');
    await keys(page, 'd');
    for (const id of first)
      await expect.poll(async () => (await desk.host.queue.row(id ?? '')).draft).not.toMatch(/none|working/);
    await page.getByText('3 marked').waitFor({ state: 'detached' });
  });

  it('S snoozes until a chosen time, and wakes with the same key; E is done, and opens it again', async () => {
    await openBySearch(page, 'Cracked pan', 'T-0006');
    await keys(page, 's');
    await page.getByRole('menuitem', { name: /^Until tomorrow morning/ }).waitFor();
    await look('snooze');
    await pick(page, /^Until tomorrow morning/);
    await page
      .locator('header')
      .getByText(/^Snoozed until /)
      .waitFor();
    expect((await desk.host.queue.row('T-0006')).status).toBe('snoozed');
    await keys(page, '/', 'Escape', 'Escape');
    await choose('Snoozed');
    await option(/Cracked pan/)
      .getByText('Snoozed')
      .waitFor();
    await look('snoozed');
    await keys(page, 's');
    await expect.poll(async () => (await desk.host.queue.row('T-0006')).status).toBe('open');
    await page
      .locator('header')
      .getByText(/^Snoozed until /)
      .waitFor({ state: 'detached' });
    await keys(page, 'e');
    await expect.poll(async () => (await desk.host.queue.row('T-0006')).status).toBe('done');
    await page.getByRole('button', { name: /^Open again/ }).waitFor();
    await keys(page, 'e');
    await expect.poll(async () => (await desk.host.queue.row('T-0006')).status).toBe('open');
    await choose('Unassigned');
  });

  it('a note looks unlike a reply, before it is kept and after; handing over says to whom', async () => {
    await openBySearch(page, 'Cracked pan', 'T-0006');
    await keys(page, 't');
    await page.keyboard.type('She has called twice.');
    await look('noting');
    await keys(page, 'Control+s');
    await page.getByText('Note, stays in the desk').waitFor();
    await look('note');
    await keys(page, 'h');
    await page.keyboard.type('Above my limit.');
    await tabTo(page, /^A lead/);
    await keys(page, 'Enter');
    await page.getByRole('option', { name: 'Tomas Adeyemi' }).waitFor();
    await pick(page, /Tomas Adeyemi/);
    await keys(page, 'Control+s');
    await option(/Cracked pan/)
      .getByText('For Tomas Adeyemi')
      .waitFor();
    await page.getByRole('region', { name: 'Draft', exact: true }).getByText('Above my limit.').waitFor();
    await look('handed-over');
    expect(await desk.host.queue.row('T-0006')).toMatchObject({ owner: 'staff-0002', state: 'handed over' });
  });

  it('/ searches and opens the first that has the words; Escape brings the view back', async () => {
    await keys(page, '/', 'Escape', 'Escape');
    await openBySearch(page, 'teapot', 'T-0018');
    const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
    await expect.poll(() => rows.count()).toBe(1);
    await keys(page, '/', 'Escape', 'Escape');
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
  });

  it('Redo drafts anew; Discard puts an edit away and leaves the draft', async () => {
    await openBySearch(page, 'Delivery date', 'T-0003');
    await keys(page, 'd');
    await page.locator('[data-claim="backed"]').first().waitFor();
    const before = await desk.host.drafts.get('T-0003');
    await keys(page, 'r');
    await expect.poll(async () => (await desk.host.drafts.get('T-0003'))?.model?.run).not.toBe(before?.model?.run);
    await page.getByRole('button', { name: /^Send to/ }).waitFor();
    await keys(page, 'w');
    await page.keyboard.type('Never mind.');
    await tabTo(page, /^Discard$/);
    await keys(page, 'Enter');
    await page.getByRole('button', { name: /^Send to/ }).waitFor();
    expect((await desk.host.drafts.get('T-0003'))?.edited).toBeNull();
  });

  it('a reply that was kept stands over what the model drafts; once it is discarded that is there, and Redo with it', async () => {
    await openBySearch(page, 'Delivery date', 'T-0003');
    await keys(page, 'w');
    await page.getByRole('region', { name: 'Edit the reply' }).waitFor();
    await page.keyboard.type(' My own words.');
    await keys(page, 'Escape');
    const card = page.getByRole('region', { name: 'Draft', exact: true });
    await card.getByText('My own words.').waitFor();
    const run = async () => (await latestDraft(desk.host.store.db, 'T-0003'))?.run;
    const before = await run();
    await keys(page, 'd');
    await expect.poll(run).not.toBe(before);
    await expect.poll(async () => (await desk.host.queue.row('T-0003')).draft).toBe('ready');
    await page.locator('[data-key="T-0003"]').getByText('Ready').waitFor();
    await card.getByText('My own words.').waitFor();
    expect(await card.getByRole('button', { name: 'Redo' }).count()).toBe(0);
    await look('kept');
    await tabTo(page, /^Discard$/);
    await keys(page, 'Enter');
    await card.getByRole('button', { name: 'Redo' }).waitFor();
    expect(await card.getByText('My own words.').count()).toBe(0);
    const drafted = await run();
    expect(await desk.host.drafts.get('T-0003')).toMatchObject({ kept: false, model: { run: drafted } });
    await keys(page, 'r');
    await expect.poll(run).not.toBe(drafted);
  });

  it('the palette holds every command with its key; ? shows all keys; one that is changed stays, a clash is refused', async () => {
    await keys(page, 'Escape', 'Control+k');
    const palette = page.getByRole('dialog', { name: 'All commands' });
    await palette.waitFor();
    await expect.poll(() => palette.getByRole('menuitem', { name: /^Snooze/ }).textContent()).toContain('S');
    await look('palette');
    await page.keyboard.type('snooz');
    await keys(page, 'Enter');
    await page.getByRole('menuitem', { name: /^For 3 hours/ }).waitFor();
    await keys(page, 'Escape', '?');
    const all = page.getByRole('dialog', { name: 'All keys' });
    await all.waitFor();
    await look('all-keys');
    const change = all.getByRole('button', { name: /change the key of Snooze$/ });
    await change.focus();
    await keys(page, 'Enter', 'e');
    await all.getByText('That key is taken: Done.').waitFor();
    await keys(page, 'Enter', '9');
    await all.getByText('That key is taken: Done.').waitFor({ state: 'detached' });
    await keys(page, 'Escape');
    await page.reload();
    await page.getByRole('region', { name: 'Messages' }).waitFor();
    await keys(page, 's');
    await expect.poll(() => page.getByRole('menuitem', { name: /^For 3 hours/ }).count()).toBe(0);
    await keys(page, '9');
    await page.getByRole('menuitem', { name: /^For 3 hours/ }).waitFor();
    await keys(page, 'Escape');
  });

  it('the next three of the view are drafted ahead once one stays on a ticket; on battery none', async () => {
    await page.clock.install();
    await page.evaluate(() => history.replaceState(null, '', '#/queue'));
    await page.reload();
    /** On one ticket only: who is held up on the way there stays on others, too. */
    const mainsAt = (ticket: string) =>
      page.evaluate((id) => {
        const charging = () => location.hash === `#/queue/${id}`;
        Reflect.set(navigator, 'getBattery', () => Promise.resolve({ charging: charging() }));
      }, ticket);
    const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
    await rows.nth(13).waitFor();
    const ids = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key') ?? ''));
    const goTo = async (n: number): Promise<void> => {
      while ((await opened()) !== ids[n]) {
        const before = await opened();
        await keys(page, 'j');
        await expect.poll(opened).not.toBe(before);
      }
      await page.clock.fastForward(4_100);
    };
    const drafts = (from: number, to: number) =>
      Promise.all(ids.slice(from, to).map(async (id) => (await desk.host.queue.row(id)).draft));
    // On a slow machine the tests before this one stayed long enough for a draft of these.
    await expect.poll(async () => (await drafts(5, 13)).includes('working')).toBe(false);
    const before = { battery: await drafts(5, 8), beyond: await drafts(12, 13) };
    await mainsAt(ids[8] ?? '');
    await goTo(4);
    await goTo(8);
    await expect.poll(async () => (await drafts(9, 12)).includes('none')).toBe(false);
    await expect.poll(async () => (await drafts(9, 12)).includes('working')).toBe(false);
    expect({ battery: await drafts(5, 8), beyond: await drafts(12, 13) }).toEqual(before);
    expect(before.battery).toContain('none');
  });
});
