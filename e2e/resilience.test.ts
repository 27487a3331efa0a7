// What a reload, a page that crashes, a killed host and a second desk do to a day's work: nothing typed, drafted or claimed is
// lost, nothing is there twice, and the page comes back by itself.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys, openBySearch } from './keyboard.ts';
import { temporaryDesk } from './deskProgram.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { openInBrowser, openInWindow, serveDesk, type BrowserDesk, type WindowDesk } from './screen.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const editor = (page: Page) => page.getByRole('region', { name: 'Edit the reply' });
const note = (page: Page) => page.getByRole('region', { name: 'Note' });
/** The bar's own keys count only while it has the focus: one that is pressed before brings the keyboard there. */
async function atBar(page: Page): Promise<void> {
  const focused = async () => {
    await keys(page, 'p');
    return page.evaluate(() => document.activeElement?.id);
  };
  await expect.poll(focused).toBe('consent-bar');
}
async function ids(page: Page): Promise<string[]> {
  const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  return rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-key') ?? ''));
}
/** An expression's value in the window's page, past Playwright, which gives a page up once it crashed. */
function inPage({ app }: WindowDesk, expression: string): Promise<unknown> {
  return app.evaluate(
    ({ BrowserWindow }, text) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(text) as unknown,
    expression,
  );
}
/** The process of the window's page. */
function pageOf({ app }: WindowDesk): Promise<number> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);
}
/** Ends the process of the window's page; resolves with whether a page was loaded again, or a person was asked first. */
function crash({ app }: WindowDesk): Promise<'loaded' | 'asked'> {
  return app.evaluate(({ BrowserWindow, dialog }) => {
    const page = BrowserWindow.getAllWindows()[0]?.webContents;
    return new Promise<'loaded' | 'asked'>((resolve) => {
      page?.once('did-finish-load', () => resolve('loaded'));
      // The person's answer is given below.
      Reflect.set(dialog, 'showMessageBox', (_: unknown, asked: { message: string; buttons: string[] }) => {
        resolve('asked');
        Reflect.set(globalThis, 'asked', asked);
        return new Promise((answer) => Reflect.set(globalThis, 'answer', answer));
      });
      page?.forcefullyCrashRenderer();
    });
  });
}

