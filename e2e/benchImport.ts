// A whole import as a person does it on screen, and what it costs whoever works meanwhile: the file chosen and looked at (sent,
// read, compared with what is here), then brought in. Times in milliseconds; the host runs in this process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Page } from 'playwright-core';
import { moving } from './benchList.ts';

const patient = { timeout: 20 * 60_000 };

interface Meanwhile {
  took: number;
  /** Longest time in which the host answered nobody. */
  deaf: number;
  /** Of somebody at the queue meanwhile, from the key to the ticket. */
  opened: number[];
}
/** Does something on one page while somebody at another opens one ticket after the other. */
async function whileWorking(other: Page, act: () => Promise<void>): Promise<Meanwhile> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const state = { over: false };
  const opened: number[] = [];
  delay.enable();
  const started = performance.now();
  async function work(): Promise<void> {
    for (let n = 0; !state.over; n++) opened.push(...(await moving(other, 1, n % 2 === 0 ? 'j' : 'k')).opened);
  }
  const working = work();
  // Where the act fails, that is what is to be heard.
  working.catch(() => undefined);
  await act();
  const took = performance.now() - started;
  delay.disable();
  state.over = true;
  await working;
  return { took, deaf: delay.max / 1e6, opened };
}

export async function bringIn(page: Page, other: Page, file: string): Promise<{ looked: Meanwhile; came: Meanwhile }> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Bring tickets in');
  await page.getByRole('menuitem', { name: 'Bring tickets in' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Bring tickets in' });
  const looked = await whileWorking(other, async () => {
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: /^Choose a file/ }).press('Enter');
    await (await chooser).setFiles(file);
    await dialog.getByText(/would be added/).waitFor(patient);
  });
  const came = await whileWorking(other, async () => {
    await dialog.getByRole('button', { name: /^Bring in \d/ }).press('Enter');
    await dialog.getByText(/\d+ added, /).waitFor(patient);
  });
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  return { looked, came };
}
