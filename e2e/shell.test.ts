// The shells of the window: each line of spec trust, "Electron, on top" and "In the browser mode", in a real window and a
// real browser. What needs no browser stands in main/web.test.ts and app/hostProcess.test.ts.
import { once } from 'node:events';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doorName } from '../app/doorName.ts';
import { leftAfter, processesWith, temporaryDesk } from './deskProgram.ts';
import { electronRuntime } from './electronRuntime.ts';
import { openInBrowser, openInWindow, screen, type BrowserDesk, type WindowDesk } from './screen.ts';

const rail = '[aria-label="Screens"]';
const ready = 60_000;
const nobody = 65_534;

/** What the page cannot do, the same in both shells; asked in the page. */
async function tries(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const outcome: Record<string, string> = {};
    async function attempt(name: string, act: () => unknown): Promise<void> {
      try {
        outcome[name] = String(await act());
      } catch (error) {
        outcome[name] = error instanceof Error ? error.name : 'thrown';
      }
    }
    await attempt('markup', () => (document.createElement('div').innerHTML = '<b>x</b>'));
    await attempt('network', () => fetch('https://example.com/'));
    await attempt('file', () => fetch('file:///etc/passwd'));
    await attempt('frame', () => {
      const frame = document.createElement('iframe');
      frame.src = 'https://example.com/';
      return new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => {
          if (event.effectiveDirective === 'frame-src') resolve('blocked');
        });
        setTimeout(() => resolve('not blocked'), 30_000);
        document.body.append(frame);
      });
    });
    await attempt('style', () => {
      const style = document.createElement('style');
      style.textContent = 'body { outline: 9px solid red }';
      document.head.append(style);
      return getComputedStyle(document.body).outlineStyle;
    });
    await attempt('policy', () => {
      // Not among the types of TypeScript.
      const factory = Reflect.get(window, 'trustedTypes') as { createPolicy: (name: string, rules: object) => object };
      return factory.createPolicy('own', { createHTML: String });
    });
    await attempt('eval', () => Reflect.apply(eval, null, ['1 + 1']));
    await attempt('script', () => (document.createElement('script').src = 'https://example.com/x.js'));
    await attempt('worker', () => new Worker('blob:x'));
    await attempt('font', () => new FontFace('x', 'url(data:font/woff2;base64,AAAA)').load());
    await attempt('media', () => {
      const sound = document.createElement('audio');
      sound.src = 'https://example.com/x.mp3';
      return new Promise((resolve) => (sound.onerror = () => resolve('not loaded')));
    });
    await attempt('base', () => {
      const base = document.createElement('base');
      base.href = 'https://example.com/';
      document.head.append(base);
      return document.baseURI === location.href;
    });
    await attempt('form', () => {
      const form = document.createElement('form');
      form.action = 'https://example.com/';
      document.body.append(form);
      return new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => {
          if (event.effectiveDirective === 'form-action') resolve('blocked');
        });
        setTimeout(() => resolve('sent'), 30_000);
        form.submit();
      });
    });
    await attempt('image', async () => {
      const image = new Image();
      const failed = new Promise((resolve) => (image.onerror = () => resolve('not loaded')));
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
      return failed;
    });
    outcome['violated'] = [...new Set(violated)].sort().join(' ');
    outcome['node'] = [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')].join(' ');
    return outcome;
  });
}
/** One thing after another that a line of the policy refuses, each by that line alone; those that it let through. */
async function letThrough(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const made: Element[] = [];
    function add<Name extends keyof HTMLElementTagNameMap>(
      name: Name,
      its: Partial<HTMLElementTagNameMap[Name]>,
    ): void {
      const one = Object.assign(document.createElement(name), its);
      made.push(one);
      document.body.append(one);
    }
    const style = (): HTMLElement => document.body.appendChild(document.createElement('i'));
    const data = 'data:text/plain,x';
    const there = (name: string): string => `https://example.com/${name}`;
    const own = (name: string): string => `${location.origin}/${name}`;
    // The directive, what the report of it names, and what brings it.
    const attempts: [string, string, () => unknown][] = [
      ['script-src-elem', there('script'), () => add('link', { rel: 'modulepreload', href: there('script') })],
      ['script-src-elem', 'data', () => add('link', { rel: 'modulepreload', href: 'data:text/javascript,0' })],
      ['script-src-elem', 'inline', () => Object.assign(document.createElement('a'), { href: 'javascript:0' }).click()],
      ['script-src', 'wasm-eval', () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))],
      ['style-src-elem', there('style'), () => add('link', { rel: 'stylesheet', href: there('style') })],
      ['style-src-elem', 'data', () => add('link', { rel: 'stylesheet', href: 'data:text/css,' })],
      ['style-src-elem', 'inline', () => add('style', { textContent: 'i { color: red }' })],
      ['style-src-attr', 'inline', () => style().setAttribute('style', 'color: red')],
      ['img-src', there('image'), () => add('img', { src: there('image') })],
      ['img-src', 'data', () => add('img', { src: data })],
      ['font-src', there('font'), () => new FontFace('x', `url(${there('font')})`).load()],
      ['font-src', 'data', () => new FontFace('x', `url(${data})`).load()],
      ['connect-src', there('fetch'), () => fetch(there('fetch'))],
      ['connect-src', 'data', () => fetch(data)],
      ['connect-src', 'wss://example.com/line', () => new WebSocket('wss://example.com/line')],
      ['connect-src', there('beacon'), () => navigator.sendBeacon(there('beacon'))],
      // What no other line names, also of its own: default-src.
      ['media-src', own('sound'), () => add('audio', { src: own('sound') })],
      ['media-src', there('sound'), () => add('audio', { src: there('sound') })],
      ['frame-src', own('frame'), () => add('iframe', { src: own('frame') })],
      ['frame-src', there('frame'), () => add('iframe', { src: there('frame') })],
    ];
    const through: string[] = [];
    for (const [directive, blocked, act] of attempts) {
      const refused = new Promise<boolean>((resolve) => {
        document.addEventListener('securitypolicyviolation', function look(event) {
          // Of a frame the report names the origin, of other schemes than http the scheme.
          if (event.effectiveDirective !== directive || !blocked.startsWith(event.blockedURI)) return;
          document.removeEventListener('securitypolicyviolation', look);
          resolve(true);
        });
        setTimeout(() => resolve(false), 30_000);
      });
      try {
        void Promise.resolve(act()).catch(() => undefined);
      } catch {
        // It threw: the report says by which line.
      }
      if (!(await refused)) through.push(`${directive} ${blocked}`);
    }
    for (const one of made) one.remove();
    return through;
  });
}
const nothingDone = {
  markup: 'TypeError',
  policy: 'TypeError',
  eval: 'EvalError',
  script: 'TypeError',
  worker: 'TypeError',
  font: 'NetworkError',
  media: 'not loaded',
  base: 'true',
  form: 'blocked',
  network: 'TypeError',
  file: 'TypeError',
  frame: 'blocked',
  style: 'none',
  image: 'not loaded',
  violated:
    'base-uri connect-src font-src form-action frame-src img-src media-src require-trusted-types-for style-src-elem trusted-types',
  node: 'undefined undefined',
};

