// The desk's one window: sandboxed, isolated, without Node, on app://desk; comes back where it was, and after its page died.
import path from 'node:path';
import { app, BrowserWindow, nativeTheme } from 'electron';
import { origin } from './pages.ts';
import { keepWindowState, readWindowState } from './windowState.ts';

/** The window is shown then, painted or not. */
const latest = 1_000;
const reloads = 3;
const within = 60_000;

/** `died`: the page ended by itself. It is loaded again, or, too often in a short time, waits for `retry`. */
export function openWindow(
  preload: string,
  died: (page: { how: string; retry: (() => void) | null }) => void,
): BrowserWindow {
  const stateFile = path.join(app.getPath('userData'), 'window.json');
  const { bounds, maximized } = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 800,
    minHeight: 600,
    show: false,
    title: 'Desk',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14161a' : '#ffffff',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  keepWindowState(stateFile, window);
  const show = (): void => {
    if (window.isDestroyed() || window.isVisible()) return;
    if (maximized) window.maximize();
    window.show();
  };
  window.once('ready-to-show', show);
  // A machine whose graphics fail may never say that the first picture is ready.
  window.webContents.once('did-finish-load', () => setTimeout(show, latest));
  let ends: number[] = [];
  window.webContents.on('render-process-gone', (_, { reason }) => {
    ends = [...ends.filter((at) => Date.now() - at < within), Date.now()];
    console.error(`The window's page ended (${reason}).`);
    const retry = (): void => {
      ends = [];
      if (!window.isDestroyed()) window.webContents.reload();
    };
    const over = ends.length > reloads;
    if (!over) window.webContents.reload();
    died({ how: reason, retry: over ? retry : null });
  });
  void window.loadURL(`${origin}/`);
  return window;
}

export function showWindow(window: BrowserWindow | null): void {
  if (window === null) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
