// The screens beside the queue, by keyboard alone in a real browser: a lead answers a question of the real shop, an admin
// decides on a changed tool, two people have the same question open; and every screen in both themes for axe and the eye.
import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundsSince } from './shopRecords.ts';
import { temporaryDesk } from './deskProgram.ts';
import { reachRefund } from './reachRefund.ts';
import { openInBrowser, type BrowserDesk } from './screen.ts';

const files = temporaryDesk();
const consents = { when: { tool: 'shop.issue_refund' }, as: 'staff-0007', consent: 'run' };
const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
let screen: BrowserDesk;

beforeAll(async () => {
  await reachRefund(files, 'O-1145', [consents]);
  await reachRefund(files, 'O-2289', [consents]);
  const approved = await files.run('approve', 'partner', '--yes', '--as', 'staff-0001');
  expect(approved.stdout).toContain('partner.track_parcel is approved');
  await files.run('work', '--all', '--model', 'none');
  process.env['PARTNER_RELEASE'] = 'updated';
  screen = await openInBrowser(files.data);
});
afterAll(async () => {
  delete process.env['PARTNER_RELEASE'];
  await screen.close();
  files.remove();
});

/** What has the focus: role, name and text, as a person would hear them begin. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const on = document.activeElement;
    const label = on?.closest('label')?.textContent ?? '';
    return `${on?.getAttribute('aria-label') ?? ''} ${label} ${on?.textContent ?? ''}`.trim();
  });
}
/** Goes on with Tab until something has the focus; a person would give up sooner. */
async function tabTo(page: Page, what: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if (what.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${what.source}; now: ${await focused(page)}`);
}
async function keys(page: Page, ...all: string[]): Promise<void> {
  for (const key of all) await page.keyboard.press(key);
}
/** Changes over to somebody of the sample company. */
async function be(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await tabTo(page, /^[A-Z]{2}: /);
  if ((await focused(page)).includes(name)) return;
  await keys(page, 'Enter');
  await page.getByRole('menuitem', { name }).waitFor();
  await page.keyboard.type(name.slice(0, 4));
  await keys(page, 'Enter');
  await page.getByRole('button', { name: new RegExp(name) }).waitFor();
}
const refundsOf = (order: string): string[] => refundsSince(files.data, order);

describe('every screen', () => {
  const sizes = [
    { width: 1440, height: 900 },
    { width: 1024, height: 700 },
  ];
  const screens: [string, string, RegExp][] = [
    ['inbox', 'i', /Release the refund/],
    ['definitions', 'd', /could be sent to “partner”/],
    ['runs', 'r', /Per kind of ticket/],
    ['servers', 's', /System of record/],
    ['model', 'm', /Apache-2\.0/],
  ];
  it.each(['light', 'dark'] as const)('has no serious finding of axe in the %s theme', async (colorScheme) => {
    mkdirSync(pictures, { recursive: true });
    const { page } = screen;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const [name, key, words] of screens) {
        await keys(page, 'g', key);
        await page.getByText(words).first().waitFor();
        const { violations } = await new AxeBuilder({ page }).analyze();
        const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(bad.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
        await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${size.width}.png`) });
      }
    }
  });
});

