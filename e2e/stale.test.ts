// A call that waits for consent while what its draft was made with changes (spec host §13): the run ends stale, nothing of it is
// sent, the person is told so on screen, and the ticket is drafted anew over what stands now.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import { listRuns } from '../main/store/runs.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { sampleProfile } from './sampleProfile.ts';
import { refundsSince } from './shopRecords.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const shipped = path.resolve(import.meta.dirname, '../demo/playbook.json');
const words =
  'Ticket, definitions or playbook changed since this was asked. Nothing was sent; the ticket is drafted anew.';
const bar = (page: Page) => page.locator('#consent-bar');

async function look(page: Page, ticket: string): Promise<void> {
  // A page that begins opens a ticket by itself, and names it in the address.
  await page.locator('header code').waitFor();
  await page.goto(`${new URL(page.url()).origin}/#/queue/${ticket}`);
  await page.reload();
  await page.locator('header code', { hasText: ticket }).waitFor();
}
async function armed(page: Page): Promise<void> {
  await expect.poll(() => bar(page).getByRole('button', { name: /^Run/ }).isEnabled()).toBe(true);
}
async function asking({ host }: LabelledDesk, ticket: string): Promise<Call> {
  const [call] = await host.calls.list({ ticket, states: ['asking'] });
  if (call === undefined) throw new Error(`Nothing waits of ${ticket}`);
  return call;
}
/** Y at the bar, and what moves money its Enter. */
async function yes(page: Page): Promise<void> {
  await armed(page);
  await keys(page, 'p');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('consent-bar');
  await keys(page, 'y');
  await page.getByRole('group', { name: /^This moves/ }).waitFor();
  await keys(page, 'Enter');
}

describe('a call that waits while an admin lets a change in', () => {
  const folder = temporaryDesk();
  const file = path.join(folder.folder, 'playbook.json');
  let profileFile = '';
  let desk: LabelledDesk | null = null;
  beforeAll(() => {
    mkdirSync(pictures, { recursive: true });
    mkdirSync(folder.folder, { recursive: true });
    writeFileSync(file, readFileSync(shipped));
    profileFile = sampleProfile(folder.folder, { playbook: file });
  });
  afterAll(async () => {
    await desk?.close();
    folder.remove();
  });
  async function open(): Promise<LabelledDesk> {
    await desk?.close();
    desk = await openLabelledDesk(folder.data, { profileFile });
    return desk;
  }

  it('the playbook: the yes sends nothing and says so, and the call asks anew in a draft of the new playbook', async () => {
    const first = await open();
    await look(first.page, 'T-0031');
    await keys(first.page, 'd');
    await bar(first.page).waitFor();
    const call = await asking(first, 'T-0031');
    // Changed and approved, and in force with the next start.
    writeFileSync(file, readFileSync(shipped, 'utf8').replaceAll('Kind regards', 'Warm regards'));
    await be(first.page, 'Ines Okafor');
    await keys(first.page, 'g', 'd');
    await first.page.getByRole('option', { name: /Playbook.*changed/ }).waitFor();
    await first.page.getByRole('button', { name: /^Approve/ }).waitFor();
    await keys(first.page, 'a');
    await first.page.getByRole('option', { name: /Playbook.*approved/ }).waitFor();

    const { page, host } = await open();
    await look(page, 'T-0031');
    expect((await host.calls.get(call.id)).hash).toBe(call.hash);
    await saysSo(call);
    await page.screenshot({ path: path.join(pictures, 'consent-stale.png') });
    const runs = await listRuns(host.store.db, { ticket: 'T-0031' });
    expect(runs.map(({ state }) => state).sort()).toEqual(['stale', 'waiting']);
    expect(runs.find(({ state }) => state === 'waiting')?.playbook).toBe(host.playbook.hash);
  });

  it('the definition of another tool that was offered: the same', async () => {
    if (desk === null) throw new Error('No desk is open');
    const { page, host } = desk;
    await look(page, 'T-0031');
    const call = await asking(desk, 'T-0031');
    const { definition } =
      (await host.servers.review('shop')).find((one) => one.definition.name === 'check_stock') ?? {};
    await host.pins.decide({
      prefix: 'shop',
      tool: 'check_stock',
      by: await host.person('staff-0001'),
      decision: 'refused',
      hash: definition?.hash ?? '',
      why: null,
    });
    await saysSo(call);
  });

  /** The yes to the waiting call: nothing is sent, it is said, and another call asks, with drafting anew beside it. */
  async function saysSo(call: Call): Promise<void> {
    if (desk === null) throw new Error('No desk is open');
    const { page, host } = desk;
    await yes(page);
    await page.getByRole('main').getByText(`${call.ticket}: ${words}`).waitFor();
    await bar(page).waitFor();
    await page.getByRole('button', { name: /^Draft anew/ }).waitFor();
    expect(await host.calls.get(call.id)).toMatchObject({ state: 'failed', detail: words });
    const next = await asking(desk, call.ticket);
    expect(next.run).not.toBe(call.run);
    expect(next.tool).toBe(call.tool);
    expect(refundsSince(folder.data, 'O-1145')).toEqual([]);
  }
});
