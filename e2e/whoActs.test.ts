// Who acts on a page changes only by that page's own person: not by another page of the browser, and what one person had begun
// is not the next one's to finish.
import path from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverConfig } from '../shared/servers.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, toAmount } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';

const files = temporaryDesk();
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  desk = await openLabelledDesk(files.data);
  const { host } = desk;
  const program = path.join(import.meta.dirname, 'hostile/forms.mjs');
  const args = [program, path.join(files.folder, 'received.log')];
  const of = { prefix: 'forms', kind: 'stdio', command: process.execPath, args, question_roles: { optional: 'lead' } };
  await host.settings.addServer(serverConfig.parse(of), []);
  await host.startServers();
  const by = await host.person('staff-0001');
  for (const { definition } of await host.servers.review('forms')) {
    const { name: tool, hash } = definition;
    const decision = { by, decision: 'approved', hash: hash ?? '', why: null, noSideEffects: true } as const;
    await host.pins.decide({ prefix: 'forms', tool, ...decision });
  }
  page = desk.page;
});
afterAll(async () => {
  await desk.close();
  files.remove();
});

/** A line that can be cut for a while. Reloads the page. */
async function lineOf(of: Page): Promise<{ cut: () => Promise<void>; mend: () => Promise<void> }> {
  const open = new Set<WebSocketRoute>();
  let down = false;
  await of.routeWebSocket(/\/desk$/, (socket) => {
    if (down) return void socket.close();
    open.add(socket);
    socket.connectToServer();
  });
  await of.reload();
  const lost = of.getByText('Connection lost', { exact: true });
  return {
    async cut() {
      down = true;
      for (const socket of open) await socket.close();
      open.clear();
      await lost.waitFor();
    },
    async mend() {
      down = false;
      await lost.waitFor({ state: 'detached' });
    },
  };
}
const me = (of: Page, name: string) => of.getByRole('button', { name: new RegExp(`^[A-Z]{2}: ${name}`) });

describe('two pages of one browser', () => {
  it('each stay who they are: over a lost line, and loaded again', async () => {
    const line = await lineOf(page);
    await be(page, 'Mara Lindqvist');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await me(other, 'Mara Lindqvist').waitFor();
    await be(other, 'Ines Okafor');
    await line.cut();
    await line.mend();
    await me(page, 'Mara Lindqvist').waitFor();
    expect(await me(page, 'Ines Okafor').count()).toBe(0);
    await page.reload();
    await me(page, 'Mara Lindqvist').waitFor();
    await other.close();
  });
});

describe('changing over', () => {
  it('on a lost line says that it did not happen, and why', async () => {
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    const line = await lineOf(page);
    await be(page, 'Mara Lindqvist');
    // The page knows who else there is; that is asked anew after somebody changed over.
    await me(page, 'Mara Lindqvist').click();
    await page.getByRole('menuitem', { name: /^Tomas Adeyemi/ }).waitFor();
    await keys(page, 'Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await line.cut();
    for (const what of [/^Tomas Adeyemi/, /^Sign out/]) {
      await me(page, 'Mara Lindqvist').click();
      await page.getByRole('menuitem', { name: what }).click();
      const said = page.getByRole('alert').filter({ hasText: 'You are still Mara Lindqvist.' });
      await said.getByText(/The desk is not reached right now/).waitFor();
      await said.getByRole('button', { name: 'Close' }).click();
    }
    await line.mend();
    await me(page, 'Mara Lindqvist').waitFor();
    expect(wrong).toEqual([]);
  });

  it('leaves an open question of another role to be read, without what answers it', async () => {
    const { host } = desk;
    const offered = (await host.servers.offered()).tools.find(({ name }) => name === 'forms.optional');
    const ticket = await host.tickets.find('T-0001');
    if (offered === undefined || ticket === undefined) throw new Error('not offered');
    await host.gate.propose({ n: 1, offered, arguments: {}, origins: {} }, { run: '', ticket });
    await be(page, 'Tomas Adeyemi');
    await keys(page, 'Escape', 'g', 'i');
    await page.getByRole('heading', { level: 2, name: /Please fill in: optional/ }).waitFor();
    await page.getByRole('button', { name: /^Accept/ }).waitFor();
    await be(page, 'Mara Lindqvist');
    await page.getByRole('note', { name: 'Not yours to answer' }).getByText('A lead answers this.').waitFor();
    for (const name of [/^Accept/, /^Decline/, /^Cancel/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await keys(page, 'Control+Enter', 'd');
    expect(await page.getByRole('group', { name: 'What would be sent' }).count()).toBe(0);
    await be(page, 'Tomas Adeyemi');
    await page.getByRole('button', { name: /^Accept/ }).waitFor();
  });

  it('goes back from the amount of a consent to its question', async () => {
    const bar = page.locator('#consent-bar');
    const amount = await toAmount(page, 'T-0031');
    await be(page, 'Tomas Adeyemi');
    await amount.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: /^Run/ }).waitFor();
    expect((await desk.host.calls.waiting()).map(({ state }) => state)).toEqual(['asking']);
  });
});
