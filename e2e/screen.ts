// The desk as a person sees it, for end-to-end tests: in a real browser on the browser mode, and in a real window of
// Electron. Each on a data folder of its own; whoever opens one closes it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  _electron,
  chromium as playwright,
  type BrowserContextOptions,
  type ElectronApplication,
  type Page,
} from 'playwright-core';
import { electronRuntime } from './electronRuntime.ts';
import { chromium, screenMs, signIn } from './screenTools.ts';

const root = path.resolve(import.meta.dirname, '..');

export interface DeskServer {
  /** http://127.0.0.1:PORT */
  origin: string;
  /** An address with a start token that was not used. */
  link: () => Promise<string>;
  pid: number;
  close: () => Promise<void>;
}

/** The desk in browser mode on a data folder, without a browser. The folder may be of `temporaryDesk`. */
export async function serveDesk(data: string, ...args: string[]): Promise<DeskServer> {
  const child = spawn(
    process.execPath,
    [path.join(root, 'main/start.ts'), '--browser', '--no-open', '--no-fetch', '--data', data, ...args],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${path.join(data, 'bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' },
    },
  );
  const links: string[] = [];
  const waiting: ((link: string) => void)[] = [];
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const link of text.match(/http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]{64}/g) ?? []) {
      const wanted = waiting.shift();
      if (wanted === undefined) links.push(link);
      else wanted(link);
    }
  });
  const ended = once(child, 'close');
  async function link(): Promise<string> {
    const there = links.shift();
    if (there !== undefined) return there;
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.push(resolve);
    return Promise.race([
      promise,
      ended.then(() => {
        throw new Error(`The desk ended:\n${output}`);
      }),
    ]);
  }
  const first = await link();
  links.push(first);
  return {
    origin: new URL(first).origin,
    link: async () => {
      if (links.length === 0) child.stdin.write('\n');
      return link();
    },
    pid: child.pid ?? 0,
    close: () => end(child, ended),
  };
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), 8_000);
  await ended;
  clearTimeout(cut);
}

export interface BrowserDesk extends DeskServer {
  page: Page;
  /** Another browser with nothing kept, on an address of its own. */
  another: (options?: BrowserContextOptions) => Promise<Page>;
}

/** The desk in Chromium, signed in by the start token. */
export async function openInBrowser(data: string, options: BrowserContextOptions = {}): Promise<BrowserDesk> {
  const desk = await serveDesk(data);
  const browser = await playwright.launch({ executablePath: chromium });
  async function another(given: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...given });
    context.setDefaultTimeout(screenMs);
    const page = await context.newPage();
    await signIn(page, await desk.link());
    return page;
  }
  return {
    ...desk,
    page: await another(options),
    another,
    async close() {
      await browser.close();
      await desk.close();
    },
  };
}

export interface WindowDesk {
  app: ElectronApplication;
  page: Page;
  close: () => Promise<void>;
}

/** The desk in its window, by the Electron of the tests. `sandbox`: the system's, which root has not. */
export async function openInWindow(data: string, { sandbox = false } = {}): Promise<WindowDesk> {
  const runtime = electronRuntime();
  if (runtime === null) throw new Error('There is no Electron for tests on this platform.');
  const display = await screen();
  const { app, page } = await launched({
    executablePath: path.join(runtime, 'electron'),
    // Its drawing in software from the first moment: the change to it after a failed start of the GPU's is not survived by all.
    args: [root, `--data=${data}`, '--no-fetch', '--use-gl=angle', '--use-angle=swiftshader'],
    chromiumSandbox: sandbox,
    env: { ...environment(), PATH: `${path.join(data, 'bin')}:${process.env['PATH'] ?? ''}`, DISPLAY: display },
    timeout: 60_000,
  });
  return { app, page, close: () => app.close() };
}

/**
 * Starts an Electron that paints. This old one now and then stops while it starts beside a running Chromium (1 of 50 on two
 * cores): its debugger never answers, or no frame is ever drawn. Such a one is ended and another started; whether the desk
 * comes up in it is for the tests to find.
 */
async function launched(
  options: Parameters<typeof _electron.launch>[0] & { timeout: number },
): Promise<{ app: ElectronApplication; page: Page }> {
  for (let tries = 1; ; tries++) {
    let app: ElectronApplication | null = null;
    try {
      app = await _electron.launch(options);
      const page = await app.firstWindow(options);
      page.setDefaultTimeout(screenMs);
      await page.waitForFunction(() => true, undefined, { polling: 'raf', timeout: options.timeout });
      return { app, page };
    } catch (error) {
      app?.process().kill('SIGKILL');
      if (tries === 3) throw error;
      console.error(`The Electron of the tests did not come up (${String(error).split('\n', 1)[0] ?? ''}); again …`);
    }
  }
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

let display: Promise<string> | null = null;
/** The X server of this test process; it ends with it. */
export function screen(): Promise<string> {
  display ??= startScreen();
  return display;
}
async function startScreen(): Promise<string> {
  // It ends with this process, however that ends.
  const own = ['--pdeathsig', 'KILL', 'Xvfb'];
  const server = spawn('setpriv', [...own, '-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const numbers = server.stdio[3];
  if (numbers === null || numbers === undefined) throw new Error('Xvfb has no fourth channel');
  const [number] = (await once(numbers, 'data')) as [Buffer]; // one line with the number it chose
  server.unref();
  return `:${number.toString('utf8').trim()}`;
}
