import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { ShellSays } from '../shared/shell.ts';
import { hostEnvironment, startHost, type HostProcess } from './hostProcess.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-shell-'));
let host: HostProcess | null = null;
afterEach(() => {
  vi.useRealTimers();
  return host?.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A host of a few lines: it says its environment, ends when it is told to, or cannot start. */
function script(name: string, text: string): string {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}
const echo = script(
  'echo',
  `process.on('message', ({ line, text }) => {
    if (text === 'exit') process.exit(7);
    if (text !== undefined) process.send({ line, text: text === 'args' ? process.argv.slice(2).join() : text });
  });
  process.on('disconnect', () => process.exit(0));`,
);

function begin(file: string, more: Partial<Parameters<typeof startHost>[0]> = {}) {
  const over = Promise.withResolvers<string>();
  const starts = { count: 0, waiting: [] as (() => void)[] };
  host = startHost({
    node: process.execPath,
    script: file,
    data: '/data',
    fetches: false,
    secrets: null,
    pause: 1,
    patience: 300,
    openUrl: () => undefined,
    over: over.resolve,
    started() {
      starts.count++;
      for (const go of starts.waiting.splice(0)) go();
    },
    ...more,
  });
  return { host, over: over.promise, starts, nextStart: () => new Promise<void>((go) => starts.waiting.push(go)) };
}
function lineTo(to: HostProcess) {
  const texts: string[] = [];
  const gone = Promise.withResolvers<ShellSays | null>();
  const text = Promise.withResolvers<string>();
  const line = to.open({
    text(one) {
      texts.push(one);
      text.resolve(one);
    },
    gone: gone.resolve,
  });
  if (line === null) throw new Error('There is no host');
  return { line, text: text.promise, gone: gone.promise };
}

describe('the host of the window', () => {
  it('gets the texts of each line and the data folder, and answers on that line', async () => {
    const { host } = begin(echo, { fetches: true });
    const [one, other] = [lineTo(host), lineTo(host)];
    one.line.send('first');
    other.line.send('args');
    expect([await one.text, await other.text]).toEqual(['first', '/data,fetch']);
  });

  it('that ends by itself is started again; its pages are told', async () => {
    const { host, nextStart } = begin(echo);
    const { line, gone } = lineTo(host);
    const again = nextStart();
    line.send('exit');
    expect(await gone).toMatchObject({
      gone: expect.stringContaining('is being started again') as string,
      again: true,
    });
    expect(host.open({ text: () => undefined, gone: () => undefined })).toBeNull();
    await again;
    const next = lineTo(host);
    next.line.send('here');
    expect(await next.text).toBe('here');
  });

  it('is given up after five restarts in ten minutes, until a person wants it again', async () => {
    const { host, over, starts, nextStart } = begin(script('ends', 'process.exit(3)'));
    expect(await over).toContain('does not run');
    expect(starts.count).toBe(6);
    const again = nextStart();
    host.retry();
    await again;
    expect(starts.count).toBe(7);
  });

  it('that cannot start is not tried again: its reason is shown', async () => {
    const file = script('fails', `process.send({ failed: 'The database is newer.' }, () => process.exit(1));`);
    const { over, starts } = begin(file);
    expect(await over).toBe("The desk's host does not run: The database is newer.");
    expect(starts.count).toBe(1);
  });

  it('asks the key store it was lent, and hears where there is none', async () => {
    const asks = script(
      'asks',
      `process.on('message', ({ line, text, ...answer }) => {
        if (text !== undefined) process.send({ asked: 1, secret: 'key', set: text });
        else if (line === undefined) process.send({ line: 0, text: JSON.stringify(answer) });
      });
      process.on('disconnect', () => process.exit(0));`,
    );
    const kept = new Map<string, string | null>();
    const secrets = {
      get: (name: string) => Promise.resolve(kept.get(name) ?? null),
      set: (name: string, value: string | null) => Promise.resolve(void kept.set(name, value)),
    };
    const lent = begin(asks, { secrets });
    const one = lineTo(lent.host);
    one.line.send('v-1');
    expect(JSON.parse(await one.text)).toEqual({ asked: 1, value: 'v-1' });
    expect(kept.get('key')).toBe('v-1');
    await lent.host.close();
    const other = lineTo(begin(asks).host);
    other.line.send('v-1');
    expect(JSON.parse(await other.text)).toEqual({ asked: 1, failed: 'There is no key store here.' });
  });

  it('that is not there is said so', async () => {
    const { over } = begin(echo, { node: path.join(folder, 'no-node') });
    expect(await over).toContain('cannot be started');
  });

  it('that does not end when it is asked to is ended', async () => {
    const { host } = begin(
      script(
        'stays',
        `process.on('message', ({ line, text }) => text && process.send({ line, text })); setInterval(() => {}, 1000)`,
      ),
    );
    const { line, text } = lineTo(host);
    line.send('up?');
    await text;
    const pid = host.pid();
    await host.close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });
});

it('nothing that makes an Electron of a Node reaches the host or its servers', () => {
  const own = {
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: '--require x',
    NODE_CHANNEL_FD: '3',
    PATH: '/bin',
    HOME: '/h',
  };
  expect(hostEnvironment(own)).toEqual({ PATH: '/bin', HOME: '/h' });
});

describe('what quitting ends (host §20)', () => {
  const says = (how: string): string => `process.on('disconnect', () => process.exit(0));
    process.on('message', (got) => { if (got.quitting) { ${how} } });`;

  it('is said by the host that runs', async () => {
    // Its patience also covers the start of the host, which may be slow.
    const { host: running } = begin(script('counts', says('process.send({ ending: 2 })')), { patience: 30_000 });
    expect(await Promise.all([running.ending(), running.ending()])).toEqual([2, 2]);
  });
  it.each([
    ['ends', 'process.exit(1)'],
    ['says nothing', ''],
  ])('is nothing where it %s', async (_, how) => {
    const { host: running } = begin(script('silent', says(how)));
    expect(await running.ending()).toBe(0);
  });
  it('is waited for by each who asks in their own time', async () => {
    const late = `globalThis.asked ??= 0; if (++asked === 2) process.send({ ending: 2 });`;
    const { host: running } = begin(script('late', says(late)), { patience: 30_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const first = running.ending();
    vi.advanceTimersByTime(20_000);
    const second = running.ending();
    vi.advanceTimersByTime(15_000);
    expect(await Promise.all([first, second])).toEqual([0, 2]);
  });
  it('is nothing where it was given up', async () => {
    const { host: running, over } = begin(script('fails', `process.send({ failed: 'no' }); process.exitCode = 1;`));
    await over;
    expect(await running.ending()).toBe(0);
  });
});
