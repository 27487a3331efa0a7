// What an act is for, by keyboard alone: the marked tickets, else the open one, and never another. What did not work stands at
// its ticket.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, searched } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;
/** What the host says waits here while it is held back. */
let held: (() => void)[] | null = null;
let release = (): void => undefined;

/** The newest of all: they stand first, in this order. */
const letters = Array.from({ length: 12 }, (_, n) => ({
  id: `M-${n}`,
  customer: 'C-0001',
  subject: `Letter ${n}`,
  body: 'When are you open?',
  received_at: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
  priority: 'urgent',
}));

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  await desk.host.tickets.importText(JSON.stringify(letters), { source: 'import' });
  page = desk.page;
  await page.addInitScript(() => Reflect.set(navigator, 'getBattery', () => Promise.resolve({ charging: false })));
  await page.routeWebSocket(/\/desk$/, (socket) => {
    const host = socket.connectToServer();
    host.onMessage((text) => {
      if (held === null) socket.send(text);
      else held.push(() => socket.send(text));
    });
  });
  release = () => {
    for (const send of held ?? []) send();
    held = null;
  };
  // A page that begins opens a ticket by itself, and names it in the address: the next opens the first of the list.
  await page.locator('header code').waitFor();
  await page.evaluate(() => history.replaceState(null, '', '#/queue'));
  await page.reload();
  await be(page, 'Mara Lindqvist');
  await opened('M-0');
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
afterEach(async ({ task }) => {
  release();
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'failed-marks.png') });
});

const status = async (id: string): Promise<string> => (await desk.host.queue.row(id)).status;
async function opened(id: string): Promise<void> {
  await page.locator('header code', { hasText: id }).waitFor();
  await page.locator(`[data-ticket="${id}"]`).waitFor();
}

it('one marked ticket is done and no longer marked; the open one stays open', async () => {
  await keys(page, 'x', 'j', 'j');
  await opened('M-2');
  await page.getByText('1 marked').waitFor();
  await keys(page, 'e');
  await expect.poll(() => status('M-0')).toBe('done');
  await page.getByText('1 marked').waitFor({ state: 'detached' });
  await opened('M-2');
  expect(await status('M-2')).toBe('open');
});

it('done before the answer came and gone on already: no ticket is passed over', async () => {
  held = [];
  await keys(page, 'e', 'j', 'j');
  await expect.poll(() => status('M-2')).toBe('done');
  await expect.poll(() => page.locator('header code').textContent()).toBe('M-4');
  release();
  await page.locator('[data-key="M-2"]').waitFor({ state: 'detached' });
  await opened('M-4');
  expect(await Promise.all(['M-3', 'M-4'].map(status))).toEqual(['open', 'open']);
});

it('several done with the open one among them: the next that stays is opened', async () => {
  await keys(page, 'x', 'j', 'x', 'k');
  await page.getByText('2 marked').waitFor();
  await opened('M-4');
  await keys(page, 'e');
  await opened('M-6');
  expect(await Promise.all(['M-4', 'M-5', 'M-6'].map(status))).toEqual(['done', 'done', 'open']);
});

it('what did not work stands at its ticket, and nowhere else', async () => {
  const trouble = page.locator('p', { hasText: 'Take over takes it from them.' });
  const lead = (await desk.host.people()).find(({ role }) => role === 'lead');
  if (lead === undefined) throw new Error('no lead');
  const { id, edition } = await desk.host.queue.row('M-6');
  await desk.host.queue.change({ id, edition }, lead, { kind: 'claim' });
  desk.host.touched(id);
  await page.getByRole('button', { name: 'Take over' }).waitFor();
  await keys(page, 'a');
  await trouble.waitFor();
  await keys(page, 'j');
  await opened('M-7');
  await expect.poll(() => trouble.count()).toBe(0);
});

it('what was done last stands at the foot of the list, and a key takes it back', async () => {
  const last = page.getByRole('group', { name: 'Done last' });
  const id = (await page.locator('header code').textContent()) ?? '';
  expect(await status(id)).toBe('open');
  await keys(page, 'e');
  await last.getByText(`Done: ${id}`, { exact: true }).waitFor();
  expect(await status(id)).toBe('done');
  await keys(page, 'Shift+Z');
  await opened(id);
  await expect.poll(() => status(id)).toBe('open');
  await last.waitFor({ state: 'detached' });
});

it('a search that is in force is seen again after leaving the queue, counted, and cleared with Escape', async () => {
  const box = page.getByRole('searchbox', { name: 'Search tickets' });
  const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  await keys(page, 'Escape', '/');
  await page.keyboard.type('teapot');
  await page.getByText(/^[1-9]\d* found in all tickets, not only Unassigned$/).waitFor();
  await expect.poll(() => rows.count()).toBeLessThan(4);
  await keys(page, 'Enter');
  await searched(page);
  await keys(page, 'g', 'i');
  await box.waitFor({ state: 'detached' });
  await keys(page, 'g', 'q', '/');
  await expect.poll(() => box.inputValue()).toBe('teapot');
  const found = page.getByText(/^[1-9]\d* found in all tickets/);
  await found.waitFor();
  await keys(page, 'Escape');
  await expect.poll(() => box.inputValue()).toBe('');
  await found.waitFor({ state: 'detached' });
  await page.locator('[data-key="M-7"]').waitFor();
});

it('the palette finds commands also by other words: importing, the filter, changing person', async () => {
  const palette = page.getByRole('dialog', { name: 'All commands' });
  const find = async (words: string, title: string): Promise<void> => {
    await keys(page, 'Control+k');
    await palette.getByRole('menuitem').first().waitFor();
    await page.keyboard.type(words);
    await palette.getByRole('menuitem', { name: title }).waitFor();
    await expect.poll(() => palette.getByRole('menuitem').count()).toBe(1);
  };
  await find('import', 'Bring tickets in from a file');
  await keys(page, 'Escape', 'Escape');
  await palette.waitFor({ state: 'detached' });
  await find('filter tick', 'Filter tickets');
  await keys(page, 'ArrowDown', 'Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Urgent priority' }).waitFor();
  await keys(page, 'Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await find('sign out', 'Change person or sign out…');
  await keys(page, 'ArrowDown', 'Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
});