describe('a reload, in a browser and in the window', () => {
  const folder = temporaryDesk();
  let desk: LabelledDesk;
  let slow: PromiseWithResolvers<void> | null = null;
  beforeAll(async () => {
    desk = await openLabelledDesk(folder.data, { step: () => slow?.promise ?? Promise.resolve() });
  });
  afterAll(async () => {
    await desk.close();
    folder.remove();
  });
  afterEach(async ({ task }) => {
    slow?.resolve();
    slow = null;
    if (task.result?.state === 'fail') await desk.page.screenshot({ path: path.join(pictures, 'failed.png') });
  });

  /** It has its turn: that a page says so is the page's own word yet. */
  async function worked(id: string): Promise<void> {
    await expect.poll(async () => (await desk.host.queue.row(id)).draft).toBe('working');
  }
  /** The page goes in the middle of a draft and of an edit. */
  async function reloads(page: Page, words: string, id: string): Promise<void> {
    await openBySearch(page, words, id);
    slow = Promise.withResolvers();
    await keys(page, 'd');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await worked(id);
    await page.reload();
    await page.locator('header code', { hasText: id }).waitFor();
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    slow.resolve();
    slow = null;
    await page.locator('[data-claim="backed"]').first().waitFor();
    expect((await desk.host.calls.list({ ticket: id })).length).toBe(1);

    await keys(page, 'w', 'Control+Home');
    await page.keyboard.type('Good morning. ');
    await page.reload();
    await editor(page).waitFor();
    await expect.poll(() => editor(page).getByRole('textbox').inputValue()).toMatch(/^Good morning\. Hello/);
    expect((await desk.host.drafts.get(id))?.edited).toBeNull();
    await keys(page, 'Control+s');
    await page.locator('[data-draft]', { hasText: 'Good morning. ' }).waitFor();
    expect((await desk.host.drafts.get(id))?.text).toMatch(/^Good morning\. Hello/);

    await keys(page, 't');
    await page.keyboard.type('Rings twice.');
    await page.reload();
    await note(page).waitFor();
    await expect.poll(() => note(page).getByRole('textbox').inputValue()).toBe('Rings twice.');
    expect((await desk.host.queue.row(id)).version).toBe(1);
  }

  it('in the middle of a draft it goes on; of an edit and a note the text is kept (browser)', async () => {
    await reloads(desk.page, 'Delivery date', 'T-0003');
  });

  it('the same in the window', async () => {
    const window = await openInWindow(folder.data);
    try {
      await reloads(window.page, 'No dispatch email yet', 'T-0001');
    } finally {
      await window.close();
    }
  });

  it('a page of the window that crashes is loaded again, with a notice and with what was typed and worked on', async () => {
    const window = await openInWindow(folder.data);
    try {
      const { page } = window;
      await openBySearch(page, 'ordered twice', 'T-0005');
      slow = Promise.withResolvers();
      await keys(page, 'd');
      await page.getByRole('button', { name: /^Stop/ }).waitFor();
      await worked('T-0005');
      await keys(page, 't');
      await page.keyboard.type('Rings twice.');
      const before = await pageOf(window);

      expect(await crash(window)).toBe('loaded');
      expect(await pageOf(window)).not.toBe(before);
      const shown = (selector: string, what = 'textContent'): Promise<unknown> =>
        inPage(window, `document.querySelector(${JSON.stringify(selector)})?.${what} ?? ''`);
      await expect.poll(() => shown('[role="alert"]')).toContain('and was loaded again');
      await expect.poll(() => shown('header code')).toContain('T-0005');
      await expect.poll(() => shown('section[aria-label="Note"] :is(input, textarea)', 'value')).toBe('Rings twice.');
      expect((await desk.host.queue.row('T-0005')).draft).toBe('working');
      slow.resolve();
      slow = null;
      await expect.poll(async () => (await desk.host.queue.row('T-0005')).draft).toBe('ready');
      expect((await desk.host.calls.list({ ticket: 'T-0005' })).length).toBe(1);
      expect((await desk.host.queue.row('T-0005')).version).toBe(1);
    } finally {
      slow?.resolve();
      slow = null;
      await window.close();
    }
  });

  it('a page that goes on crashing is not loaded for ever: a person says whether to try again', async () => {
    const window = await openInWindow(folder.data);
    try {
      await window.page.getByRole('navigation').first().waitFor();
      const ends: string[] = [];
      for (let n = 0; n < 4; n++) ends.push(await crash(window));
      expect(ends).toEqual(['loaded', 'loaded', 'loaded', 'asked']);
      const asked = await window.app.evaluate(
        () => Reflect.get(globalThis, 'asked') as { message: string; buttons: string[] },
      ); // kept by crash()
      expect(asked.message).toContain('several times within a minute. What was done is kept');
      expect(asked.buttons).toEqual(['Try again', 'Quit']);
      await window.app.evaluate(({ BrowserWindow }) => {
        const page = BrowserWindow.getAllWindows()[0]?.webContents;
        const there = new Promise<void>((resolve) => page?.once('did-finish-load', () => resolve()));
        (Reflect.get(globalThis, 'answer') as (given: { response: number }) => void)({ response: 0 }); // kept by crash()
        return there;
      });
      await expect.poll(() => inPage(window, `document.querySelector('nav') !== null`)).toBe(true);
      expect(await crash(window)).toBe('loaded');
    } finally {
      await window.close();
    }
  });

  it('a yes that waits for its turn is said to be on its way; a no after the reload counts at once, and nothing runs', async () => {
    const { page } = desk;
    const bar = page.locator('#consent-bar');
    const run = bar.getByRole('button', { name: /^Run/ });
    const refund = async () => (await desk.host.calls.list({ ticket: 'T-0024', tool: 'shop.issue_refund' })).at(-1);
    await keys(page, 'Escape');
    await openBySearch(page, 'bent tray', 'T-0024');
    await keys(page, 'd');
    await bar.waitFor();
    const other = await desk.another();
    await openBySearch(other, 'Still waiting for my money', 'T-0048');
    slow = Promise.withResolvers();
    await keys(other, 'd');
    await other.getByRole('button', { name: /^Stop/ }).waitFor();
    await worked('T-0048');
    await expect.poll(() => run.isEnabled()).toBe(true);
    await atBar(page);
    await keys(page, 'y', 'Enter');
    await bar.getByText('Your yes is on its way').waitFor();
    await page.reload();
    await expect.poll(() => run.isEnabled()).toBe(true);
    await atBar(page);
    await keys(page, 'n');
    await expect.poll(async () => (await refund())?.state).toBe('declined');
    slow.resolve();
    slow = null;
    await expect.poll(async () => (await desk.host.queue.row('T-0048')).draft).not.toBe('working');
    await page.getByText('Handed over to a person').waitFor();
    expect((await desk.host.calls.events((await refund())?.id ?? '')).map(({ to }) => to)).toEqual([
      ...['proposed', 'asking', 'declined'],
    ]);
    await other.context().close();
  });

  it('a draft can be stopped after the reload, by whoever looks at it', async () => {
    const { page } = desk;
    await keys(page, 'Escape');
    await openBySearch(page, 'Parcel supposedly', 'T-0004');
    slow = Promise.withResolvers();
    await keys(page, 'd');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await worked('T-0004');
    await page.reload();
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    const other = await desk.another();
    await openBySearch(other, 'Parcel supposedly', 'T-0004');
    await other.getByRole('button', { name: /^Stop/ }).waitFor();
    await keys(page, 'Shift+S');
    await expect.poll(async () => (await desk.host.queue.row('T-0004')).draft).toBe('none');
    slow.resolve();
    slow = null;
    expect(await desk.host.drafts.get('T-0004')).toBeNull();
    // Both see that nothing works on it any more.
    for (const one of [page, other]) await one.getByText('No draft yet', { exact: true }).waitFor();
    await other.context().close();
  });

  it('of two tabs of one person each comes back to what was typed in it', async () => {
    const { page } = desk;
    const second = await page.context().newPage();
    await second.goto(new URL(page.url()).origin);
    await keys(page, 'Escape');
    const tabs = [
      [page, 'Typed in the first.'],
      [second, 'Typed in the second.'],
    ] as const;
    for (const [tab, words] of tabs) {
      await openBySearch(tab, 'Rolling pins', 'T-0047');
      await keys(tab, 'w');
      await tab.keyboard.type(words);
    }
    for (const [tab, words] of tabs) {
      await tab.reload();
      await expect.poll(() => editor(tab).getByRole('textbox').inputValue()).toBe(words);
    }
    await second.close();
  });
});

