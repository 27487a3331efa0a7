// A task of the warehouse run from the desk to its end, and the view of what it returned (spec host §22): the rows of the report as
// the server gave them, no wider than where they are shown.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '../shared/calls.ts';
import { temporaryDesk } from './deskProgram.ts';
import { keys, tabTo } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';
import { offeredTool } from './offeredTool.ts';
import { sampleProfile } from './sampleProfile.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const id = 'L-1';
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;
let call: Call;

const reports = z.object({
  products: z.number(),
  units: z.number(),
  reorder: z.array(z.object({ sku: z.string(), name: z.string(), units: z.number(), short_by: z.number() })).min(1),
});

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data, { profileFile: quickCounts() });
  ({ page } = desk);
  const { host } = desk;
  await host.settings.switchServer('warehouse', true);
  await host.startServers();
  const record = { id, customer: null, subject: 'Restock', body: 'What is low?', received_at: '2026-07-02T09:00:00Z' };
  await host.tickets.importText(JSON.stringify([record]), { source: 'import', dryRun: false });
  const ticket = await host.tickets.find(id);
  if (ticket === undefined) throw new Error('there is no ticket');
  const offered = await offeredTool(host, 'warehouse.restock_report');
  const of = { run: 'run-1', ticket };
  await page.goto(`${new URL(page.url()).origin}/#/queue/${id}`);
  await page.reload();
  // The task is over in seconds: it is seen to run by a page that is there before.
  await page.locator(`[data-ticket="${id}"]`).waitFor();
  await host.gate.propose({ n: 1, offered, arguments: {}, origins: {} }, of);
  const [made] = await host.calls.list({ ticket: id });
  if (made === undefined) throw new Error('there is no call');
  const by = await host.person('staff-0007');
  const consented = await host.calls.answer(made.id, { by, answer: 'run', hash: made.hash, scripted: true });
  void host.gate.send(consented, of).catch(() => undefined);
  call = consented;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'taskView-failed.png') });
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

/** The sample company, whose shop counts a product in a tenth of a second instead of three. */
function quickCounts(): string {
  const file = sampleProfile(folder.folder, {});
  const profile = z
    .looseObject({ services: z.array(z.looseObject({ env: z.record(z.string(), z.string()) })) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const { env } of profile.services) env['SHOP_RECOUNT_MS'] = '100';
  writeFileSync(file, JSON.stringify(profile));
  return file;
}

const entry = () => page.locator('#call-1');
const box = () => page.locator('iframe');
async function frame(): Promise<Frame> {
  const found = await (await box().elementHandle({ timeout: 60_000 })).contentFrame();
  if (!found) throw new Error('there is no frame');
  return found;
}
/** To the call's place in the log, which the narrow window has on a page of its own. */
async function toLog(): Promise<void> {
  const log = page.getByRole('button', { name: /^Call log \d/ });
  await log.or(entry()).first().waitFor();
  if (await log.isVisible()) await log.click();
  await entry().waitFor();
}

describe('a task with a view', () => {
  it('runs at its server, says how far it is, and ends with its result', async () => {
    await entry().locator('[data-progress="runs"]').waitFor();
    await entry()
      .getByText(/^recounted \d+ of 64$/)
      .waitFor();
    await expect.poll(async () => (await desk.host.calls.get(call.id)).state).toBe('result');
    await entry().getByRole('button', { name: 'Open its view' }).waitFor();
  });

  it('shows in its view, opened by keyboard, the rows the task returned', async () => {
    const report = reports.parse((await desk.host.calls.get(call.id)).structured);
    await tabTo(page, /^Open its view$/);
    await keys(page, 'Enter');
    const view = await frame();
    await view.getByRole('table').waitFor();
    const rows = await view.locator('tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        cells: [...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent),
        order: row.querySelector('input')?.value,
      })),
    );
    expect(rows).toEqual(
      report.reorder.map(({ sku, name, units, short_by }) => ({
        cells: [`${name}${sku}`, String(units)],
        order: String(short_by),
      })),
    );
    await expect
      .poll(() => view.locator('#summary').textContent())
      .toContain(`${report.products} products, ${report.units} units.`);
  });

  it.each(['light', 'dark'] as const)('is no wider than its place in either window, %s', async (theme) => {
    await lookOver(page, 'task-view', theme, async () => {
      await toLog();
      if ((await box().count()) === 0) await entry().getByRole('button', { name: 'Open its view' }).click();
      const view = await frame();
      await view.getByRole('table').waitFor();
      await expect.poll(async () => (await box().boundingBox())?.height ?? 0).toBeGreaterThan(150);
      await box().scrollIntoViewIfNeeded();
      expect(await view.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expect.poll(() => view.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
      const [inner, outer] = [await box().boundingBox(), await entry().boundingBox()];
      if (inner === null || outer === null) throw new Error('the view is out of sight');
      expect(inner.x).toBeGreaterThanOrEqual(outer.x);
      expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    });
  });
});
