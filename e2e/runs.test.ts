// Runs on screen (spec ui, "Runs") by keyboard alone in a real browser: the recorded run beside the one before it, down to a
// ticket's transcript and the messages on the wire.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRun } from '../main/store/runs.ts';
import { temporaryDesk } from './deskProgram.ts';
import { keys, pick, tabTo } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';
import { bringRecorded } from './recordedDesk.ts';
import { openInBrowser, type BrowserDesk } from './screen.ts';

/** Until the desk said who acts: the first keys of a page mean something from then on. */
async function signedIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor();
}

describe('a run and the one before it', () => {
  const files = temporaryDesk();
  let screen: BrowserDesk;
  let page: Page;
  beforeAll(async () => {
    await bringRecorded(files.data);
    await files.run('work', '--all', '--model', 'none', '--ticket', 'T-0003');
    await files.run('work', '--all', '--model', 'none', '--ticket', 'T-0001', 'T-0002');
    screen = await openInBrowser(files.data);
    ({ page } = screen);
    await signedIn(page);
    await keys(page, 'g', 'r');
    await page
      .getByRole('option', { name: /^Qwen2\.5-Coder 1\.5B.*48 tickets/ })
      .first()
      .waitFor();
  });
  afterAll(async () => {
    await screen.close();
    files.remove();
  });
  const tile = (words: string) => page.locator('dl > div', { hasText: words });

  it('are shown side by side: figures with their difference in words, what differs, tickets that changed', async () => {
    await page.getByRole('option', { selected: true }).waitFor();
    await keys(page, 'j', 'j');
    // The day may change while this runs.
    await page.getByText(/compared with Qwen2\.5-Coder 1\.5B, (?!today)[A-Za-z]+day/).waitFor();
    await page.getByText(/^48 tickets on \d+ cores?, 3 min \d+ s/).waitFor();
    await tile('right first tool').getByText('+3 better').waitFor();
    await expect.poll(() => tile('right first tool').textContent()).toContain('47/48');
    await expect.poll(() => tile('median per ticket').textContent()).toMatch(/\d\.\d s.*−0\.\d better/);
    const differs = page.getByRole('note', { name: 'One thing differs' });
    await expect.poll(() => differs.textContent()).toContain('The answers of people: T-0024, T-0031');
    const changed = page.getByRole('table', { name: 'Changed tickets' });
    const rows = await changed.getByRole('row').allTextContents();
    expect(rows.find((words) => words.startsWith('T-0009'))).toMatch(/find orders.*quote refund.*right now/);
    await page.getByRole('img', { name: /^median 3\.\d s, n = 48$/ }).waitFor();
  });

  it.each(['light', 'dark'] as const)('have no serious finding of axe in the %s theme', async (theme) => {
    await lookOver(page, 'runs', theme, async () => {
      await page.getByText(/Changed since (?!today)[A-Za-z]+day/).waitFor();
    });
  });

  it('say why they are not comparable, and another is chosen or none', async () => {
    await keys(page, 'c');
    await pick(page, /^Without a model, 2 tickets, /);
    const note = page.getByRole('note', { name: 'Not comparable' });
    await note.getByText('The tickets: 2 stand in both with the same text').waitFor();
    await expect.poll(() => note.textContent()).toMatch(/The model: qwen2\.5-coder-1\.5b, then|none, then/);
    expect(await tile('right first tool').textContent()).not.toMatch(/better|worse/);
    await keys(page, 'c');
    await pick(page, /^No other run/);
    await note.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('compared with').count()).toBe(0);
  });

  it('open a ticket’s transcript with its verdicts, and its messages on the wire', async () => {
    await tabTo(page, /^Transcript of T-0031 /);
    await keys(page, 'Enter');
    await page.getByRole('heading', { name: /^T-0031/ }).waitFor();
    await page.getByText('accepted by Tomas Adeyemi').waitFor();
    await expect
      .poll(() => page.getByRole('table', { name: 'Claims of the draft' }).getByRole('row').count())
      .toBeGreaterThan(1);
    await tabTo(page, /^Show the messages on the wire/);
    await keys(page, 'Enter');
    await page
      .getByText(/"method":"tools\/call"/)
      .first()
      .waitFor();
    await lookOver(page, 'transcript', 'light', () => page.getByText('Turns').waitFor());
    await lookOver(page, 'transcript', 'dark', () => page.getByText('Turns').waitFor());
    await keys(page, 'Escape');
    await page.getByRole('heading', { name: 'Tickets', exact: true }).waitFor();
  });

  it('show no tall bars for tickets no model was asked about', async () => {
    await keys(page, 'Escape', 'k');
    await page.getByRole('heading', { name: 'Without a model' }).waitFor();
    await page.getByText('No model was asked.').waitFor();
    await page.getByText('No tool was called.').waitFor();
    await lookOver(page, 'runs-none', 'light', () => page.getByText('No model was asked.').waitFor());
  });

  it('say nothing of what changed where no ticket stands in both', async () => {
    await keys(page, 'c');
    await pick(page, /^Without a model, 2 tickets, /);
    await page.getByRole('note', { name: 'Not comparable' }).getByText('No ticket stands in both runs').waitFor();
    await page.getByText(/compared with Without a model, (today|yesterday)/).waitFor();
    expect(await page.getByRole('heading', { name: /^Changed since/ }).count()).toBe(0);
  });
});

