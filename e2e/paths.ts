// The main path of each role, by keyboard alone, on any page of the desk: run in a browser and in a window of Electron.
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { be, keys, openBySearch, tabTo } from './keyboard.ts';
import { slowClock } from './slowClock.ts';

const patient = { timeout: 60_000 };
const card = (page: Page) => page.getByRole('region', { name: 'Draft', exact: true });
const asking = (page: Page) => page.locator('#consent-bar');

/** Staff: from the first sight of the queue to T-0003 sent with its evidence, taken back once. The desk is in this process. */
export async function staffSends(page: Page): Promise<void> {
  await be(page, 'Mara Lindqvist');
  await openBySearch(page, 'Delivery date', 'T-0003');
  await keys(page, 'a');
  await page.getByRole('button', { name: /^Let go/ }).waitFor();
  await keys(page, 'd');
  await page.locator('[data-claim="backed"]').first().waitFor();
  // Every claim is reached, says what it rests on, and lights its call up.
  const claims = await page.locator('[data-claim]').count();
  expect(claims).toBeGreaterThan(2);
  for (let n = 0; n < claims; n++) {
    await keys(page, 'c');
    await expect.poll(() => page.locator(':focus').getAttribute('href'), patient).toBe('#call-1');
    await expect.poll(() => page.locator('#call-1').getAttribute('class'), patient).toContain('hot');
    await card(page).getByText('(call 1)').waitFor();
  }
  const end = slowClock();
  onTestFinished(end);
  await keys(page, 'Control+Enter');
  await card(page).getByText('Going out').waitFor();
  await keys(page, 'z');
  await card(page)
    .getByRole('button', { name: /^Send to/ })
    .waitFor();
  end();
  await keys(page, 'Control+Enter');
  await page.getByText('as drafted').waitFor();
}

/** Staff let the refund of O-1145 run; it is above what they may, so the shop asks a lead. */
export async function staffAsksForRefund(page: Page): Promise<void> {
  await be(page, 'Mara Lindqvist');
  await keys(page, 'g', 'q');
  await openBySearch(page, 'Refund for O-1145', 'T-0031');
  await keys(page, 'd');
  await asking(page).waitFor();
  await keys(page, 'p');
  await expect.poll(() => page.locator(':focus').getAttribute('id'), patient).toBe('consent-bar');
  await expect.poll(() => asking(page).getByRole('button', { name: /^Run/ }).isEnabled(), patient).toBe(true);
  await keys(page, 'y');
  const amount = page.getByRole('group', { name: /^This moves €343\.49/ });
  await expect.poll(() => amount.evaluate((one) => one === document.activeElement), patient).toBe(true);
  await keys(page, 'Enter');
  await page.getByText('Held for a lead').first().waitFor();
}

/** Lead: from the inbox to the refund of O-1145 released, looked over before it is sent. */
export async function leadReleases(page: Page, refunds: () => string[]): Promise<void> {
  await be(page, 'Tomas Adeyemi');
  await keys(page, 'g', 'i');
  await page.getByRole('option', { name: /343\.49/ }).waitFor();
  await page.getByRole('radiogroup', { name: 'Release the refund' }).waitFor();
  await tabTo(page, /^Yes$/);
  await keys(page, 'Space', 'Control+Enter');
  await page.getByText('Nothing was sent yet.').waitFor();
  expect(refunds()).toEqual(['needs_confirmation']);
  await keys(page, 'Control+Enter');
  await page.getByRole('note', { name: 'Answered' }).waitFor();
  expect(refunds()).toEqual(['requested']);
  // The ticket's own log says who.
  await keys(page, 'g', 'q');
  await openBySearch(page, 'Refund for O-1145', 'T-0031');
  await page.getByText(/^Accepted: Tomas Adeyemi, after /).waitFor();
}

/** Admin: from a changed `track_parcel` to its approval, with a reason. */
export async function adminApproves(page: Page): Promise<void> {
  await be(page, 'Ines Okafor');
  await keys(page, 'g', 'd');
  await page.getByRole('heading', { name: 'partner: Track parcel' }).waitFor();
  await page.getByText('could be sent to “partner” in “note”').waitFor();
  await keys(page, 'w');
  await page.keyboard.type('read in full');
  await keys(page, 'Escape', 'a');
  await page.getByRole('option', { name: /Track parcel.*approved/ }).waitFor();
  await page.getByRole('cell', { name: 'read in full' }).waitFor();
}
