// The installed app: packed as `npm run pack` does, with the Electron of the tests in the place of the real one. Fuses are
// set, Node 24 is beside it, and a host that was changed is not started (spec trust, layout "Processes").
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftAfter, processesWith, temporaryDesk } from './deskProgram.ts';
import { electronRuntime } from './electronRuntime.ts';
import { screen } from './screen.ts';

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
    for (const { pid } of processesWith(own.data)) process.kill(pid, 'SIGKILL');
    await leftAfter(own.data);
    own.remove();
  });

  async function start() {
    const child = spawn(program, ['--no-sandbox', '--remote-debugging-port=0', `--data=${own.data}`, '--no-fetch'], {
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
    const { child, says } = await start();
    const debugging = new URL((await says(/DevTools listening on ws:\S+/)).replace(/.* /, '')).host;
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

/** An expression's value in the window's page. Playwright cannot connect here: the fuses took the inspector of Node. */
async function ask(debugging: string, expression: string): Promise<unknown> {
  const response = await fetch(`http://${debugging}/json/list`);
  const pages = (await response.json()) as { type: string; webSocketDebuggerUrl: string }[]; // Chromium's own list
  const page = pages.find(({ type }) => type === 'page');
  if (page === undefined) return undefined;
  const line = new WebSocket(page.webSocketDebuggerUrl);
  try {
    await once(line, 'open');
    line.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
    const [{ data }] = (await once(line, 'message')) as [{ data: string }];
    return (JSON.parse(data) as { result?: { result?: { value?: unknown } } }).result?.result?.value;
  } finally {
    line.close();
  }
}
async function shows(debugging: string, expression: string): Promise<void> {
  const until = performance.now() + 60_000;
  while ((await ask(debugging, expression)) !== true) {
    if (performance.now() > until) throw new Error(`The window does not come to: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