describe('a run that goes on', () => {
  const files = temporaryDesk();
  let screen: BrowserDesk;
  beforeAll(async () => {
    await files.useTinyModel();
    screen = await openInBrowser(files.data);
    screen.page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await screen.close();
    files.remove();
  });

  it('begins from nothing, is paused, keeps what was done, and goes on with what is open', async () => {
    const { page } = screen;
    await signedIn(page);
    await keys(page, 'g', 'r');
    await lookOver(page, 'runs-empty', 'light', () => page.getByText('No run yet.').waitFor());
    await keys(page, 'w');
    await lookOver(page, 'runs-start', 'dark', () => page.getByRole('heading', { name: 'Work the queue' }).waitFor());
    // Until the models are known it starts without one.
    await page.getByRole('radio', { name: /, in use$/ }).waitFor();
    await tabTo(page, /^Start$/);
    await keys(page, 'Enter');
    const finished = page.getByRole('table', { name: 'Finished tickets' }).getByRole('row');
    await finished.nth(1).waitFor();
    await keys(page, 'p');
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    const done = (await finished.count()) - 1;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(48);
    await lookOver(page, 'runs-paused', 'light', () => page.getByRole('heading', { name: 'Paused' }).waitFor());
    await tabTo(page, /^Go on with what is open/);
    await keys(page, 'Enter');
    // Fewer than before are left: what was done is not done again.
    const of = page.getByText(/^\d+ of \d+/).first();
    await of.waitFor();
    expect(Number(/of (\d+)/.exec((await of.textContent()) ?? '')?.[1])).toBeLessThan(48);
    await keys(page, 'p');
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
  });
});

describe('runs of weeks', () => {
  const files = temporaryDesk();
  let desk: LabelledDesk;
  beforeAll(async () => {
    desk = await openLabelledDesk(files.data);
  });
  afterAll(async () => {
    await desk.close();
    files.remove();
  });

  it('are all within reach, fifty at a time', async () => {
    const { host, page } = desk;
    for (let n = 0; n < 60; n++) {
      const at = new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
      await insertRun(host.store.db, {
        ...{
          id: `run-${n}`,
          batch: `batch-${n}`,
          ticket: 'T-0001',
          ticket_version: 1,
          state: 'ready',
          why: '',
          ask: null,
        },
        ...{ model: 'none', playbook: '', settings: {}, turns: [], started_at: at, ended_at: at, ms: 1 },
      });
    }
    await signedIn(page);
    await keys(page, 'g', 'r');
    const rows = page.getByRole('listbox', { name: 'Runs' }).getByRole('option');
    await page.getByText('the newest 50').waitFor();
    await lookOver(page, 'runs-many', 'light', () => page.getByText('Show older runs').waitFor());
    await keys(page, 'o');
    await expect.poll(() => rows.count()).toBe(60);
    await expect.poll(() => page.getByText('Show older runs').count()).toBe(0);
    await page
      .getByRole('option', { name: /1 Jan|01\/01\/2026/ })
      .first()
      .waitFor();
  });
});