describe('a held refund', () => {
  it('is released by a lead with the keyboard alone, looked over before it is sent (host §17)', async () => {
    const { page } = screen;
    await be(page, 'Tomas Adeyemi');
    await keys(page, 'g', 'i');
    await page.getByRole('option', { name: /343\.49/ }).waitFor();
    await page.getByText('Release the refund').waitFor();
    await keys(page, 'Control+Enter');
    await page.getByText('Needs an answer: yes or no.').waitFor();
    expect(refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await tabTo(page, /^Yes$/);
    await keys(page, 'Space', 'Control+Enter');
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(await page.getByRole('group', { name: 'What would be sent' }).textContent()).toContain('yes');
    expect(refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await keys(page, 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(refundsOf('O-1145')).toEqual(['requested']);
    await page.getByRole('option', { name: /343\.49/ }).waitFor({ state: 'detached' });
  });

  it('says who was first where two have it open, and sends nothing for the second (odd inputs, forms)', async () => {
    const { page } = screen;
    const other = await screen.another();
    await be(other, 'Ines Okafor');
    for (const one of [page, other]) {
      await keys(one, 'g', 'i');
      await one.getByRole('option', { name: /180\.00/ }).waitFor();
      await one.getByText('Release the refund').waitFor();
    }
    await tabTo(page, /^No$|^Yes$/);
    await keys(page, 'ArrowDown', 'Control+Enter');
    await page.getByText('Nothing was sent yet.').waitFor();
    await keys(page, 'Control+Enter');
    const note = other.getByRole('note', { name: 'Not open any more' });
    await note.waitFor();
    expect(await note.textContent()).toContain('Tomas Adeyemi accepted it while you had it open');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(refundsOf('O-2289')).toEqual(['needs_confirmation']);
    await other.context().close();
  });
});

describe('a changed tool (host §7)', () => {
  it('is read by staff, who cannot decide', async () => {
    const { page } = screen;
    await be(page, 'Mara Lindqvist');
    await keys(page, 'g', 'd');
    await page.getByRole('heading', { name: 'partner: Track parcel' }).waitFor();
    await page.getByText('An admin decides on this.').waitFor();
    await keys(page, 'a');
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
    expect(await page.getByRole('option', { name: /Track parcel.*changed/ }).count()).toBe(1);
  });

  it('is shown word by word with what cannot be seen, and approved by an admin with the keyboard alone', async () => {
    const { page } = screen;
    await be(page, 'Ines Okafor');
    await keys(page, 'g', 'd');
    await page.getByRole('heading', { name: 'partner: Track parcel' }).waitFor();
    const now = page.getByRole('group', { name: 'Now' });
    await now.waitFor();
    expect(await now.locator('ins').allTextContents()).toEqual([expect.stringContaining('full name')]);
    expect(await now.getByText('U+2060').count()).toBe(1);
    expect(await now.textContent()).not.toContain('\u2060');
    await page.getByText('could be sent to “partner” in “note”').waitFor();
    await keys(page, 'w');
    await page.keyboard.type('read in full');
    await keys(page, 'Escape', 'a');
    await page.getByRole('option', { name: /Track parcel.*approved/ }).waitFor();
    await page.getByRole('cell', { name: 'read in full' }).waitFor();
    const { stdout } = await files.run('--json', 'servers', 'check', 'partner');
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ tool: 'track_parcel', status: 'approved' }] });
  });
});

describe('the queue in one go', () => {
  it('is started, followed and looked at with the keyboard alone', async () => {
    const { page } = screen;
    await keys(page, 'g', 'r', 'w');
    await page.getByRole('heading', { name: 'Work the queue' }).waitFor();
    await tabTo(page, /^Those nobody/);
    await keys(page, 'ArrowDown');
    await tabTo(page, /^Start$/);
    await keys(page, 'Enter');
    await page.getByRole('heading', { name: 'The run is through' }).waitFor();
    await tabTo(page, /^Its figures$/);
    await keys(page, 'Enter');
    await page.getByText('48 tickets, ').first().waitFor();
    await keys(page, 'c');
    await page.getByRole('option', { name: /^Without a model, 48 tickets, / }).waitFor();
    await keys(page, 'ArrowDown', 'Enter');
    await page.getByText('the definitions: partner.track_parcel').waitFor();
    await tabTo(page, /^Transcript of T-0001/);
    await keys(page, 'Enter');
    await page.getByText('None: it was left to people.').waitFor();
    await keys(page, 'Escape');
    await page.getByRole('heading', { name: 'Tickets' }).waitFor();
  });
});
