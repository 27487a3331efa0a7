// `npm start` on a machine without a display, as a person runs it: the desk in the browser, its address, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { leftAfter, temporaryDesk } from './deskProgram.ts';
import { openInBrowser, serveDesk } from './screen.ts';

const script = path.resolve(import.meta.dirname, '../main/start.ts');
const rail = '[aria-label="Screens"]';
let own = temporaryDesk();
afterEach(() => {
  own.remove();
  own = temporaryDesk();
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [script, '--data', own.data, '--no-fetch', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${path.join(own.data, 'bin')}:${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    },
  });
  let said = '';
  const address = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /http:\S+/.exec(said)?.[0];
        if (found !== undefined) resolve(found);
      });
  });
  return { child, address, said: () => said, ended: once(child, 'close') };
}

describe.skipIf(process.platform !== 'linux')('npm start without a display', () => {
  it('says that it is the browser and why, serves until Ctrl-C, and leaves nothing', async () => {
    const { child, address, said, ended } = start();
    expect((await fetch(await address)).status).toBe(200);
    expect(said()).toContain('The desk opens in the browser: there is no display here.');
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(0);
    expect(await leftAfter(own.data)).toEqual([]);
  });

  it('refuses what is no port', async () => {
    const { child, said, ended } = start('--port', '99999');
    await ended;
    expect([child.exitCode, said().trim()]).toEqual([2, '"99999" is no port: name one from 1 to 65535.']);
  });

  it('a second one uses the host of the first, and becomes it when the first ends', async () => {
    const first = await serveDesk(own.data);
    const second = await openInBrowser(own.data);
    await second.page.waitForSelector(rail);
    await first.close();
    await expect.poll(() => people(second.page)).toBe(3);
    await second.close();
    expect(await leftAfter(own.data)).toEqual([]);
  });
});

/** How many people the host lists on a line of its own; 0 where there is none now. */
function people(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const line = new WebSocket(`${location.origin.replace('http', 'ws')}/desk`);
        line.onopen = () => line.send(JSON.stringify({ id: 1, route: 'people.list', params: {} }));
        line.onclose = () => resolve(0);
        line.onmessage = ({ data }: MessageEvent<string>) => {
          resolve((JSON.parse(data) as { value?: unknown[] }).value?.length ?? 0);
          line.close();
        };
      }),
  );
}
