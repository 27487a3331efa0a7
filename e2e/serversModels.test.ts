// The Model and the Servers screen as people use them, in a real browser: a model that is fetched while the desk is worked,
// paused and gone on with, one that arrives wrong, the process of one killed in the middle of a draft; servers pasted, filled
// in by form, failing, removed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModel } from '../main/model/tinyModel.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, tabTo } from './keyboard.ts';
import { lookOver } from './lookOver.ts';
import { entryOf, openHub, openModelDesk, type Hub } from './modelDesk.ts';
import { openTeamServer } from './teamServer.ts';

const files = temporaryDesk();
const bytes = readFileSync(tinyModel(files.folder));
/** Of the right size and no model. */
const wrong = Buffer.alloc(bytes.length, 7);
const part = Math.floor(bytes.length * 0.435);
let hub: Hub;
let desk: Awaited<ReturnType<typeof openModelDesk>>;
let page: Page;
beforeAll(async () => {
  hub = await openHub();
  hub.put('small', bytes, part);
  hub.put('other', wrong);
  desk = await openModelDesk(files.data, [
    entryOf(hub, 'small', 'starter', bytes),
    entryOf(hub, 'other', 'light', bytes),
  ]);
  page = desk.page;
});
afterAll(async () => {
  await desk.close();
  await hub.close();
  files.remove();
});

async function look(name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) await lookOver(page, name, theme, () => Promise.resolve());
}
const main = () => page.getByRole('main');
const option = (name: RegExp) => page.getByRole('option', { name });

describe('a model that is not here yet', () => {
  it('is fetched while the queue is there already; its foot says how far it is', async () => {
    const fetched = desk.getStarter();
    fetched.catch(() => undefined);
    await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
    await page.getByText('The model is being fetched, 43 %').waitFor();
  });

  it('is paused by whoever is there, keeps what was got, and is gone on with from there', async () => {
    await be(page, 'Mara Lindqvist');
    await keys(page, 'g', 'm');
    await page.getByText(/^43 %, \d+ KB|^43 %, [\d.]+ KB of/).waitFor();
    await look('model-getting');
    await keys(page, 'p');
    await page.getByText('What was got is kept; getting it goes on from there.').waitFor();
    await option(/small.*not here/).waitFor();
    await look('model-paused');
    expect(hub.ranges).toEqual([undefined]);
    hub.put('small', bytes);
    await keys(page, 'd');
    await page.getByText('as the catalogue has it').waitFor();
    expect(hub.ranges).toEqual([undefined, `bytes=${part}-`]);
    await option(/small.*in use/).waitFor();
  });

  it('is measured on this machine, and the measurement is still there after a reload', async () => {
    await keys(page, 'b');
    await page
      .getByText(/tokens a second/)
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByText(/tokens a second/)
      .first()
      .waitFor();
    await page.getByText(/MB when it was measured|GB when it was measured/).waitFor();
  });

  it('that arrives wrong is not used and says so; the right one is got after', async () => {
    await page.getByText('An admin changes these.').waitFor();
    await option(/“other”/).click();
    await page.getByText('Which models there are is decided by an admin.').waitFor();
    expect(await page.getByRole('button', { name: /^Get it/ }).count()).toBe(0);
    await be(page, 'Ines Okafor');
    await keys(page, 'g', 'm');
    await option(/“other”/).click();
    await page.getByRole('button', { name: /^Get it/ }).press('Enter');
    const note = page.getByRole('note', { name: 'It did not come' });
    await note.waitFor();
    await expect.poll(() => note.textContent()).toContain('its checksum was not the expected one');
    await expect.poll(() => note.textContent()).toContain('Nothing of it is used.');
    await look('model-failed');
    hub.put('other', bytes);
    await page.getByRole('button', { name: /^Try again/ }).press('Enter');
    await page.getByText('as the catalogue has it').waitFor();
    await page.getByText('on this disk, not in use').waitFor();
  });

  it('is deleted only after it was asked, and can be got again', async () => {
    await tabTo(page, /^Delete…$/);
    await keys(page, 'Enter');
    await tabTo(page, /^Keep it$/);
    await keys(page, 'Enter');
    await tabTo(page, /^Delete…$/);
    await keys(page, 'Enter');
    await page.getByRole('button', { name: 'Delete other' }).press('Enter');
    await page.getByRole('button', { name: /^Get it/ }).waitFor();
  });
});

