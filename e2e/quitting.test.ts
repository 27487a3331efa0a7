// Quitting the window with questions of an older server open (host §20), in the real window. Only what the system's dialog
// shows is taken from it: that needs a person.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDesk } from '../main/client.ts';
import { createHost } from '../main/host.ts';
import { openStore } from '../main/store/open.ts';
import { serverConfig } from '../shared/servers.ts';
import { leftAfter, temporaryDesk } from './deskProgram.ts';
import { openInWindow } from './screen.ts';
import { screenMs } from './screenTools.ts';

const files = temporaryDesk();
const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const say = (): void => undefined;

beforeAll(async () => {
  const host = await createHost({ data: files.data, profileFile, servers: false, say });
  const program = path.join(import.meta.dirname, 'hostile/pushes.mjs');
  const args = [program, path.join(files.folder, 'pushes.log')];
  await host.settings.addServer(
    serverConfig.parse({ prefix: 'till', kind: 'stdio', command: process.execPath, args }),
    [],
  );
  await host.close();
});
afterAll(() => files.remove());

/** What the dialog was asked to show, and what it answers: the number of a button, null while nobody does. */
interface Shown {
  shown: { message: string; detail: string; buttons: string[] }[];
  answer: number | null;
}
async function takeDialog(app: ElectronApplication, answer: number | null): Promise<void> {
  await app.evaluate(({ dialog }, first) => {
    const state: Shown = { shown: [], answer: first };
    Reflect.set(globalThis, 'dialogOfTest', state);
    Reflect.set(dialog, 'showMessageBox', (...given: unknown[]) => {
      state.shown.push(given.at(-1) as Shown['shown'][number]); // its last argument
      return new Promise(
        (resolve) => state.answer !== null && resolve({ response: state.answer, checkboxChecked: false }),
      );
    });
  }, answer);
}
function shown(app: ElectronApplication): Promise<Shown['shown']> {
  return app.evaluate(() => (Reflect.get(globalThis, 'dialogOfTest') as Shown).shown); // set above
}
const quit = (app: ElectronApplication): Promise<void> => app.evaluate(({ app: own }) => own.quit());

it('ends at once where none is open', async () => {
  const { app, page } = await openInWindow(files.data);
  await page.waitForSelector('[aria-label="Screens"]', { timeout: 60_000 });
  const closed = app.waitForEvent('close', { timeout: screenMs });
  // Nobody would answer it.
  await takeDialog(app, null);
  await quit(app);
  await closed;
  expect(await leftAfter(files.data)).toEqual([]);
});

it('says how many are open and what becomes of them; who stays keeps them, who quits ends them', async () => {
  const { app, page } = await openInWindow(files.data);
  await page.waitForSelector('[aria-label="Screens"]', { timeout: 60_000 });
  // Its host has the folder from here on; this process only asks it.
  await expect.poll(() => existsSync(path.join(files.data, 'desk.sock'))).toBe(true);
  const { signal } = new AbortController();
  const view = await connectDesk({ data: files.data, as: 'staff-0007', profileFile, signal, say });
  const ticket = (await view.request('tickets.list', { limit: 1 }))[0];
  if (ticket === undefined) throw new Error('the sample has tickets');
  // Reading it, the server pushes a question.
  const reading = { id: ticket.id, version: ticket.version, prefix: 'till', uri: 'till:day' };
  await expect(view.request('runs.attach', reading)).rejects.toMatchObject({ code: 'servers.asks' });
  const open = async () => (await view.request('questions.list', {})).questions.map(({ question }) => question.pushed);
  expect(await open()).toEqual([true]);

  await takeDialog(app, 0);
  await quit(app);
  await expect
    .poll(() => shown(app))
    .toMatchObject([
      {
        message: '1 question of an older server is open',
        detail: expect.stringMatching(/^Quitting closes it and ends its call/) as string,
        buttons: ['Stay', 'Quit'],
      },
    ]);
  // Closing the window is quitting too, and asks again: nothing ended.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(async () => (await shown(app)).length).toBe(2);
  expect(await open()).toEqual([true]);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(true);

  const closed = app.waitForEvent('close', { timeout: screenMs });
  await takeDialog(app, 1);
  await quit(app);
  await closed;
  await view.close();
  expect(await leftAfter(files.data)).toEqual([]);
  const store = await openStore(path.join(files.data, 'desk.db'));
  const questions = await store.db.selectFrom('questions').select(['state', 'pushed']).execute();
  const calls = await store.db.selectFrom('calls').select('state').execute();
  await store.close();
  // A plain reading surely did nothing.
  expect([questions, calls]).toEqual([[{ state: 'closed', pushed: 1 }], [{ state: 'failed' }]]);
});