describe.skipIf(process.platform !== 'linux')('in the browser mode (spec trust)', () => {
  const own = temporaryDesk();
  let desk: BrowserDesk;
  beforeAll(async () => {
    desk = await openInBrowser(own.data);
  });
  afterAll(async () => {
    await desk.close();
    own.remove();
  });

  it('the token leaves the address at once; a reload needs none', async () => {
    await desk.page.waitForSelector(rail, { timeout: ready });
    expect(desk.page.url()).not.toMatch(/[0-9a-f]{64}/);
    await desk.page.reload();
    await desk.page.waitForSelector(rail, { timeout: ready });
    expect(await desk.page.getByText('Not signed in').count()).toBe(0);
    expect(await desk.page.evaluate(() => document.cookie)).toBe('');
  });

  it('an address that was opened before shows nothing of the desk, and says what to do', async () => {
    const spent = await desk.link();
    const browser = desk.page.context().browser();
    const [first, second] = [await browser?.newContext(), await browser?.newContext()];
    for (const context of [first, second]) await (await context?.newPage())?.goto(spent);
    await second?.pages()[0]?.getByText('good once, for a minute').waitFor({ timeout: ready });
    expect(await first?.pages()[0]?.getByText('Not signed in').count()).toBe(0);
    // A newer address in the same tab signs in.
    await second?.pages()[0]?.goto(await desk.link());
    await second?.pages()[0]?.getByText('Not signed in').waitFor({ state: 'detached', timeout: ready });
    await first?.close();
    await second?.close();
  });

  it('two tabs are two connections', async () => {
    const second = await desk.page.context().newPage();
    await second.goto(desk.origin);
    await second.waitForSelector(rail, { timeout: ready });
    expect(await second.getByText('Not signed in').count()).toBe(0);
    await second.close();
    expect(await desk.page.getByText('Connection lost').count()).toBe(0);
  });

  it('a page of another origin opens no line, with the cookie or without', async () => {
    const stranger = await desk.page.context().newPage();
    await stranger.route('http://evil.example/', (route) => route.fulfill({ contentType: 'text/html', body: 'x' }));
    await stranger.goto('http://evil.example/');
    const outcome = await stranger.evaluate(
      (url) =>
        new Promise((resolve) => {
          const line = new WebSocket(url);
          line.onopen = () => resolve('open');
          line.onerror = () => resolve('refused');
        }),
      `${desk.origin.replace('http', 'ws')}/desk`,
    );
    expect(outcome).toBe('refused');
    await stranger.close();
  });

  it('the policy of the page holds (no markup, network, frames, styles, images of others)', async () => {
    const page = await desk.another();
    await page.waitForSelector(rail, { timeout: ready });
    expect(await tries(page)).toEqual(nothingDone);
    expect(await letThrough(page)).toEqual([]);
    await page.context().close();
  });

  it('what the page itself does breaks no line of the policy', async () => {
    const page = await desk.another();
    const broken: string[] = [];
    page.on(
      'console',
      (message) => /Content Security Policy|TrustedHTML/.test(message.text()) && broken.push(message.text()),
    );
    await page.reload();
    await page.waitForSelector(rail, { timeout: ready });
    for (const entry of await page.locator(`${rail} button`).all()) await entry.click();
    expect(broken).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(process.platform !== 'linux')('the window (spec trust, "Electron, on top")', () => {
  const own = temporaryDesk();
  let desk: WindowDesk;
  beforeAll(async () => {
    desk = await openInWindow(own.data);
    await desk.page.waitForSelector(rail, { timeout: ready });
    expect(await opened()).toEqual([]);
  });
  afterAll(async () => {
    await desk.close();
    const left = await leftAfter(own.data);
    own.remove();
    expect(left).toEqual([]);
  });

  /** Addresses the shell handed to the system; from here on they only stand in a list. */
  function opened(): Promise<string[]> {
    return desk.app.evaluate(({ shell }) => {
      const list = (Reflect.get(globalThis, 'opened') as string[] | undefined) ?? []; // made below
      Reflect.set(globalThis, 'opened', list);
      Reflect.set(shell, 'openExternal', (url: string) => Promise.resolve(void list.push(url)));
      return list;
    });
  }
  /**
   * Asks for a line as the page does, with something wrong, and then for the host's check; what comes back, or `silent` where
   * nothing did for so long (ms).
   */
  function knock(wrong: string, patience = 2_000): Promise<string> {
    return desk.app.evaluate(
      ({ BrowserWindow, ipcMain, MessageChannelMain }, { wrong, door, patience }) => {
        const page = BrowserWindow.getAllWindows()[0]?.webContents;
        const { port1, port2 } = new MessageChannelMain();
        const asked: Record<string, unknown> = { sender: page, senderFrame: page?.mainFrame, ports: [port1] };
        if (wrong === 'window') asked['sender'] = { mainFrame: page?.mainFrame };
        if (wrong === 'frame') asked['senderFrame'] = { origin: 'app://desk' };
        if (wrong === 'no port') asked['ports'] = [];
        return new Promise<string>((resolve) => {
          port2.on('message', ({ data }) => {
            port2.close();
            resolve(String(data));
          });
          port2.start();
          port2.postMessage(JSON.stringify({ id: 1, route: 'doctor.check', params: {} }));
          setTimeout(() => resolve('silent'), patience);
          ipcMain.emit(door, asked, ...(wrong === 'message' ? ['x'] : wrong === 'more' ? [null, null] : [null]));
        });
      },
      { wrong, door: doorName, patience },
    );
  }
  function host(): number {
    const found = processesWith(own.data).find(({ command }) => command.includes('windowHost.ts'));
    if (found === undefined) throw new Error('No host runs');
    return found.pid;
  }

  it('is on app://desk, sandboxed, isolated, without Node and webviews', async () => {
    expect(desk.page.url()).toBe('app://desk/');
    const preferences = await desk.app.evaluate(({ BrowserWindow }) =>
      // Electron does not list this method among its types.
      (
        BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): object }
      ).getLastWebPreferences(),
    );
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
    });
    expect(preferences).not.toMatchObject({ webviewTag: true });
    expect(preferences).not.toMatchObject({ nodeIntegrationInSubFrames: true });
  });

  it('the policy of the page holds (CSP, Trusted Types, no Node)', async () => {
    expect(await tries(desk.page)).toEqual(nothingDone);
    expect(await letThrough(desk.page)).toEqual([]);
  });

  it('the path of a page is checked strictly', async () => {
    const statuses = await desk.app.evaluate(async ({ net }) => {
      const targets = [
        '',
        'index.html',
        '../package.json',
        '%2e%2e/package.json',
        '..%2f..%2fpackage.json',
        '.git/config',
      ];
      const all = [...targets.map((target) => `app://desk/${target}`), 'app://other/index.html'];
      return Promise.all(
        all.map((url) =>
          net.fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );
    });
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    for (const status of statuses.slice(2)) expect([0, 404]).toContain(status);
  });

  it('no file and no network is loaded, whoever asks, also in a session of its own', async () => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.end('x');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const loaded = await desk.app.evaluate(async ({ BrowserWindow, session }, address) => {
      const outcome: string[] = [];
      for (const where of [session.defaultSession, session.fromPartition('elsewhere')])
        for (const url of ['file:///etc/passwd', address, 'data:text/html,x']) {
          const other = new BrowserWindow({ show: false, webPreferences: { session: where } });
          const happened = await other.loadURL(url).then(
            () => 'loaded',
            () => 'not',
          );
          outcome.push(happened);
          other.destroy();
        }
      return outcome;
    }, `http://127.0.0.1:${port}/`);
    server.close();
    expect(loaded).toEqual(['not', 'not', 'not', 'not', 'not', 'not']);
    expect(hits).toEqual([]);
  });

  it('no redirect is followed and no webview attached, whatever made the page', async () => {
    const seen = await desk.app.evaluate(async ({ BrowserWindow, session, webContents }) => {
      const where = session.fromPartition('redirecting');
      const asked: string[] = [];
      where.protocol.handle('app', ({ url }) => {
        asked.push(url);
        return url.endsWith('/start')
          ? new Response('', { status: 302, headers: { location: 'app://desk/landed' } })
          : new Response('<p>x</p>', { headers: { 'content-type': 'text/html' } });
      });
      const preferences = { session: where, webviewTag: true, sandbox: true };
      const other = new BrowserWindow({ show: false, webPreferences: preferences });
      await other.loadURL('app://desk/start').catch(() => undefined);
      const first = [...asked];
      await other.loadURL('app://desk/page');
      await other.webContents.executeJavaScript(`new Promise((resolve) => {
        const view = document.createElement('webview');
        view.src = 'app://desk/inside';
        document.body.append(view);
        setTimeout(resolve, 500);
      })`);
      const views = webContents.getAllWebContents().filter((one) => one.getType() === 'webview').length;
      other.destroy();
      return { first, all: asked, views };
    });
    expect(seen.first).toEqual(['app://desk/start']);
    expect(seen.all).not.toContain('app://desk/inside');
    expect(seen.views).toBe(0);
  });

  it('navigation and popups are denied', async () => {
    expect(await desk.page.evaluate(() => window.open('https://example.com/'))).toBeNull();
    expect(await desk.page.evaluate(() => window.open('app://desk/'))).toBeNull();
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'app://desk/assets/'])
      await desk.page.evaluate((to) => location.assign(to), url);
    await desk.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    // Also by a link: a plain click, in a new window, and with the middle button.
    await desk.page.evaluate(() => {
      const link = document.createElement('a');
      link.id = 'out';
      link.href = 'https://example.com/';
      link.textContent = 'out';
      link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99; background: white';
      document.body.append(link);
    });
    await desk.page.mouse.click(8, 8);
    await desk.page.mouse.click(8, 8, { button: 'middle' });
    await desk.page.keyboard.down('Shift');
    await desk.page.mouse.click(8, 8);
    await desk.page.keyboard.up('Shift');
    await desk.page.evaluate(() => document.querySelector('#out')?.remove());
    // Beside the place in the desk, which the address ends with.
    expect(desk.page.url().replace(/#.*/, '')).toBe('app://desk/');
    expect(await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    expect(await opened()).toEqual([]);
  });

  it('permissions are denied: request, check and device', async () => {
    const outcome = await desk.page.evaluate(async () => [
      (await navigator.permissions.query({ name: 'geolocation' })).state,
      await Notification.requestPermission(),
      await navigator.clipboard.readText().then(
        () => 'given',
        (error: unknown) => (error instanceof Error ? error.name : 'thrown'),
      ),
    ]);
    expect(outcome).toEqual(['denied', 'denied', 'NotAllowedError']);
  });

  it('the door opens to the main frame of the window only; a foreign page is refused and counted', async () => {
    const outcome = await desk.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        await other.loadURL('app://desk/');
        // A port that got no line stays silent.
        const said = (await other.webContents.executeJavaScript(`new Promise((resolve) => {
        addEventListener('message', ({ data, ports: [port] }) => {
          if (data !== 'desk-port') return;
          port.onmessage = ({ data }) => resolve(typeof data);
          port.postMessage(JSON.stringify({ id: 1, route: 'people.list', params: {} }));
          setTimeout(() => resolve('silent'), 1000);
        });
        postMessage('desk-wants-port', '*');
      })`)) as string;
        other.destroy();
        return said;
      },
      path.resolve(import.meta.dirname, '../.artifacts/app/preload.cjs'),
    );
    expect(outcome).toBe('silent');
    expect(await refusals(desk.page)).toBeGreaterThanOrEqual(1);
  });

  it('each thing the door looks at is looked at: window, main frame, message, port', async () => {
    const before = await refusals(desk.page);
    expect(await knock('nothing', ready)).toContain('refused since');
    const flaws = ['window', 'frame', 'no port', 'message', 'more'];
    expect(await Promise.all(flaws.map((wrong) => knock(wrong)))).toEqual(flaws.map(() => 'silent'));
    expect(await refusals(desk.page)).toBe(before + flaws.length);
  });

  it('one page has eight lines at most', async () => {
    const got = await desk.page.evaluate(async () => {
      const held: MessagePort[] = [];
      const answers = Array.from(
        { length: 12 },
        () =>
          new Promise<string>((resolve) => {
            addEventListener('message', function take({ data, ports: [port] }: MessageEvent<unknown>) {
              if (data !== 'desk-port' || port === undefined || held.includes(port)) return;
              removeEventListener('message', take);
              held.push(port);
              port.onmessage = () => resolve('line');
              port.postMessage('{"id":1,"route":"people.list","params":{}}');
              setTimeout(() => resolve('silent'), 10_000);
            });
          }),
      );
      for (let n = 0; n < 12; n++) postMessage('desk-wants-port', '*');
      const all = await Promise.all(answers);
      for (const port of held) port.close();
      return all.filter((one) => one === 'line').length;
    });
    expect(got).toBeGreaterThan(0);
    expect(got).toBeLessThan(8);
  });

  it('a malformed message is refused and counted; twenty end the line', async () => {
    const before = await refusals(desk.page);
    const got = await onLine(desk.page, [{ no: 'text' }, 7, '{{{', '{"id":1,"route":"no.such","params":{}}']);
    expect(got.slice(0, 4).map((text) => /"ok":false/.test(text))).toEqual([true, true, true, true]);
    expect(await refusals(desk.page)).toBe(before + 4);
    const flood = await onLine(
      desk.page,
      Array.from({ length: 30 }, () => '{{{'),
    );
    expect(flood.filter((text) => /"ok":false/.test(text))).toHaveLength(20);
    expect(flood.at(-1)).toContain('ended this line');
  });

  it('a reload of the page comes back to the same desk', async () => {
    const before = host();
    await desk.page.reload();
    await desk.page.waitForSelector(rail, { timeout: ready });
    expect(await refusals(desk.page)).toBeGreaterThan(0);
    expect(host()).toBe(before);
  });

  it('a host that is killed is started again, with a notice', async () => {
    const before = host();
    process.kill(before, 'SIGKILL');
    await desk.page.getByText('is being started again. What was done is kept.').waitFor({ timeout: ready });
    expect(await refusals(desk.page)).toBe(0);
    expect(host()).not.toBe(before);
  });

  it('a page that dies comes back', async () => {
    const again = desk.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const page = BrowserWindow.getAllWindows()[0]?.webContents;
          page?.once('did-finish-load', () => resolve());
          page?.forcefullyCrashRenderer();
        }),
    );
    await again;
    // Loaded, it is drawn a moment later.
    const shown = (): Promise<unknown> =>
      desk.app.evaluate(
        ({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            `document.querySelector('nav') !== null`,
          ) as unknown,
      );
    await expect.poll(shown).toBe(true);
  });

  it('the window’s own page gets no line while it is of another origin', async () => {
    const refusedIn = (text: string) => Number(/(\d+) refused since/.exec(text)?.[1] ?? NaN);
    const before = refusedIn(await knock('nothing', ready));
    await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.loadURL('about:blank'));
    expect(await knock('nothing')).toBe('silent');
    await desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.loadURL('app://desk/'));
    expect(refusedIn(await knock('nothing', ready))).toBeGreaterThan(before);
  });
});

