// The page a server wants visited, on screen, as far as others have a word in it: the person the call is made for (spec
// servers, "payments"), and the server itself, which says that it is done there (2025-11-25). A real server over stdio.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverConfig } from '../shared/servers.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';

const files = temporaryDesk();
const log = path.join(files.folder, 'pushes.log');
const finished = 'The server says it is finished there.';
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  desk = await openLabelledDesk(files.data, {});
  const { host } = desk;
  const args = [path.join(import.meta.dirname, 'hostile/pushes.mjs'), log];
  const context = { 'example.com/person': 'person.id' };
  const config = { prefix: 'till', kind: 'stdio', command: process.execPath, args, context };
  await host.settings.addServer(serverConfig.parse(config), []);
  await host.startServers();
  const by = await host.person('staff-0001');
  for (const { definition } of await host.servers.review('till')) {
    const { name: tool, hash } = definition;
    const decision = { decision: 'approved', hash: hash ?? '', why: null, noSideEffects: tool === 'done' } as const;
    await host.pins.decide({ prefix: 'till', tool, by, ...decision });
  }
  page = desk.page;
});
afterAll(async () => {
  await desk.close();
  files.remove();
});

/** Has a tool called for a sample ticket, by Mara's word where it needs one. */
async function call(tool: string, word: string): Promise<void> {
  const { host } = desk;
  const offered = (await host.servers.offered()).tools.find(({ name }) => name === `till.${tool}`);
  const ticket = await host.tickets.find('T-0001');
  if (offered === undefined || ticket === undefined) throw new Error(tool);
  const of = { run: '', ticket };
  const origins = { '/word': { from: 'ticket.text', trust: 'bound' } } as const;
  await host.gate.propose({ n: 1, offered, arguments: { word }, origins }, of);
  const [waiting] = await host.calls.waiting();
  if (waiting === undefined) return;
  const answer = { by: await host.person('staff-0007'), answer: 'run', hash: waiting.hash, scripted: false } as const;
  await host.gate.send(await host.calls.answer(waiting.id, answer), of);
}
async function toInbox(): Promise<void> {
  await page.locator('[aria-label="Screens"]').getByText('Inbox').click();
  await page.getByRole('option', { name: /Go to pay\.example/ }).click();
  await page.getByRole('group', { name: 'Address' }).waitFor();
}
const accept = () => page.getByRole('button', { name: 'Accept', exact: true });

it('is accepted by the person of the call alone, whatever the server says of it, and heard by the server then', async () => {
  await be(page, 'Mara Lindqvist');
  await call('url', 'x');
  await toInbox();
  await accept().waitFor();
  const beside = page.getByRole('main').getByText(finished, { exact: true });
  await expect.poll(() => beside.count()).toBe(0);
  await call('done', 'flow-1');
  await beside.waitFor();
  // It still waits for a person.
  await expect.poll(() => accept().count()).toBe(1);
  expect(await desk.host.questions.open()).toMatchObject([{ state: 'open', finished: true }]);

  await be(page, 'Tomas Adeyemi');
  await toInbox();
  await page.getByRole('note', { name: 'Somebody else’s page' }).getByText('Mara Lindqvist').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Decline', exact: true }).count()).toBe(1);
  await expect.poll(() => accept().count()).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: 'Open in browser' }).count()).toBe(0);

  await be(page, 'Mara Lindqvist');
  await toInbox();
  await accept().click();
  await page.getByRole('button', { name: 'Send: Accept' }).click();
  await page.getByRole('note', { name: 'Answered' }).waitFor();
  await expect
    .poll(() => (existsSync(log) ? readFileSync(log, 'utf8') : ''))
    .toContain('{"answer":{"action":"accept"}}');
});
