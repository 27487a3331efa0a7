// Electron's own security checklist (electronjs.org, "Security"), its twenty items in its order: asked of the real window where
// it can answer, of the built code where only that can. What an attacker tries against each stands in shell.test.ts, and the
// fuses of the packed program are read in packed.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { doorName } from '../app/doorName.ts';
import { temporaryDesk } from './deskProgram.ts';
import { openInWindow, type WindowDesk } from './screen.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (...file: string[]): string => readFileSync(path.join(root, ...file), 'utf8');
const times = (text: string, what: RegExp): number => text.match(new RegExp(what, 'g'))?.length ?? 0;

describe.skipIf(process.platform !== 'linux')('the checklist of Electron', () => {
  const own = temporaryDesk();
  const built = { main: '', preload: '', pages: '' };
  let desk: WindowDesk;
  let preferences: Record<string, unknown> = {};
  beforeAll(async () => {
    desk = await openInWindow(own.data);
    await desk.page.waitForSelector('[aria-label="Screens"]', { timeout: 60_000 });
    preferences = await desk.app.evaluate(({ BrowserWindow }) => {
      // Electron does not list this method among its types.
      const page = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      return page.getLastWebPreferences();
    });
    built.main = read('.artifacts/app/main.cjs');
    built.preload = read('.artifacts/app/preload.cjs');
    const pages = path.join(root, '.artifacts/renderer');
    built.pages = readdirSync(pages, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(html|js|css)$/.test(name))
      .map((name) => readFileSync(path.join(pages, name), 'utf8'))
      .join('\n');
  });
  afterAll(async () => {
    await desk.close();
    own.remove();
  });

  it('1 only secure content: everything of the page came over app://desk', async () => {
    const names = await desk.page.evaluate(() => [
      ...[...document.querySelectorAll('script, img')].map((one) => String(Reflect.get(one, 'src'))),
      ...[...document.querySelectorAll('link')].map(({ href }) => href),
    ]);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(name).toMatch(/^app:\/\/desk\//);
  });
  it('2 no Node in the page or its workers', async () => {
    expect(preferences).toMatchObject({ nodeIntegration: false });
    expect(preferences['nodeIntegrationInWorker'] ?? false).toBe(false);
    expect(preferences['nodeIntegrationInSubFrames'] ?? false).toBe(false);
    const found = await desk.page.evaluate(() =>
      ['require', 'process', 'module', 'global', 'Buffer'].filter((name) => Reflect.has(window, name)),
    );
    expect(found).toEqual([]);
  });
  it('3 context isolation', () => {
    expect(preferences).toMatchObject({ contextIsolation: true });
  });
  it('4 sandbox', () => {
    expect(preferences).toMatchObject({ sandbox: true });
    expect(built.main).toContain('enableSandbox()');
  });
  it('5 permissions are answered, and with no: requests, checks, devices', async () => {
    const states = await desk.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi', 'clipboard-read'];
      const asked = names.map((name) => navigator.permissions.query({ name: name as PermissionName })); // Chromium's own names
      return (await Promise.all(asked)).map(({ state }) => state);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
    expect(await desk.page.evaluate(() => Notification.requestPermission())).toBe('denied');
    expect(built.main).not.toMatch(/select-(hid|usb|serial|bluetooth)|setDisplayMediaRequestHandler/);
  });
  it('5 no device is offered to the page, though it asks with a click', async () => {
    const asked = await desk.app.evaluate(async ({ BrowserWindow, session }) => {
      const page = BrowserWindow.getAllWindows()[0]?.webContents;
      const offered: string[] = [];
      const choosing = ['select-hid-device', 'select-serial-port', 'select-usb-device'] as const;
      // The types have an overload for each.
      for (const name of choosing) session.defaultSession.on(name as 'select-hid-device', () => offered.push(name));
      const got: unknown[] = [];
      for (const ask of [
        'hid.requestDevice({ filters: [] })',
        'serial.requestPort({ filters: [] })',
        'usb.requestDevice({ filters: [] })',
        'hid.getDevices()',
        'serial.getPorts()',
        'usb.getDevices()',
      ])
        got.push(
          await page?.executeJavaScript(
            `(async () => JSON.stringify(await navigator.${ask}))().catch(({ name }) => name)`,
            true,
          ),
        );
      return { offered, got };
    });
    expect(asked.offered).toEqual([]);
    expect(asked.got).toEqual(['[]', 'NotFoundError', 'NotFoundError', '[]', '[]', '[]']);
  });
  it('5 a device that is there is refused by the handler that the app gives every session', async () => {
    // No machine of tests has a device to ask for: the handler itself is asked, as it comes to a session made now.
    const answers = await desk.app.evaluate(({ app, session }) => {
      let handler: Parameters<typeof session.defaultSession.setDevicePermissionHandler>[0] = null;
      app.prependOnceListener('session-created', (made: typeof session.defaultSession) => {
        made.setDevicePermissionHandler = (given) => (handler = given);
      });
      session.fromPartition('devices');
      const device = { deviceId: 'x', name: 'x', vendorId: 1, productId: 1 } as never; // only that there is one
      return (['hid', 'serial', 'usb'] as const).map((deviceType) =>
        handler?.({ deviceType, device, origin: 'app://desk' }),
      );
    });
    expect(answers).toEqual([false, false, false]);
  });
  it('6 web security is on', () => {
    expect(preferences).toMatchObject({ webSecurity: true });
  });
  it('7 a content security policy, on every answer', async () => {
    const policies = await desk.app.evaluate(({ net }) =>
      Promise.all(
        ['app://desk/', 'app://desk/none.js'].map(async (url) =>
          (await net.fetch(url)).headers.get('content-security-policy'),
        ),
      ),
    );
    // What each line does stands in shell.test.ts.
    for (const policy of policies)
      expect(Object.fromEntries((policy ?? '').split('; ').map((line) => line.split(/ (.*)/)))).toEqual({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': expect.stringMatching(/^'self' 'sha256-[\w+/]{43}='$/) as string,
        'img-src': "'self'",
        'font-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
        'frame-src': 'app://view/',
      });
  });
  it('8 no insecure content beside it', () => {
    expect(preferences['allowRunningInsecureContent'] ?? false).toBe(false);
  });
  it('9 no experimental features', () => {
    expect(preferences['experimentalFeatures'] ?? false).toBe(false);
    expect(built.main).not.toMatch(/appendSwitch|enable-(experimental|features|blink)/);
  });
  it('10 no Blink features', () => {
    expect(preferences['enableBlinkFeatures'] ?? '').toBe('');
  });
  it('11 no webview that may open windows: none at all', async () => {
    expect(await desk.page.locator('webview').count()).toBe(0);
    expect(built.pages).not.toMatch(/<webview|createElement\(["'`]webview|allowpopups/);
  });
  it('12 webviews are off, and one that is made is not attached', () => {
    expect(preferences['webviewTag'] ?? false).toBe(false);
    expect(built.main).toMatch(/"will-attach-webview", \((\w+)\) => \1\.preventDefault\(\)/);
  });
  it('13 no navigation', async () => {
    await desk.page.evaluate(() => location.assign('https://example.com/'));
    await desk.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(new URL(desk.page.url()).host).toBe('desk');
  });
  it('14 no new windows', async () => {
    expect(await desk.page.evaluate(() => window.open('app://desk/'))).toBeNull();
    expect(await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });
  it('15 openExternal in one place only, behind its own check', () => {
    expect(times(built.main, /\bopenExternal\(/)).toBe(1);
    expect(built.main).toMatch(/if \(mayOpen\((\w+)\)\) \w+\.shell\.openExternal\(\1\)/);
    expect(built.main).not.toMatch(/\bshell\.(openPath|showItemInFolder|beep|trashItem)|openPath\(/);
  });
  it('16 the Electron that is shipped is the one of the lock file, and a whole version', () => {
    const config = /^electronVersion: (.*)$/m.exec(read('electron-builder.yml'))?.[1];
    const lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });
    expect(config).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.parse(JSON.parse(read('package-lock.json'))).packages['node_modules/electron']?.version).toBe(config);
  });
  it('17 one message is listened to, and its sender looked at', async () => {
    const names = await desk.app.evaluate(({ ipcMain }) => ipcMain.eventNames().map(String));
    // The first is Electron's own.
    expect(names.filter((name) => name !== 'error')).toEqual([doorName]);
    expect(built.main).not.toMatch(/ipcMain\.(handle|once|handleOnce)\(/);
    for (const check of [/\.sender !== page/, /senderFrame !== page\.mainFrame/, /senderFrame\.origin !== /])
      expect(built.main).toMatch(check);
  });
  it('18 no file:// page', () => {
    expect(new URL(desk.page.url()).protocol).toBe('app:');
    expect(built.main).not.toMatch(/loadFile\(|["'`]file:\/\//);
  });
  it('19 fuses', () => {
    const lines = read('electron-builder.yml').match(/^ {2}\w+: (true|false)$/gm) ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        '  runAsNode: false',
        '  enableNodeOptionsEnvironmentVariable: false',
        '  enableNodeCliInspectArguments: false',
        '  enableCookieEncryption: true',
        '  enableEmbeddedAsarIntegrityValidation: true',
        '  onlyLoadAppFromAsar: true',
        '  grantFileProtocolExtraPrivileges: false',
      ]),
    );
  });
  it('20 nothing of Electron is in the page', async () => {
    expect(built.preload).not.toMatch(/contextBridge|exposeInMainWorld/);
    expect(times(built.preload, /ipcRenderer\.\w+\(/)).toBe(1);
    const found = await desk.page.evaluate(() =>
      Object.getOwnPropertyNames(window).filter((name) => /electron|ipc|bridge|^desk/i.test(name)),
    );
    expect(found).toEqual([]);
  });
});
