// The Electron application: starts the host, shows the renderer in one locked window, and lends it menus and notices. It has
// no rules of the desk and keeps no data but where the window was. `--data=DIR`: another data folder; `--no-fetch`: no model is fetched.
import path from 'node:path';
import { app, dialog, safeStorage, session, shell, type BrowserWindow, type MessageBoxOptions } from 'electron';
import { defaultData } from '../main/dataFolder.ts';
import type { Role } from '../shared/people.ts';
import { openDoor, type Door } from './door.ts';
import { startHost, type HostProcess } from './hostProcess.ts';
import { openKeyStore } from './keyStore.ts';
import { lockPages, lockSession } from './locks.ts';
import { setMenus } from './menus.ts';
import { listenForNotices } from './notices.ts';
import { mayOpen } from './openAddress.ts';
import { declarePages, servePages } from './pages.ts';
import { changedBeside, places } from './places.ts';
import { quits, quittingAsks } from './quitting.ts';
import { openWindow, showWindow } from './window.ts';

const data = path.resolve(app.commandLine.getSwitchValue('data') || process.env['DESK_DATA'] || defaultData());
// One window a data folder: the lock is by this folder.
if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', path.join(data, 'window'));
let window: BrowserWindow | null = null;
let host: HostProcess | null = null;
/** The person is asked whether to quit, or did. */
let leaving = false;
/** What a page that ends by itself leaves behind. */
const kept = 'What was done is kept, and so are the replies and notes you were typing.';

// Tests run as root, where Chromium has no sandbox of the system; pages stay sandboxed by their preferences.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
declarePages();
lockPages();
if (!app.requestSingleInstanceLock()) app.quit();
else {
  app.on('second-instance', () => showWindow(window));
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (host === null) return;
    event.preventDefault();
    void quit(host);
  });
  app.whenReady().then(start).catch(fail);
}

async function start(): Promise<void> {
  const changed = await changedBeside();
  if (changed !== null) throw new Error(`${changed} is not the file this desk was built with. Install the desk again.`);
  const { pages, preload, node, host: script } = places();
  servePages(session.defaultSession, pages);
  lockSession(session.defaultSession);
  let door: Door | null = null;
  let acts: Role | null = null;
  const started = (): void => {
    // Once what is called here exists: the first start happens inside startHost.
    queueMicrotask(() => {
      door?.started();
      if (host !== null)
        listenForNotices(host, {
          wanted: () => window?.isFocused() !== true,
          role: () => acts,
          open: (id) => {
            showWindow(window);
            door?.say({ command: 'go.inbox', open: id });
          },
        });
    });
  };
  const fetches = !app.commandLine.hasSwitch('no-fetch');
  const secrets = await openKeyStore(safeStorage, path.join(app.getPath('userData'), 'keys.json'));
  const running = startHost({
    node,
    script,
    data,
    fetches,
    secrets,
    started,
    openUrl,
    over: (why) => void askAgain(why, () => running.retry()),
  });
  host = running;
  door = openDoor({
    page: () => window?.webContents ?? null,
    host: running,
    acts: (role) => (acts = role),
    refused: (why) => console.error(`The window's page was refused: ${why}`),
  });
  setMenus((command) => door.say({ command }));
  window = openWindow(preload, ({ how, retry }) => {
    const ended = `The window’s page stopped unexpectedly (${how})`;
    door.sayNext({ reloaded: `${ended} and was loaded again. ${kept}` });
    if (retry !== null) void askAgain(`${ended} several times within a minute. ${kept}`, retry);
  });
  // Closing it is quitting, which may be thought better of while there is something to come back to.
  window.on('close', (event) => {
    if (host === null) return;
    event.preventDefault();
    app.quit();
  });
  window.on('closed', () => (window = null));

  async function askAgain(why: string, retry: () => void): Promise<void> {
    const options = { type: 'error' as const, message: why, buttons: ['Try again', 'Quit'], cancelId: 1 };
    if ((await asked(options)) === 0) retry();
    else app.quit();
  }
}

/** Asks the host what ends with it, and the person where something does; then ends the host, and the application. */
async function quit(running: HostProcess): Promise<void> {
  if (leaving) return;
  leaving = true;
  const open = await running.ending();
  if (open > 0 && (await asked(quittingAsks(open))) !== quits) {
    leaving = false;
    return;
  }
  host = null;
  await running.close();
  app.quit();
}

async function asked(options: MessageBoxOptions): Promise<number> {
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response;
}

/** The address of a server's question, as the host read it (spec host §18). */
function openUrl(url: string): void {
  if (mayOpen(url)) void shell.openExternal(url);
}

function fail(error: unknown): void {
  console.error(error);
  dialog.showErrorBox('The desk does not start', error instanceof Error ? error.message : String(error));
  app.quit();
}
