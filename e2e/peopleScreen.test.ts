// People on screen, in a company of its own that nobody belongs to yet (spec host §25): its first admin, people added with a
// role and a passphrase, signing out and in, what a role may not, and who did what.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys, pick, tabTo } from './keyboard.ts';
import { lookOver } from './lookOver.ts';
import { openInBrowser, type BrowserDesk } from './screen.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-people-screen-'));
const playbook = path.resolve(import.meta.dirname, '../demo/playbook.json');
const ada = 'four quiet words here';
const sam = 'another set of words';
let screen: BrowserDesk;
let page: Page;

beforeAll(async () => {
  const profile = path.join(folder, 'profile.json');
  writeFileSync(
    profile,
    JSON.stringify({ format: 'desk-profile/1', company: 'Closed & Co.', people: [], playbook, servers: [] }),
  );
  process.env['DESK_PROFILE'] = profile;
  screen = await openInBrowser(path.join(folder, 'data'));
  ({ page } = screen);
});
afterAll(async () => {
  delete process.env['DESK_PROFILE'];
  await screen.close();
  rmSync(folder, { recursive: true, force: true });
});

const box = (label: string) => page.getByRole('textbox', { name: label });
const passphrase = (label: string) => page.getByLabel(label, { exact: true });
/** Opens the menu of who is at the desk and takes an entry. */
async function menu(entry: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await tabTo(page, /^[A-Z]{1,2}: /);
  await keys(page, 'Enter');
  await page.getByRole('menuitem', { name: entry }).waitFor();
  await pick(page, entry);
}

it('begins with whoever opens it as its first admin, by the keyboard alone', async () => {
  await page.getByRole('heading', { name: 'The first admin' }).waitFor();
  for (const theme of ['light', 'dark'] as const)
    await lookOver(page, 'first-admin', theme, () => page.getByRole('heading', { name: 'The first admin' }).waitFor());
  await box('Name').focus();
  await page.keyboard.type('Ada Byron');
  await keys(page, 'Tab');
  await page.keyboard.type('ada');
  await keys(page, 'Tab');
  await page.keyboard.type('too short');
  await keys(page, 'Enter');
  await expect.poll(() => page.getByRole('button', { name: 'Begin' }).isDisabled()).toBe(true);
  await passphrase('Passphrase').fill(ada);
  await keys(page, 'Enter');
  await page.getByRole('button', { name: 'AB: Ada Byron, admin' }).waitFor();
});

it('has its people added with a role and a passphrase, and a role changed', async () => {
  await menu(/People and roles/);
  await page.getByRole('dialog', { name: 'People and roles' }).waitFor();
  await tabTo(page, /^Name/);
  await page.keyboard.type('Sam Field');
  await keys(page, 'Tab');
  await page.keyboard.type('sam');
  await keys(page, 'Tab');
  await page.keyboard.type(sam);
  await tabTo(page, /^Add$/);
  await keys(page, 'Enter');
  const role = page.getByRole('button', { name: /Role of Sam Field/ });
  await role.waitFor();
  await expect.poll(() => role.textContent()).toContain('staff');
  await role.focus();
  await keys(page, 'Enter');
  await page.getByRole('option', { name: 'lead' }).waitFor();
  await pick(page, /^lead/);
  await expect.poll(() => role.textContent()).toContain('lead');
  await page.getByRole('button', { name: /Role of Ada Byron/ }).focus();
  await keys(page, 'Enter');
  await page.getByRole('option', { name: 'staff' }).waitFor();
  await pick(page, /^staff/);
  await page.getByRole('alert').getByText('ada is the last admin').waitFor();
  for (const theme of ['light', 'dark'] as const) await lookOver(page, 'people', theme, () => role.waitFor());
  await keys(page, 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('tells an admin who did what, what failed too, and nobody a passphrase', async () => {
  await menu(/Who did what/);
  const table = page.getByRole('table', { name: 'Who did what' });
  await table.waitFor();
  const rows = await table.getByRole('row').allTextContents();
  expect(rows.slice(1).map((words) => words.replace(/^.*?Ada/, 'Ada'))).toEqual([
    expect.stringMatching(/^Ada ByronChanged a role.*did not happen.*ada is staff/),
    'Ada ByronChanged a rolesam is lead',
    'Ada ByronAdded a personsam as staff',
  ]);
  for (const theme of ['light', 'dark'] as const) await lookOver(page, 'who-did-what', theme, () => table.waitFor());
  await keys(page, 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('is signed out of, and into by passphrase only, with that person’s role', async () => {
  await menu(/Sign out/);
  await page.getByRole('heading', { name: 'Who is at the desk?' }).waitFor();
  for (const theme of ['light', 'dark'] as const) await lookOver(page, 'sign-in', theme, () => box('ID').waitFor());
  await box('ID').focus();
  await page.keyboard.type('sam');
  await keys(page, 'Tab');
  await page.keyboard.type(ada);
  await keys(page, 'Enter');
  await page.getByRole('alert').getByText('not the passphrase').waitFor();
  await passphrase('Passphrase').fill(sam);
  await keys(page, 'Enter');
  await page.getByRole('button', { name: 'SF: Sam Field, lead' }).waitFor();
  await tabTo(page, /^SF: /);
  await keys(page, 'Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /People and roles|Who did what/ }).count()).toBe(0);
  await keys(page, 'Escape');
  await menu(/Change your passphrase/);
  await tabTo(page, /^The one so far/);
  await page.keyboard.type(sam);
  await keys(page, 'Tab');
  await page.keyboard.type(`${sam} anew`);
  await tabTo(page, /^Change it$/);
  await page.evaluate(() => localStorage.removeItem('desk.person'));
  await keys(page, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Another passphrase ends every session that began with the old one; this page signs in anew with the new one, and
  // keeps who it is then. The button alone may still be the one of before.
  await page.waitForFunction(() => localStorage.getItem('desk.person') === 'sam');
  await page.getByRole('button', { name: 'SF: Sam Field, lead' }).waitFor();
  await menu(/Sign out/);
  await box('ID').waitFor();
});
