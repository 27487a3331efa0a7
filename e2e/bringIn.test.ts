// Tickets in and out on screen, in a real browser: a file is looked at, what it does not say is said, and only then it comes
// in; what is there is saved as a file.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDesk } from './deskProgram.ts';
import { lookOver } from './lookOver.ts';
import { openInBrowser, type BrowserDesk } from './screen.ts';

const files = temporaryDesk();
const examples = path.join(import.meta.dirname, 'imports');
const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
let screen: BrowserDesk;
beforeAll(async () => {
  screen = await openInBrowser(files.data);
});
afterAll(async () => {
  await screen.close();
  files.remove();
});

/** By the palette, with the keyboard alone. */
async function command(page: Page, words: string): Promise<void> {
  // Until the desk said who acts no key means anything.
  await page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(words);
  await page
    .getByRole('option', { name: words })
    .or(page.getByRole('menuitem', { name: words }))
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}
async function choose(page: Page, name: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^(Choose a|Another) file/ }).press('Enter');
  await (await chooser).setFiles(path.join(examples, name));
}
async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}.png`) });
  }
}
/** Whether it can be clicked where it stands. */
function inSight(button: Locator): Promise<boolean> {
  return button.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

describe('tickets from a file', () => {
  it('come in after what the file does not say was said; nothing before, nothing twice', async () => {
    const { page } = screen;
    await command(page, 'Bring tickets in');
    await choose(page, 'dates-ambiguous.csv');
    const dialog = page.getByRole('dialog', { name: 'Bring tickets in' });
    await dialog.getByText('Does the day or the month come first').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: /^Bring in/ }).isDisabled()).toBe(true);
    await picture(page, 'import-questions');
    // What is asked has the keyboard.
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-question'))).toBe(true);
    await dialog.getByRole('radio', { name: /The month first/ }).press('Space');
    await dialog.getByText('Dates: month first').waitFor();
    const zone = dialog.getByRole('combobox', { name: /time zone/ });
    await zone.press('B');
    await zone.pressSequentially('erlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor();
    await zone.press('ArrowDown');
    await zone.press('Enter');
    await dialog.getByText('3 would be added').waitFor();
    await dialog.getByText('Can I still return the mug', { exact: true }).waitFor();
    // With the last answer the keyboard is at what comes next, which stays in sight however long the rest is.
    const next = dialog.getByRole('button', { name: 'Bring in 3' });
    await expect.poll(() => next.evaluate((one) => one === document.activeElement)).toBe(true);
    for (const theme of ['light', 'dark'] as const)
      await lookOver(page, 'import-preview', theme, async () => {
        await dialog.getByRole('heading', { name: 'Bring tickets in' }).evaluate((one) => one.scrollIntoView());
        await expect.poll(() => inSight(next)).toBe(true);
      });
    await next.press('Enter');
    await dialog.getByText('3 added, 0 changed').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('ray.bohm@example.com').first().waitFor();
  });
  it('name what stays out and why, and can have their columns changed', async () => {
    const { page } = screen;
    await command(page, 'Bring tickets in');
    const dialog = page.getByRole('dialog', { name: 'Bring tickets in' });
    await choose(page, 'own-types.jsonl');
    await dialog.getByText('8 would be added').waitFor();
    await expect.poll(() => dialog.getByText('Record 10 (1010)').textContent()).toContain('received_at');
    await choose(page, 'excel-german.csv');
    await dialog.getByRole('table', { name: 'Columns of the file' }).waitFor();
    const columns = dialog.getByRole('table', { name: 'Columns of the file' }).locator('td:first-child');
    // Each name is whole on its line.
    const heights = await columns.evaluateAll((all) =>
      all.map((one) => one.firstElementChild?.getClientRects().length),
    );
    expect(new Set(heights)).toEqual(new Set([1]));
    await picture(page, 'import-columns');
    const betrag = dialog.getByRole('button', { name: /What Betrag holds/ });
    await expect.poll(() => betrag.textContent()).toContain('Kept in the record only');
    await betrag.press('Enter');
    await page.getByRole('option', { name: 'Channel' }).click();
    await dialog.getByRole('button', { name: /^Kept.*What Kanal holds/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('mails', () => {
  it('come in as a ticket a thread, with names; what a machine sent gets no draft and says so', async () => {
    const { page } = screen;
    await command(page, 'Bring tickets in');
    const dialog = page.getByRole('dialog', { name: 'Bring tickets in' });
    await choose(page, 'thread.mbox');
    await dialog.getByText('5 mails, a ticket for each thread').waitFor();
    await dialog.getByText('Mail 5 (broken-1@example.com): it has no date this desk can read').waitFor();
    await picture(page, 'import-mails');
    await dialog.getByRole('button', { name: 'Bring in 2' }).press('Enter');
    await dialog.getByText('2 added, 0 changed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: /^Tom Okafor/ }).click();
    await page.getByText('A machine sent this, so the desk drafts no answer.').waitFor();
    await expect
      .poll(() => page.getByRole('option', { name: /^Tom Okafor/ }).textContent())
      .toContain('Automatic mail');
    await expect.poll(() => page.getByRole('button', { name: /^Draft/ }).count()).toBe(1);
    await page.getByRole('option', { name: /^Ines Duarte.*cracked/ }).click();
    await page.getByRole('heading', { name: 'Sauté pan arrived cracked' }).waitFor();
    await page.getByText('quoted text, 2 lines').waitFor();
    await picture(page, 'mail-thread');
  });
});

describe('what is there', () => {
  it('is saved as a table that no spreadsheet takes for formulas', async () => {
    const { page } = screen;
    await page.getByRole('button', { name: /^[A-Z]{2}: / }).press('Enter');
    await page.getByRole('menuitem', { name: 'Take data out' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Take out' });
    await dialog.waitFor();
    await picture(page, 'export');
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the file' }).press('Enter');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('tickets.csv');
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toMatch(/^\ufeffid,customer,customer_name,subject/);
    expect(text).toContain('T-6,oli.zorn@example.com,,Return,Can I still return the mug,2026-03-04T07:15:00.000Z');
    await dialog.getByText(/^\d+ rows are in the file\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
  });
});