describe('how a model is loaded', () => {
  it('is chosen with its effect in words; more than the model has is not offered', async () => {
    await option(/“small”/).click();
    const small = page.getByRole('radio', { name: /^4,096 tokens, about .* may not fit/ });
    await small.waitFor();
    await expect.poll(() => page.getByRole('radio', { name: /tokens/ }).count()).toBe(2);
    await page.getByText('this desk works one ticket at a time').waitFor();
    await look('model-in-use');
    await small.press('Space');
    await page.getByRole('button', { name: 'Keep this' }).press('Enter');
    await page.getByText('In force.').waitFor();
    await expect.poll(() => small.isChecked()).toBe(true);
  });
});

describe('the model’s process', () => {
  it('killed in the middle of a draft ends that draft with a sentence; the desk stays and the next try works', async () => {
    await keys(page, 'g', 'q');
    await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
    const before = desk.workerPid();
    await keys(page, 'j', 'Enter', 'd');
    await expect.poll(desk.workerPid, { interval: 5 }).not.toBe(before);
    const killed = desk.workerPid() ?? 0;
    process.kill(killed, 'SIGKILL');
    // It is said aloud first; the key means something again once the card says it.
    await page
      .getByRole('region', { name: 'Draft', exact: true })
      .getByText(/The model's process ended \(SIGKILL\)/)
      .waitFor();
    await keys(page, 'd');
    await page
      .getByText(/The model's process ended/)
      .first()
      .waitFor({ state: 'detached' });
    await expect.poll(desk.workerPid).not.toBe(killed);
  });
});

describe('servers', () => {
  const good = path.join(import.meta.dirname, 'hostile/good.mjs');
  beforeAll(() => be(page, 'Ines Okafor'));
  async function adding(): Promise<void> {
    await keys(page, 'g', 's');
    await option(/shop/).waitFor();
    await keys(page, 'n');
    await page.getByText('runs with your rights').waitFor();
  }
  async function paste(json: unknown): Promise<void> {
    await adding();
    await page.getByRole('tab', { name: 'Paste JSON' }).click();
    await page.getByLabel('JSON of other programs').fill(JSON.stringify(json));
    await page.getByRole('button', { name: 'Look at it' }).press('Enter');
  }

  it('from the JSON of another program are looked at, asked for their secrets, and added; their tools wait', async () => {
    await paste({
      mcpServers: { mine: { command: 'node', args: [good], env: { MY_TOKEN: '${input:token}', TTL: '9' } } },
    });
    await page.getByText(`node ${good}`).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add the server' }).isDisabled()).toBe(true);
    await page.getByLabel('MY_TOKEN', { exact: true }).fill('t-4711-secret');
    await expect.poll(() => page.getByRole('checkbox', { name: /MY_TOKEN is a secret/ }).isChecked()).toBe(true);
    await look('servers-paste');
    await page.getByRole('button', { name: 'Add the server' }).press('Enter');
    const note = page.getByRole('note', { name: 'To be decided' });
    await note.waitFor();
    await expect.poll(() => note.textContent()).toContain('7 of its tools wait for an admin’s approval');
    await page.getByText('Gets secrets in: MY_TOKEN').waitFor();
    await page.getByText('0 of 7 approved').waitFor();
    await page.getByText('the model reads none of them').waitFor();
    await page.getByText(/^\d+ requests? since \d\d:\d\d, none ended in an error$/).waitFor();
    expect(await page.content()).not.toContain('t-4711-secret');
    await look('servers-added');
  });

  it('are removed after it was asked', async () => {
    await tabTo(page, /^Remove…$/);
    await keys(page, 'Enter');
    await page.getByRole('button', { name: 'Remove mine' }).press('Enter');
    await option(/^mine/).waitFor({ state: 'detached' });
  });

  it('that fail say what happened, with their last words, and hold nobody up', async () => {
    const start = path.join(import.meta.dirname, 'hostile/start.mjs');
    await paste({ servers: { broken: { command: 'node', args: [start, 'exits'] } } });
    await page.getByRole('button', { name: 'Add the server' }).press('Enter');
    const note = page.getByRole('note', { name: 'It failed' });
    await note.waitFor();
    await expect.poll(() => note.textContent()).toContain('check it again');
    await page.getByRole('region', { name: 'stderr' }).getByText('SHOP_URL is not set').waitFor();
    await page.getByRole('option').filter({ hasText: /^shop/ }).filter({ hasText: 'running' }).waitFor();
    await look('servers-failed');
  });

  it('at an address are added by form, with a secret header they alone get', async () => {
    const team = await openTeamServer('s-1147-secret');
    try {
      await adding();
      // The keyboard is in the first field.
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Prefix' }).evaluate((box) => box === document.activeElement))
        .toBe(true);
      await page.keyboard.type('team');
      await page.getByRole('radio', { name: 'An address' }).press('Space');
      await page.getByRole('textbox', { name: 'Address' }).fill(team.url);
      await page.getByRole('textbox', { name: 'Headers' }).fill('X-Team-Key');
      await page.getByLabel('X-Team-Key', { exact: true }).fill('s-1147-secret');
      await page.getByRole('button', { name: 'Add the server' }).press('Enter');
      await page.getByText('0 of 1 approved').waitFor();
      await page.getByText('with X-Team-Key').waitFor();
      expect(team.refused()).toBe(0);
    } finally {
      await team.close();
    }
    await keys(page, 'c');
    await page.getByRole('note', { name: /It failed|Problem/ }).waitFor();
  });

  it('have limits, which an admin changes; what is out of range is said and not kept', async () => {
    await keys(page, 'g', 's');
    await option(/shop/).first().waitFor();
    await keys(page, 'l');
    const tools = page.getByRole('textbox', { name: /^tools, in tools, 1 to 4096$/ });
    await tools.fill('0');
    await page.getByText('“tools” is a whole number from 1 to 4096').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Keep tools' }).isDisabled()).toBe(true);
    await tools.fill('3');
    await look('servers-limits');
    await page.getByRole('button', { name: 'Keep tools' }).press('Enter');
    await page.getByRole('button', { name: 'tools as usual' }).waitFor();
    // The button that was pressed is gone; the keyboard is where it was typed.
    await expect.poll(() => tools.evaluate((box) => box === document.activeElement)).toBe(true);
    await keys(page, 'Escape');
    await page.getByRole('button', { name: 'Leave it' }).waitFor({ state: 'detached' });
    // The server that is started anew takes it over; before, it had more tools.
    await option(/^shop/).first().click();
    await page.getByText('5 of 5 approved').waitFor();
    await keys(page, 'o');
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('The list is longer than 3').waitFor();
    await keys(page, 'l');
    await page.getByRole('button', { name: 'tools as usual' }).press('Enter');
    await page.getByRole('button', { name: 'tools as usual' }).waitFor({ state: 'detached' });
    await tools.and(page.locator('[value="512"]')).waitFor();
    await keys(page, 'Escape');
  });

  it('are read by staff, who cannot change them and see why', async () => {
    await be(page, 'Mara Lindqvist');
    await keys(page, 'g', 's');
    await option(/shop/).first().click();
    await page.getByText('An admin adds, switches and removes servers.').waitFor();
    expect(
      await main()
        .getByRole('button', { name: /Switch|Remove|^Add|Limits/ })
        .count(),
    ).toBe(0);
    await look('servers-read');
  });
});
