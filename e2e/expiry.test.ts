// A waiting call whose quote runs out (spec host §13): until when it holds stands at the question, in the ticket and the inbox; once
// it has ended the person looks it up again, and is asked anew about what comes of that.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import { expiryOf } from '../shared/expiry.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, tabTo } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const themes = ['light', 'dark'] as const;
const ticket = 'T-0031';
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;
let first: Call;
let end = 0;

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  await page.locator('header code').waitFor();
  await be(page, 'Mara Lindqvist');
  await look('queue');
  await keys(page, 'd');
  await bar().waitFor();
  first = await asking();
  end = expiryOf(first, await desk.host.calls.list({ run: first.run }))?.end ?? NaN;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'expiry-failed.png') });
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

const bar = () => page.locator('#consent-bar');
const card = () => page.locator(`#call-${first.n}`);
async function look(screen: 'queue' | 'inbox'): Promise<void> {
  const at = screen === 'queue' ? `queue/${ticket}` : 'inbox';
  await page.goto(`${new URL(page.url()).origin}/#/${at}`);
  await page.reload();
  if (screen === 'queue') await page.locator('header code', { hasText: ticket }).waitFor();
  else await page.getByRole('button', { name: 'Decide in its ticket' }).waitFor();
}
async function asking(): Promise<Call> {
  const [call] = await desk.host.calls.list({ ticket, states: ['asking'] });
  if (call === undefined) throw new Error('nothing waits');
  return call;
}
/** The words at the bar, at the call in the log, and in the inbox. */
async function stands(words: RegExp, name: string): Promise<void> {
  for (const theme of themes) await lookOver(page, name, theme, () => bar().getByText(words).waitFor());
  await card().getByText(words).waitFor();
  await look('inbox');
  for (const theme of themes)
    await lookOver(page, `${name}-inbox`, theme, () => page.locator('main').getByText(words).first().waitFor());
  await look('queue');
}

describe('the quote behind a waiting call', () => {
  it('says until when it holds', async () => {
    expect(end).toBeGreaterThan(Date.now());
    const time = new Date(end).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    await stands(new RegExp(`^The quote ends (?:\\d+ \\w+, )?${time}`), 'expiry');
    await expect.poll(() => bar().getAttribute('aria-label')).toContain('The quote ends');
    await expect.poll(() => page.getByRole('button', { name: 'Look it up again' }).count()).toBe(0);
  });

  it('says that it has ended, with what to do', async () => {
    await page.clock.setFixedTime(end + 1_000);
    await look('queue');
    await stands(/^The quote has ended/, 'expiry-over');
    await expect.poll(() => card().getByRole('button', { name: 'Look it up again' }).isEnabled()).toBe(true);
  });

  it('is looked up again by keyboard: the old question is taken back, and the new quote is asked about', async () => {
    await keys(page, 'p');
    await tabTo(page, /^Look it up again$/);
    await keys(page, 'Enter');
    await expect.poll(async () => (await asking().catch(() => first)).id).not.toBe(first.id);
    const next = await asking();
    expect((await desk.host.calls.get(first.id)).state).toBe('declined');
    expect(next.tool).toBe(first.tool);
    expect(next.arguments['quote_id']).not.toBe(first.arguments['quote_id']);
    const names = (await desk.host.calls.list({ run: next.run })).map(({ tool }) => tool);
    expect(names).toContain('shop.quote_refund');
    await page.clock.setFixedTime(Date.now());
    await bar()
      .getByText(/^The quote ends /)
      .waitFor();
  });
});
