// Prompts, templates and documents of a server of 2025-11-25 on screen, by keyboard alone (spec host §21): the public reference
// server as its package ships it. Attachments of the sample shop, which speaks 2026-07-28, are in attachments.test.ts.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serverConfig } from '../shared/servers.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, tabTo } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const themes = ['light', 'dark'] as const;
const everything = import.meta.resolve('@modelcontextprotocol/server-everything/package.json');
const program = path.join(path.dirname(fileURLToPath(everything)), 'dist/index.js');
const ticket = 'T-0028';
const folder = temporaryDesk();
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  const { host } = desk;
  const stdio = { kind: 'stdio', command: process.execPath, args: [program, 'stdio'] };
  const config = serverConfig.parse({ prefix: 'everything', ...stdio });
  const others = (await host.configured()).map(({ prefix }) => prefix);
  for (const prefix of others) await host.settings.switchServer(prefix, false);
  await host.settings.addServer(config, others);
  host.servers.add(config);
  const by = await host.person('staff-0001');
  for (const prefix of ['everything/prompts', 'everything/templates'])
    for (const { definition } of await host.servers.review(prefix))
      await host.pins.decide({
        ...{ prefix, tool: definition.name, by, decision: 'approved', why: null },
        hash: definition.hash ?? '',
      });
  expect(host.servers.get('everything')?.connection.status()).toMatchObject({ state: 'ready', era: 'legacy' });
  await page.locator('header code').waitFor();
  await be(page, 'Mara Lindqvist');
  await page.goto(new URL(`#/queue/${ticket}`, page.url()).href);
  await page.reload();
  await page.locator('header code', { hasText: ticket }).waitFor();
  // Its keys come with all of it.
  await page.locator(`[data-ticket="${ticket}"]`).waitFor();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'attachOlder-failed.png') });
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

const dialog = (name: string) => page.getByRole('dialog', { name });
const offered = () => page.locator('[data-popup]').getByRole('option');
const chips = () => page.getByRole('grid', { name: 'For the next draft' }).getByRole('row');

/** Opens the list by its key, and goes to the only offer that has these words. */
async function find(key: string, name: string, words: string): Promise<void> {
  await keys(page, key);
  await dialog(name).getByRole('menuitem').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'));
  await page.keyboard.type(words);
  await page.waitForFunction(() => document.querySelectorAll('[role=dialog] [role=menuitem]').length === 1);
  await keys(page, 'ArrowDown', 'Enter');
}
/** Types into the field that has the focus, and takes the first of exactly these completions. */
async function complete(typed: string, all: string[]): Promise<void> {
  await page.keyboard.type(typed);
  await expect.poll(() => offered().allTextContents()).toEqual(all);
  await keys(page, 'ArrowDown', 'Enter');
}

describe('a server of 2025-11-25', () => {
  it('has its prompt filled in by completions, the second of them by the first, looked at and used', async () => {
    await find('u', 'Use a prompt', 'team management');
    const use = dialog('Use a prompt');
    await use.getByRole('combobox', { name: 'department' }).waitFor();
    await complete('S', ['Sales', 'Support']);
    await expect.poll(() => use.getByRole('combobox', { name: 'department' }).inputValue()).toBe('Sales');
    await keys(page, 'Tab');
    await complete('', ['David', 'Eve', 'Frank']);
    await expect.poll(() => use.getByRole('combobox', { name: 'name' }).inputValue()).toBe('David');
    await tabTo(page, /^Show what it says$/);
    await keys(page, 'Enter');
    const said = use.getByRole('region', { name: 'What the prompt says' });
    await said.getByText('Please promote David to the head of the Sales team.').waitFor();
    await keys(page, 'Enter');
    await expect.poll(() => said.evaluate((region) => region === document.activeElement)).toBe(true);
    for (const theme of themes) await lookOver(page, 'older-prompt', theme, () => said.waitFor());
    expect(await page.getByRole('grid', { name: 'For the next draft' }).count()).toBe(0);
    await tabTo(page, /^Use it in the next draft$/);
    await keys(page, 'Enter');
    await chips()
      .filter({ hasText: /Team Management\d+ B/ })
      .waitFor();
    await use.waitFor({ state: 'detached' });
  });

  it('has a template filled in and attached', async () => {
    await find('f', 'Attach to this ticket', 'dynamic text');
    const attach = dialog('Attach to this ticket');
    await attach.getByRole('combobox', { name: /resource ?id/i }).waitFor();
    await complete('7', ['7']);
    for (const theme of themes) await lookOver(page, 'older-template', theme, () => attach.waitFor());
    await tabTo(page, /^Attach$/);
    await keys(page, 'Enter');
    await chips()
      .filter({ hasText: /Dynamic Text Resource.*\d+ B/ })
      .waitFor();
    await attach.waitFor({ state: 'detached' });
  });

  it('says why one of its documents cannot be attached, and nothing is', async () => {
    await find('f', 'Attach to this ticket', 'dynamic text');
    const attach = dialog('Attach to this ticket');
    await attach.getByRole('combobox', { name: /resource ?id/i }).waitFor();
    await page.keyboard.type('seven');
    await tabTo(page, /^Attach$/);
    await keys(page, 'Enter');
    await attach.getByText('Not attached').waitFor();
    await expect.poll(() => attach.getByText(/Unknown resource/).count()).toBe(1);
    await expect.poll(() => chips().count()).toBe(2);
    await keys(page, 'Escape');
    await attach.waitFor({ state: 'detached' });
  });

  it('has a document attached as it stands', async () => {
    await find('f', 'Attach to this ticket', 'startup.md');
    await chips()
      .filter({ hasText: /startup\.md[\d.,]+ KB/ })
      .waitFor();
    await dialog('Attach to this ticket').waitFor({ state: 'detached' });
    for (const theme of themes) await lookOver(page, 'older-chips', theme, () => chips().nth(2).waitFor());
    const kept = await desk.host.attachments.list(ticket);
    expect(kept.map(({ prefix }) => prefix)).toEqual(['everything', 'everything', 'everything']);
  });

  it('has them read by the draft, which is made with them', async () => {
    await keys(page, 'd');
    await page.getByRole('region', { name: 'Text of the draft' }).or(page.getByText('Handed over')).first().waitFor();
    await tabTo(page, /^Call log/);
    await keys(page, 'ArrowRight', 'ArrowRight');
    await page.getByRole('heading', { name: 'Read by the last draft' }).waitFor();
    await tabTo(page, /^▸Dynamic Text Resource/);
    await keys(page, 'Enter');
    await page
      .getByRole('region', { name: 'Text of the document' })
      .getByText(/Resource 7: This is a plaintext resource/)
      .waitFor();
  });
});
