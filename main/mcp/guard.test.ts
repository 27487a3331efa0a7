import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProcess } from './serverProcess.ts';

const stubborn = fileURLToPath(new URL('../../e2e/hostile/start.mjs', import.meta.url));
const host = `
  import { startProcess } from ${JSON.stringify(new URL('serverProcess.ts', import.meta.url).href)};
  const [script, mark] = process.argv.slice(1);
  const server = await startProcess({ command: process.execPath, args: [script, 'stubborn', mark], env: {}, stderrBytes: 1000 });
  console.log(server.pid);
  setInterval(() => {}, 1000);
`;

/** Processes whose command line holds a mark; the host itself and zombies left out. */
function alive(mark: string, but: number | undefined): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || pid === but) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
      } catch {
        return false;
      }
    });
}

describe.skipIf(process.platform !== 'linux')(
  'nothing the host started stays alive when it is gone (spec trust §7)',
  () => {
    const tries: { as: string; options: object }[] = [{ as: 'this user', options: {} }];
    // 65534 is the account nobody: an ordinary user, whose namespace must be made another way than root's.
    if (process.getuid?.() === 0) tries.push({ as: 'an ordinary user', options: { uid: 65534, gid: 65534 } });

    it.each(tries)('host killed with -9, server and its children stubborn, as $as', async ({ options }) => {
      const mark = randomBytes(8).toString('hex');
      const args = ['--input-type=module', '-e', host, stubborn, mark];
      const process9 = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { HOME: '/', PATH: process.env.PATH },
        ...options,
      });
      try {
        // The guard's two shells, `unshare`, the server, its child and its grandchild.
        await expect.poll(() => alive(mark, process9.pid).length).toBeGreaterThanOrEqual(3);
      } finally {
        process9.kill('SIGKILL');
      }
      await expect.poll(() => alive(mark, undefined)).toEqual([]);
    });

    it('without a namespace too: by group, descent and mark', async () => {
      const mark = randomBytes(8).toString('hex');
      const path = fileURLToPath(new URL('guard.mjs', import.meta.url));
      const guard = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'], detached: true });
      const control = guard.stdio[3];
      if (!control || !('write' in control)) throw new Error('no control pipe');
      const start = { command: process.execPath, args: [stubborn, 'stubborn', mark], env: {}, namespace: false };
      control.write(JSON.stringify({ start }) + '\n');
      await expect.poll(() => alive(mark, undefined).length).toBeGreaterThanOrEqual(3);
      guard.stdin?.end();
      control.destroy();
      await expect.poll(() => alive(mark, undefined)).toEqual([]);
    });

    it('a guard outlives Ctrl-C of the terminal: it is in a session of its own', async () => {
      const server = await startProcess({
        command: '/bin/sh',
        args: ['-c', 'cat'],
        env: { PATH: '/bin:/usr/bin' },
        stderrBytes: 1_000,
      });
      expect(server.pid).toBeTypeOf('number');
      const session = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
      expect(session(server.pid ?? 0)).not.toBe(session(process.pid));
      // One that ends with its stdin is not waited for.
      await server.end(600_000);
    });
  },
);

describe('a server behind its guard', () => {
  it('gets exactly the environment it was given, and the mark', async () => {
    const server = await startProcess({
      command: 'env',
      args: [],
      env: { PATH: '/bin:/usr/bin', A: '1 2' },
      stderrBytes: 1_000,
    });
    let text = '';
    server.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await server.closed;
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => line.replace(/^(DESK_GUARD)=.*/, '$1'))
        .sort(),
    ).toEqual(['A=1 2', 'DESK_GUARD', 'PATH=/bin:/usr/bin']);
    expect(server.ended()).toBe('it ended by itself');
  });
  it('gets arguments with spaces, quotes and dollars as they are', async () => {
    const args = ['-c', 'for a; do echo "[$a]"; done', 'sh', 'a b', '$HOME', '"q"', '-x', ''];
    const server = await startProcess({ command: 'sh', args, env: { PATH: '/bin:/usr/bin' }, stderrBytes: 1_000 });
    let text = '';
    server.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await server.closed;
    expect(text).toBe('[a b]\n[$HOME]\n["q"]\n[-x]\n[]\n');
  });
  it('is told as missing, or as not to be run', async () => {
    const start = (command: string) =>
      startProcess({ command, args: [], env: { PATH: '/bin:/usr/bin' }, stderrBytes: 1_000 });
    await expect(start('no-such-program')).rejects.toThrow('there is no program');
    await expect(start('/etc/passwd')).rejects.toThrow('may not be run');
  });
  it("does not hold the guard's own pipe to the host", async () => {
    const list = 'for fd in /proc/self/fd/*; do case $(readlink $fd) in socket:*) echo ${fd##*/};; esac; done';
    const args = ['-c', list];
    const server = await startProcess({ command: 'sh', args, env: { PATH: '/bin:/usr/bin' }, stderrBytes: 1_000 });
    let text = '';
    server.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await server.closed;
    expect(text.trim().split('\n').map(Number)).toEqual([0, 2]);
  });
});
