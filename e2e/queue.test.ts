// The queue on screen, by keyboard alone: staff open a ticket, have it drafted, read its claims, send and take back; consent
// with its keys; nothing foreign becomes markup; no serious finding of axe in either theme. Pictures are kept for people.
import { AxeBuilder } from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDesk } from './deskProgram.ts';
import { foreignTexts } from './foreignTexts.ts';
import { openBySearch } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { slowClock } from './slowClock.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await openLabelledDesk(folder.data);
  page = desk.page;
  page.on('pageerror', (error) => console.error(error));
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'failed.png') });
});

const card = () => page.getByRole('region', { name: 'Draft', exact: true });
const list = () => page.getByRole('listbox', { name: 'Tickets' });
const bar = () => page.locator('#consent-bar');

/** The same page as somebody else of the sample company. */
async function signedInAs(person: string): Promise<void> {
  await page.evaluate((id) => localStorage.setItem('desk.person', id), person);
  await page.reload();
  await page.getByRole('region', { name: 'Messages' }).waitFor();
}
async function picture(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.screenshot({
        path: path.join(pictures, `${name}-${colorScheme}-${width}.png`),
        animations: 'disabled',
      });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
/** Serious and critical findings, in both themes. */
async function findings(): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(`${colorScheme}: ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

describe('staff at the queue, by keyboard alone', () => {
  it('opens with the list, the first ticket beside it and nothing to wait for', async () => {
    await list().getByRole('option').first().waitFor();
    await page.getByRole('region', { name: 'Messages' }).waitFor();
    const first = await page.locator('header code').textContent();
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('header code').textContent()).not.toBe(first);
    await page.keyboard.press('k');
    await expect.poll(() => page.locator('header code').textContent()).toBe(first);
    await picture('queue');
    expect(await findings()).toEqual([]);
  });

  it('T-0003: drafts, reads the claims with their calls, sends, takes back and sends', async () => {
    await openBySearch(page, 'Delivery date', 'T-0003');
    await page.keyboard.press('d');
    const claims = page.locator('[data-claim="backed"]');
    await claims.first().waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#call-1');
    await expect.poll(() => page.locator('#call-1').getAttribute('class')).toContain('hot');
    await picture('ticket');
    expect(await findings()).toEqual([]);
    const end = slowClock();
    onTestFinished(end);
    await page.keyboard.press('Control+Enter');
    await card().getByText('Going out').waitFor();
    await page.keyboard.press('z');
    await card()
      .getByRole('button', { name: /^Send to/ })
      .waitFor();
    expect((await desk.host.queue.counts()).done).toBe(0);
    end();
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await desk.host.queue.counts()).done).toBe(1);
    await page.getByText('as drafted').waitFor();
  });

  it('the ring is on the open ticket’s row or on none: one that is not in the list keeps the keyboard', async () => {
    const ringed = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('[role=option][data-focused]')].map((row) => row.dataset['key']),
      );
    const open = page.locator('header code');
    await openBySearch(page, 'Delivery date', 'T-0003');
    await expect.poll(ringed).toEqual(['T-0003']);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await list().getByRole('option').nth(5).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('HEADER');
    expect(await ringed()).toEqual([]);
    expect(await open.textContent()).toBe('T-0003');
    await page.keyboard.press('j');
    await expect.poll(() => open.textContent()).toBe(await list().getByRole('option').first().getAttribute('data-key'));
    await expect.poll(ringed).toEqual([await open.textContent()]);
    // Done, it leaves the list: the next is opened, and has the ring.
    const before = (await open.textContent()) ?? '';
    await page.keyboard.press('e');
    await expect.poll(() => open.textContent()).not.toBe(before);
    await expect.poll(ringed).toEqual([await open.textContent()]);
  });

  it('an edit keeps the claims it leaves alone', async () => {
    await openBySearch(page, 'No dispatch email yet', 'T-0001');
    await page.keyboard.press('d');
    await page.locator('[data-claim="backed"]').first().waitFor();
    const before = await page.locator('[data-claim]').allTextContents();
    await page.keyboard.press('w');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Good morning. ');
    await page.keyboard.press('Escape');
    await page.locator('[data-draft]', { hasText: 'Good morning. ' }).waitFor();
    await expect.poll(() => page.locator('[data-claim]').allTextContents()).toEqual(before);
  });
});

describe('a draft that says what nothing backs', () => {
  it('spec host §15: staff cannot send it; a lead can, with a reason that is kept', async () => {
    await openBySearch(page, 'Parcel supposedly handed over', 'T-0004');
    await page.keyboard.press('d');
    await page.locator('[data-claim="backed"]').first().waitFor();
    const { db } = desk.host.store;
    const claims = (await desk.host.drafts.get('T-0004'))?.claims ?? [];
    const doubted = claims.map((claim, n) =>
      n === 0 ? { ...claim, verdict: 'no source', why: 'No call says so.' } : claim,
    );
    await db
      .updateTable('drafts')
      .set({ claims: JSON.stringify(doubted), blocked: 1 })
      .where('ticket', '=', 'T-0004')
      .execute();
    await signedInAs('staff-0007');
    await page.getByText('has no call behind it').waitFor();
    await picture('unbacked');
    expect(await findings()).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: /^Send to/ }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Let it out' }).count()).toBe(0);
    await signedInAs('staff-0002');
    await page.getByRole('button', { name: 'Let it out' }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('I called the carrier.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^let through by/).waitFor();
    expect((await desk.host.drafts.get('T-0004'))?.override?.why).toBe('I called the carrier.');
    await expect.poll(() => page.getByRole('button', { name: /^Send to/ }).isEnabled()).toBe(true);
  });
});

describe('consent', () => {
  it('ui, Consent: asks in the log and over the composer; money takes Y and Enter on the amount', async () => {
    await openBySearch(page, 'bent tray', 'T-0024');
    await page.keyboard.press('d');
    await bar().waitFor();
    await page.getByText('Waiting for your answer').waitFor();
    await picture('consent');
    expect(await findings()).toEqual([]);
    // Outside the bar its keys answer nothing: they bring the keyboard there.
    await page.keyboard.press('Escape');
    await page.keyboard.press('y');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('consent-bar');
    expect(await page.getByRole('group', { name: /^This moves/ }).count()).toBe(0);
    expect((await desk.host.calls.waiting()).map(({ tool }) => tool)).toEqual(['shop.issue_refund']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('consent-bar');
    await expect.poll(() => bar().getByRole('button', { name: /^Run/ }).isEnabled()).toBe(true);
    await page.keyboard.press('y');
    const amount = page.getByRole('group', { name: /^This moves €23\.98/ });
    await expect.poll(() => amount.evaluate((one) => one === document.activeElement)).toBe(true);
    expect((await desk.host.calls.waiting()).map(({ tool }) => tool)).toEqual(['shop.issue_refund']);
    await page.keyboard.press('Enter');
    await page.locator('[data-claim="backed"]', { hasText: '23.98' }).waitFor();
    expect(await desk.host.calls.waiting()).toEqual([]);
  });
});

describe('foreign text', () => {
  /** What must not be: elements that text made, what it ran, panes that it widened. */
  async function harm(): Promise<string[]> {
    return page.evaluate(() => {
      const made = [
        ...document.querySelectorAll('main :is(script, img, iframe, style, svg circle, b b, input[autofocus])'),
      ];
      const wide = [...document.querySelectorAll('main section, main aside, main header')].filter(
        (pane) => pane.scrollWidth > pane.clientWidth + 1,
      );
      return [
        ...made.map((element) => `made ${element.outerHTML.slice(0, 120)}`),
        ...wide.map((pane) => `widened ${pane.getAttribute('aria-label') ?? pane.className}`),
        ...(document.documentElement.scrollWidth > innerWidth ? ['widened the page'] : []),
        ...(Reflect.has(window, 'foreign') ? ['ran'] : []),
      ];
    });
  }

  it('trust 4: of 200 strings none becomes markup, runs, or widens a pane', async () => {
    expect(foreignTexts).toHaveLength(200);
    const received = (n: number) => new Date(Date.UTC(2026, 6, 1) + n * 1_000).toISOString();
    const records = foreignTexts.map((text, n) => ({
      id: `F-${n}`,
      customer: text.slice(0, 320),
      subject: text.slice(0, 2_000),
      body: text,
      received_at: received(n),
    }));
    await desk.host.tickets.importText(JSON.stringify(records), { source: 'import', dryRun: false });
    await page.reload();
    await list().getByRole('option').first().waitFor();
    const seen = new Set<string>();
    for (let n = 0; n < foreignTexts.length; n++) {
      await page.getByRole('region', { name: 'Messages' }).waitFor();
      seen.add((await page.locator('header code').textContent()) ?? '');
      expect(await harm(), `ticket ${n}`).toEqual([]);
      if (n % 40 === 0)
        await page.screenshot({ path: path.join(pictures, `foreign-${n}.png`), animations: 'disabled' });
      await page.keyboard.press('j');
    }
    expect(seen.size).toBeGreaterThan(190);
    await expect.poll(() => page.getByText('U+202E').count()).toBeGreaterThan(0);
  });
});
