// What a person does with the keyboard alone, on any page of the desk: for the end-to-end tests of screens.
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { expect } from 'vitest';

export async function keys(page: Page, ...all: string[]): Promise<void> {
  for (let n = 0; n < all.length; n++) {
    const pressed = [page.keyboard.press(all[n] ?? '')];
    // The second key of a pair counts for a moment only: it is sent without waiting for what the first does.
    const second = all[n] === 'g' ? all[++n] : undefined;
    if (second !== undefined) pressed.push(page.keyboard.press(second));
    await Promise.all(pressed);
  }
}
/**
 * Goes down an open menu or list to an item, and picks it. Letters would find it too, but a machine that is held up between
 * two of them begins a new word.
 */
export async function pick(page: Page, name: RegExp): Promise<void> {
  const item = '[role^=menuitem], [role=option]';
  const at = () => page.evaluate((one) => document.activeElement?.closest(one)?.textContent ?? '', item);
  // It is visible before it has the keyboard, which may be in the list of tickets until then.
  await page.waitForFunction(() => document.activeElement?.closest('[role=menu], [data-popup]') instanceof HTMLElement);
  await keys(page, 'Home');
  for (let tries = 0; tries < 40 && !name.test(await at()); tries++) await keys(page, 'ArrowDown');
  const found = await at();
  if (!name.test(found)) throw new Error(`The menu does not come to ${name.source}; now: ${found}`);
  await keys(page, 'Enter');
}
/** What has the focus: role, name and text, as a person would hear them begin. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const on = document.activeElement;
    const its = on instanceof HTMLInputElement ? [...(on.labels ?? [])].map((one) => one.textContent) : [];
    const label = its.join(' ') || (on?.closest('label')?.textContent ?? '');
    return `${on?.getAttribute('aria-label') ?? ''} ${label} ${on?.textContent ?? ''}`.trim();
  });
}
/** Goes on with Tab until something has the focus: twice round, as news may take the focus away on the way. */
export async function tabTo(page: Page, what: RegExp): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (what.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${what.source}; now: ${await focused(page)}`);
}
/** Changes over to somebody of the sample company, by the menu of who is at the desk. */
export async function be(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor();
  await tabTo(page, /^[A-Z]{2}: /);
  if ((await focused(page)).includes(name)) return;
  await keys(page, 'Enter');
  await page.getByRole('menuitem', { name }).waitFor();
  await pick(page, new RegExp(name));
  await page.getByRole('button', { name: new RegExp(name) }).waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  // The focus comes back to the button once the menu is gone.
  await page.waitForFunction(() => /^[A-Z]{2}: /.test(document.activeElement?.getAttribute('aria-label') ?? ''));
}
/** Searches for words, and opens the first ticket that has them: all of it, with its keys. */
export async function openBySearch(page: Page, words: string, id: string): Promise<void> {
  await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
  await keys(page, 'Escape', '/');
  await page.keyboard.type(words);
  await keys(page, 'Enter');
  await page.locator('header code', { hasText: id }).waitFor();
  await page.locator(`[data-ticket="${id}"]`).waitFor();
  // It may have been open before.
  await searched(page);
}
/** A search is done once the keyboard is in the list: what is typed before that is typed into its box. */
export async function searched(page: Page): Promise<void> {
  await page.waitForFunction(() => !(document.activeElement instanceof HTMLInputElement));
}

/** The page was drawn so many times. */
export async function frames(page: Page, many: number): Promise<void> {
  await page.evaluate(async (times) => {
    for (let n = 0; n < times; n++) await new Promise(requestAnimationFrame);
  }, many);
}

/** Where events to a page can be held back, or lost, as on a bad line. Reloads the page. */
export async function badLine(
  page: Page,
): Promise<{ hold: () => void; go: () => void; lose: (events: number) => void }> {
  let held: (string | Buffer)[] | null = null;
  let losing = 0;
  let line: WebSocketRoute | null = null;
  await page.routeWebSocket(/\/desk$/, (socket) => {
    line = socket;
    socket.connectToServer().onMessage((text) => {
      const event = String(text).startsWith('{"event"');
      if (event && losing > 0) losing--;
      else if (event && held !== null) held.push(text);
      else socket.send(text);
    });
  });
  await page.reload();
  return {
    hold: () => (held = []),
    go() {
      for (const text of held ?? []) line?.send(text);
      held = null;
    },
    lose: (events) => (losing = events),
  };
}

/** Staff have a refund drafted and consent to it, up to the moment before its last key: the amount has the focus. */
export async function toAmount(page: Page, ticket: string): Promise<Locator> {
  const patient = { timeout: 60_000 };
  await be(page, 'Mara Lindqvist');
  await page.evaluate((id) => (location.hash = `#/queue/${id}`), ticket);
  await page.reload();
  await page.getByRole('region', { name: 'Messages' }).waitFor();
  await keys(page, 'Escape', 'd');
  const bar = page.locator('#consent-bar');
  await bar.waitFor();
  await expect.poll(() => bar.getByRole('button', { name: /^Run/ }).isEnabled(), patient).toBe(true);
  await keys(page, 'p');
  await expect.poll(() => bar.evaluate((one) => one === document.activeElement), patient).toBe(true);
  await keys(page, 'y');
  const amount = page.getByRole('group', { name: /^This moves/ });
  await expect.poll(() => amount.evaluate((one) => one === document.activeElement), patient).toBe(true);
  return amount;
}
