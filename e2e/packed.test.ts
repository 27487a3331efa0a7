// The installed app: packed as `npm run pack` does, with the Electron of the tests in the place of the real one. Fuses are
// set, Node 24 is beside it, and a host that was changed is not started (spec trust, layout "Processes").
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killWith, leftAfter, processesWith, temporaryDesk } from './deskProgram.ts';
import { electronRuntime } from './electronRuntime.ts';
import { screen } from './screen.ts';
import { screenMs } from './screenTools.ts';

const root = path.resolve(import.meta.dirname, '..');

describe.skipIf(process.platform !== 'linux')('the packed app', () => {
  const own = temporaryDesk();
  const output = path.join(own.folder, 'packed');
  const program = path.join(output, 'linux-unpacked', 'desk');

  beforeAll(async () => {
    const runtime = path.join(own.folder, 'electron');
    cpSync(electronRuntime() ?? '', runtime, { recursive: true });
    rmSync(path.join(runtime, 'resources', 'default_app.asar'), { recursive: true });
    addFilesFuse(path.join(runtime, 'electron'));
    const config = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')
      .replace(/electronVersion: .*/, `electronVersion: 25.1.1\nelectronDist: ${runtime}`)
      .replace('output: dist', `output: ${output}`);
    const file = path.join(own.folder, 'builder.yml');
    writeFileSync(file, config);
    await promisify(execFile)(process.execPath, [path.join(root, 'app/pack.ts'), '--linux', 'dir', '--config', file]);
  });
  afterAll(async () => {
    killWith(own.data);
    await leftAfter(own.data);
    own.remove();
  });

  async function start() {
    // Its drawing in software from the first moment, as in screen.ts.
    const drawing = ['--use-gl=angle', '--use-angle=swiftshader'];
    const args = ['--no-sandbox', '--remote-debugging-port=0', `--data=${own.data}`, '--no-fetch', ...drawing];
    const child = spawn(program, args, {
      env: { ...process.env, DISPLAY: await screen(), PATH: `${own.data}/bin:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    const waiting = new Set<() => void>();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      for (const look of waiting) look();
    });
    return {
      child,
      says: (words: RegExp) =>
        new Promise<string>((resolve, reject) => {
          function look(): void {
            const found = words.exec(said);
            if (found !== null) resolve(found[0]);
          }
          waiting.add(look);
          child.once('exit', () => reject(new Error(`The app ended:\n${said}`)));
          look();
        }),
    };
  }

  /** Started until it paints, three times at most, as in screen.ts. What it shows is for the test to find. */
  async function launched(): Promise<{ child: ChildProcess; debugging: string }> {
    for (let tries = 1; ; tries++) {
      const { child, says } = await start();
      try {
        const late = AbortSignal.timeout(screenMs);
        const listening = await Promise.race([says(/DevTools listening on ws:\S+(?=\s)/), once(late, 'abort')]);
        late.throwIfAborted();
        const debugging = new URL(String(listening).replace(/.* /, '')).host;
        await shows(debugging, 'new Promise((done) => requestAnimationFrame(() => done(true)))');
        return { child, debugging };
      } catch (error) {
        killWith(own.data);
        await leftAfter(own.data);
        if (tries === 3) throw error;
        console.error(`The packed app did not come up (${String(error).split('\n', 1)[0] ?? ''}); again …`);
      }
    }
  }

  it('has the seven fuses of the list (spec trust, "Electron, on top")', () => {
    const tool = path.join(root, 'node_modules/.bin/electron-fuses');
    const said = execFileSync(tool, ['read', '--app', program], { encoding: 'utf8' });
    const read = [...said.matchAll(/^\s*(\w+) is (\w+)/gm)].map(([, name, state]) => [name, state] as const);
    expect(Object.fromEntries(read)).toMatchObject({
      RunAsNode: 'Disabled',
      EnableNodeOptionsEnvironmentVariable: 'Disabled',
      EnableNodeCliInspectArguments: 'Disabled',
      EnableCookieEncryption: 'Enabled',
      EnableEmbeddedAsarIntegrityValidation: 'Enabled',
      OnlyLoadAppFromAsar: 'Enabled',
      GrantFileProtocolExtraPrivileges: 'Disabled',
    });
  });

  it('opens the desk, with its own Node and host', async () => {
    const { child, debugging } = await launched();
    await shows(debugging, 'document.querySelector(\'[aria-label="Screens"]\') !== null');
    expect(await ask(debugging, 'location.origin')).toBe('app://desk');
    const host = processesWith(own.data).find(({ command }) => command.includes('windowHost.ts'));
    expect(host?.command).toContain(path.join(output, 'linux-unpacked/resources/node/node'));
    expect(host?.command).toContain('app.asar.unpacked/main/windowHost.ts');
    child.kill('SIGTERM');
    expect(await leftAfter(own.data)).toEqual([]);
  });

  it('does not start a host that was changed', async () => {
    const changed = path.join(output, 'linux-unpacked/resources/app.asar.unpacked/main/gate.ts');
    appendFileSync(changed, '\n');
    const { child, says } = await start();
    expect(await says(/\S+ is not the file this desk was built with/)).toContain(changed);
    expect(processesWith(own.data).filter(({ command }) => command.includes('windowHost.ts'))).toEqual([]);
    child.kill('SIGKILL');
  });
});

/**
 * The Electron of the tests has seven fuses; the eighth, of files' privileges, came later and is on where nobody turns it off.
 * Its place behind the others, which this Electron never reads, is made, so that packing sets it as in the real one.
 */
function addFilesFuse(electron: string): void {
  const program = readFileSync(electron);
  const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
  const wire = program.indexOf(sentinel) + sentinel.length;
  // The version, how many there are, a character each; zeros up to what follows.
  expect([...program.subarray(wire, wire + 2), program[wire + 9]]).toEqual([1, 7, 0]);
  program[wire + 1] = 8;
  program.write('1', wire + 9, 'latin1');
  writeFileSync(electron, program);
}

/**
 * An expression's value, or what it promises, in the window's page. Playwright cannot connect here: the fuses took the
 * inspector of Node.
 */
async function ask(debugging: string, expression: string): Promise<unknown> {
  const signal = AbortSignal.timeout(screenMs);
  const response = await fetch(`http://${debugging}/json/list`, { signal });
  const pages = (await response.json()) as { type: string; webSocketDebuggerUrl: string }[]; // Chromium's own list
  const page = pages.find(({ type }) => type === 'page');
  if (page === undefined) return undefined;
  const line = new WebSocket(page.webSocketDebuggerUrl);
  try {
    await once(line, 'open', { signal });
    line.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, awaitPromise: true } }));
    const message = once(line, 'message', { signal }) as Promise<[{ data: string }]>;
    // The page may be closed meanwhile.
    const closed = once(line, 'close', { signal }).then(() => [{ data: '{}' }] as const);
    const [{ data }] = await Promise.race([message, closed]);
    return (JSON.parse(data) as { result?: { result?: { value?: unknown } } }).result?.result?.value;
  } finally {
    line.close();
  }
}
async function shows(debugging: string, expression: string): Promise<void> {
  const until = performance.now() + screenMs;
  while ((await ask(debugging, expression)) !== true) {
    if (performance.now() > until) throw new Error(`The window does not come to: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
