// Documents and prompts for one ticket on screen, by keyboard alone (spec host §21): from a template whose argument is completed
// for the ticket's customer only, from a prompt that is looked at first; read by the next draft, and taken away again.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, tabTo } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const themes = ['light', 'dark'] as const;
// O-2476 and O-2230 are the only orders of its customer that begin so; O-2289 is somebody else's.
const ticket = 'T-0028';
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
  await be(page, 'Mara Lindqvist');
  await page.goto(new URL(`#/queue/${ticket}`, page.url()).href);
  await page.reload();
  await page.locator('header code', { hasText: ticket }).waitFor();
  // Its keys come with all of it.
  await page.locator(`[data-ticket="${ticket}"]`).waitFor();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'attachments-failed.png') });
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

const dialog = (name: string) => page.getByRole('dialog', { name });
const offered = () => page.locator('[data-popup]').getByRole('option');
const chips = () => page.getByRole('grid', { name: 'For the next draft' }).getByRole('row');

/** Opens the list by its key, and picks what it finds first. */
async function pick(key: string, name: string, words: string): Promise<void> {
  await keys(page, key);
  await dialog(name).getByRole('menuitem').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'));
  await page.keyboard.type(words);
  await page.waitForFunction(() => document.querySelectorAll('[role=dialog] [role=menuitem]').length === 1);
  await keys(page, 'ArrowDown', 'Enter');
  await dialog(name).getByRole('combobox').first().waitFor();
}

