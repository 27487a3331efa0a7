// Long calls on screen (spec host §22): how far they are, where a task runs, and the button that stops them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import { temporaryDesk } from './deskProgram.ts';
import { offeredTool } from './offeredTool.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  await desk.host.settings.switchServer('warehouse', true);
  await desk.host.startServers();
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'failed.png') });
});

let count = 0;
/** A call of the warehouse for a ticket of its own, let out by a person and open on screen. */
async function lets(tool: string): Promise<Call> {
  const { host } = desk;
  const id = `L-${++count}`;
  const record = { id, customer: null, subject: `Count ${id}`, body: 'Count.', received_at: '2026-07-02T09:00:00Z' };
  await host.tickets.importText(JSON.stringify([record]), { source: 'import', dryRun: false });
  const ticket = await host.tickets.find(id);
  const offered = await offeredTool(host, `warehouse.${tool}`);
  if (ticket === undefined) throw new Error(`${id} is not there`);
  const of = { run: `run-${id}`, ticket };
  await host.gate.propose({ n: 1, offered, arguments: {}, origins: {} }, of);
  const [call] = await host.calls.list({ ticket: id });
  if (call === undefined) throw new Error('there is no call');
  const by = await host.person('staff-0007');
  const consented = await host.calls.answer(call.id, { by, answer: 'run', hash: call.hash, scripted: true });
  void host.gate.send(consented, of).catch(() => undefined);
  await page.goto(`${new URL(page.url()).origin}/#/queue/${id}`);
  await page.reload();
  await page.locator('[data-progress="runs"]').waitFor();
  return call;
}
const entry = () => page.locator('#call-1');
/** Who asked for a stop is said until the server is asked again, which may be at once: watched for from before. */
async function watchForAsked(): Promise<void> {
  await page.evaluate(() => {
    const words = /Ines Okafor asked warehouse to stop it\. It runs there until/;
    new MutationObserver(() => {
      if (words.test(document.querySelector('#call-1')?.textContent ?? ''))
        Reflect.set(globalThis, 'askedOfTest', true);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

describe('a call on its way', () => {
  it('says how far it is with a bar, is stopped with a button, and then says what is not known', async () => {
    const call = await lets('recount_stock');
    await entry()
      .getByText(/^\d+ of 64$/)
      .waitFor();
    const bar = entry().getByRole('progressbar', { name: 'How far call 1 is' });
    await expect.poll(() => bar.getAttribute('aria-valuetext')).toMatch(/^\d+ of 64$/);
    await entry()
      .getByText(/^recounted KG-\d{4}$/)
      .waitFor();
    const { violations } = await new AxeBuilder({ page }).include('#call-1').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.screenshot({ path: path.join(pictures, 'progress.png') });
    await entry().getByRole('button', { name: 'Stop: Recount stock' }).click();
    await entry().getByText('Outcome unknown').waitFor();
    await entry().getByText('staff-0001 stopped it while it ran').waitFor();
    await entry()
      .getByText(/It said last: /)
      .waitFor();
    await expect.poll(() => entry().getByRole('button', { name: /^Stop/ }).count()).toBe(0);
    expect((await desk.host.calls.get(call.id)).state).toBe('unknown');
  });

  it('a task says where it runs and that it survives a restart; stopping it is only asked for', async () => {
    const call = await lets('restock_report');
    await entry()
      .getByText(/^Runs at warehouse since \d\d:\d\d, asked again every 0.5 s; survives a restart of the desk\.$/)
      .waitFor();
    await entry()
      .getByText(/^recounted \d+ of 64$/)
      .waitFor();
    await page.screenshot({ path: path.join(pictures, 'task.png') });
    await watchForAsked();
    await entry().getByRole('button', { name: 'Stop: Restock report' }).click();
    await page.waitForFunction(() => Reflect.get(globalThis, 'askedOfTest') === true);
    await expect.poll(() => entry().getByRole('button', { name: /^Stop/ }).count()).toBe(0);
    await expect.poll(async () => (await desk.host.calls.get(call.id)).state).toBe('unknown');
    await entry().getByText('warehouse stopped its task before its end').waitFor();
  });
});