describe.skipIf(process.platform !== 'linux')('the window as a program', () => {
  const own = temporaryDesk();
  afterAll(() => own.remove());

  // Root has no sandbox of the system, and an ordinary user must be able to read this checkout.
  it.runIf(process.getuid?.() === 0 && readableByAll())('its page is in the sandbox of the system (Seccomp 2)', () => {
    const home = path.join(own.folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    chmodSync(own.folder, 0o711);
    chownSync(home, nobody, nobody);
    const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    const probe = [process.execPath, path.resolve(import.meta.dirname, 'sandboxProbe.ts'), path.join(home, 'data')];
    const said = execFileSync('setpriv', [...user, ...probe], {
      encoding: 'utf8',
      timeout: 200_000,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home },
    });
    expect(said.trim()).toBe('2');
  });

  it('has the commands of the palette in its menus, is there once, and comes back where it was', async () => {
    const first = await openInWindow(own.data);
    await first.page.waitForSelector(rail, { timeout: ready });
    // Who acts is known: the page has its line, and takes what a menu says.
    await first.page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor({ timeout: ready });
    const ran = await first.app.evaluate(({ Menu }) => {
      Menu.getApplicationMenu()?.getMenuItemById('go.inbox')?.click();
      return Menu.getApplicationMenu()?.getMenuItemById('drafts.send')?.label;
    });
    expect(ran).toBe('Send the reply');
    await first.page.locator(`${rail} [aria-current="page"]`, { hasText: 'Inbox' }).waitFor({ timeout: ready });

    const second = spawn(
      path.join(electronRuntime() ?? '', 'electron'),
      ['--no-sandbox', path.resolve(import.meta.dirname, '..'), `--data=${own.data}`, '--no-fetch'],
      { env: { ...process.env, DISPLAY: await screen() }, stdio: 'ignore' },
    );
    const [code] = (await once(second, 'exit')) as [number];
    expect(code).toBe(0);
    expect(await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

    const place = { x: 60, y: 40, width: 1100, height: 720 };
    await first.app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place);
    await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await first.close();
    expect(await leftAfter(own.data)).toEqual([]);

    const next = await openInWindow(own.data);
    expect(await next.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())).toEqual(
      place,
    );
    await next.close();
  });
});