describe('a document for one ticket', () => {
  it('is found among what servers offer, with sizes; what stands before every draft cannot be taken twice', async () => {
    for (const theme of themes)
      await lookOver(page, 'attach', theme, async () => {
        if (!(await dialog('Attach to this ticket').isVisible())) await keys(page, 'f');
        await page.getByRole('menuitem', { name: /Stock policy/ }).waitFor();
      });
    const policy = page.getByRole('menuitem', { name: /Refund policy/ });
    await expect.poll(() => policy.textContent()).toContain('stands before every draft');
    await expect.poll(() => policy.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => page.getByRole('menuitem', { name: /Stock policy/ }).textContent()).toMatch(/\d+ B/);
    await keys(page, 'Escape');
    await dialog('Attach to this ticket').waitFor({ state: 'detached' });
  });

  it('is filled in from orders of the ticket’s customer only, and stands over the composer with its size', async () => {
    await pick('f', 'Attach to this ticket', 'order shop');
    await page.keyboard.type('o-2');
    await offered().filter({ hasText: 'O-2230' }).waitFor();
    await expect.poll(() => offered().allTextContents()).toEqual(['O-2476', 'O-2230']);
    for (const theme of themes)
      await lookOver(page, 'attach-fill', theme, () => dialog('Attach to this ticket').waitFor());
    await page.keyboard.type('4');
    await offered().filter({ hasText: 'O-2230' }).waitFor({ state: 'detached' });
    await keys(page, 'ArrowDown', 'Enter');
    await expect.poll(() => page.getByRole('combobox', { name: 'order id' }).inputValue()).toBe('O-2476');
    await tabTo(page, /^Attach$/);
    await keys(page, 'Enter');
    await chips()
      .filter({ hasText: /Order O-2476\d+ B/ })
      .waitFor();
    await dialog('Attach to this ticket').waitFor({ state: 'detached' });
  });

  it('is read by the draft, and stands in the record with its text', async () => {
    await keys(page, 'd');
    await page.getByRole('region', { name: 'Text of the draft' }).waitFor();
    await tabTo(page, /^Call log/);
    await keys(page, 'ArrowRight', 'ArrowRight');
    await page.getByRole('tab', { name: 'Attached 3', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Read by the last draft' }).waitFor();
    await page.getByRole('button', { name: /Refund policy/ }).waitFor();
    await tabTo(page, /^▸Order O-2476/);
    await keys(page, 'Enter');
    const text = page.getByRole('region', { name: 'Text of the document' });
    const folded = page.getByRole('button', { name: /Order O-2476/, expanded: false });
    await text.waitFor();
    await expect.poll(() => text.textContent()).toContain('"order_id":"O-2476"');
    for (const theme of themes)
      await lookOver(page, 'attached', theme, async () => {
        // The narrow window has the record on a page of its own, where the document is folded again.
        const log = page.getByRole('button', { name: /^Call log \d/ });
        const tab = page.getByRole('tab', { name: /^Attached/ });
        await log.or(tab).first().waitFor();
        if (await log.isVisible()) await log.click();
        await page
          .getByRole('button', { name: /Order O-2476/, expanded: true })
          .or(folded.first())
          .first()
          .waitFor();
        if (!(await text.first().isVisible())) await folded.first().click();
        await text.first().waitFor();
      });
  });
});

describe('a prompt', () => {
  it('is shown before it is used, what it embeds is not taken twice, and it retires the draft (host §21)', async () => {
    await page.getByRole('region', { name: 'Text of the draft' }).waitFor();
    await pick('u', 'Use a prompt', 'review');
    const use = dialog('Use a prompt');
    await page.keyboard.type('O-24');
    await expect.poll(() => offered().allTextContents()).toEqual(['O-2476']);
    await keys(page, 'ArrowDown', 'Enter', 'Tab');
    await page.keyboard.type('24.99');
    await tabTo(page, /^Show what it says$/);
    await keys(page, 'Enter');
    const said = use.getByRole('region', { name: 'What the prompt says' });
    await said.getByText('Stands before the draft already; it is not taken twice.').waitFor();
    await said.getByText(/A customer asks for 24\.99 euros back for order O-2476/).waitFor();
    for (const theme of themes) await lookOver(page, 'prompt', theme, () => said.waitFor());
    await expect.poll(() => chips().count()).toBe(1);
    await tabTo(page, /^Use it in the next draft$/);
    await keys(page, 'Enter');
    await chips().filter({ hasText: 'Review a refund' }).waitFor();
    await page.getByText('A document was attached since').waitFor();
    // Chip and words come as news, maybe before the answer that closes the dialog.
    await use.waitFor({ state: 'detached' });
  });

  it('and a document are taken away with a key', async () => {
    await tabTo(page, /^Order O-2476/);
    await keys(page, 'Delete');
    await chips().filter({ hasText: 'Order' }).waitFor({ state: 'detached' });
    await tabTo(page, /^Review a refund/);
    await keys(page, 'Delete');
    await page.getByRole('grid', { name: 'For the next draft' }).waitFor({ state: 'detached' });
    expect(await desk.host.attachments.list(ticket)).toEqual([]);
  });

  it('that an admin refused is offered to nobody (host §8)', async () => {
    await be(page, 'Ines Okafor');
    await keys(page, 'g', 'd');
    const one = page.getByRole('option', { name: /Prompt: Review a refund.*approved/ });
    await one.waitFor();
    for (let tries = 0; tries < 40 && (await one.getAttribute('aria-selected')) !== 'true'; tries++)
      await keys(page, 'j');
    await page.getByRole('heading', { name: 'shop: Prompt: Review a refund' }).waitFor();
    for (const theme of themes)
      await lookOver(page, 'definition-prompt', theme, () => page.getByText(/people pick it/).waitFor());
    await tabTo(page, /^Refuse it after all$/);
    await keys(page, 'Enter');
    await page.getByRole('option', { name: /Prompt: Review a refund.*refused/ }).waitFor();
    await keys(page, 'g', 'q');
    await page.getByRole('region', { name: 'Messages' }).waitFor();
    await keys(page, 'u');
    await dialog('Use a prompt').getByText('No server offers a prompt that an admin approved.').waitFor();
    await keys(page, 'Escape');
  });
});