describe('a host that is killed, in the browser', () => {
  const folder = temporaryDesk();
  let desk: BrowserDesk;
  beforeAll(async () => {
    desk = await openInBrowser(folder.data);
  });
  afterAll(async () => {
    await desk.close();
    folder.remove();
  });

  it('kill -9: the page says so and keeps what is typed; it comes back by itself when the desk is started again', async () => {
    const { page } = desk;
    await openBySearch(page, 'Delivery date', 'T-0003');
    await keys(page, 'a');
    await page.getByRole('button', { name: /^Let go/ }).waitFor();
    await keys(page, 'Escape', 'w');
    await page.keyboard.type('We look into it.');
    process.kill(desk.pid, 'SIGKILL');
    await page.getByText('Connection lost').waitFor();
    await page.getByText('nothing that was done is lost').waitFor();
    await keys(page, 'Control+s');
    await page.getByRole('main').getByText('The desk is not reached right now.').waitFor();
    await page.keyboard.type(' Thank you.');
    await page.screenshot({ path: path.join(pictures, 'lost-light-1440.png') });

    const again = await serveDesk(folder.data);
    try {
      expect(again.origin).toBe(desk.origin);
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      await expect.poll(() => editor(page).getByRole('textbox').inputValue()).toBe('We look into it. Thank you.');
      await keys(page, 'Control+s');
      await page.locator('[data-draft]', { hasText: 'We look into it. Thank you.' }).waitFor();
      await page.getByRole('button', { name: /^Let go/ }).waitFor();
      await keys(page, 'Escape');
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect.poll(async () => (await ids(page)).length).toBeGreaterThan(10);
      const all = await ids(page);
      expect(new Set(all).size).toBe(all.length);
    } finally {
      await again.close();
    }
  });
});
