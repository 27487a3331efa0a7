// The desk by keyboard alone, for tests on screen: what has the focus, Tab until it is where it should be, changing over.
import type { Page } from 'playwright-core';

/** What has the focus: role, name and text, as a person would hear them begin. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const on = document.activeElement;
    const its = on instanceof HTMLInputElement ? [...(on.labels ?? [])].map((one) => one.textContent) : [];
    const label = its.join(' ') || (on?.closest('label')?.textContent ?? '');
    return `${on?.getAttribute('aria-label') ?? ''} ${label} ${on?.textContent ?? ''}`.trim();
  });
}
/** Goes on with Tab until something has the focus; a person would give up sooner. */
export async function tabTo(page: Page, what: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if (what.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${what.source}; now: ${await focused(page)}`);
}
export async function keys(page: Page, ...all: string[]): Promise<void> {
  for (const key of all) await page.keyboard.press(key);
}
/** Changes over to somebody of the sample company. */
export async function be(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await tabTo(page, /^[A-Z]{2}: /);
  if ((await focused(page)).includes(name)) return;
  await keys(page, 'Enter');
  await page.getByRole('menuitem', { name }).waitFor();
  await page.keyboard.type(name.slice(0, 4));
  await keys(page, 'Enter');
  await page.getByRole('button', { name: new RegExp(name) }).waitFor();
}