function readableByAll(): boolean {
  const folders = path.resolve(import.meta.dirname).split(path.sep);
  return folders.every((_, n) => (statSync(folders.slice(0, n + 1).join(path.sep) || path.sep).mode & 0o005) === 0o005);
}
/** Messages the host refused so far, as its own check says. */
async function refusals(page: Page): Promise<number> {
  const [text = ''] = await onLine(page, [JSON.stringify({ id: 1, route: 'doctor.check', params: {} })], 1);
  return Number(/(\d+) refused since/.exec(text)?.[1] ?? NaN);
}
/** A line of its own: what comes back on it, until `most` texts or its end. */
async function onLine(page: Page, messages: unknown[], most = messages.length): Promise<string[]> {
  return page.evaluate(
    ({ messages, most }) =>
      new Promise<string[]>((resolve) => {
        const got: string[] = [];
        function take({ data, ports: [port], source }: MessageEvent<unknown>): void {
          if (data !== 'desk-port' || source !== window || port === undefined) return;
          removeEventListener('message', take);
          port.onmessage = (event) => {
            const ended = typeof event.data !== 'string';
            got.push(ended ? JSON.stringify(event.data) : event.data);
            if (!ended && got.length < most) return;
            port.close();
            resolve(got);
          };
          for (const one of messages) port.postMessage(one);
        }
        addEventListener('message', take);
        postMessage('desk-wants-port', '*');
      }),
    { messages, most },
  );
}
