// Bootstrap without dependencies, on any Node ≥ 20.19: sets up what is missing (the locked packages, the
// product's own Node 24), then runs the given script or command with it. `node setup.mjs FILE|COMMAND ARGS…`
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

const root = import.meta.dirname;
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.desk-setup');
const bin = path.join(modules, 'node', 'bin');
const node = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node');

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(what, command, args, cwd) {
  const result = spawnSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (result.status === 0) return;
  fail(
    `Setting up failed at: ${what}.\n${(result.stderr || result.stdout || String(result.error)).trim().split('\n').slice(-8).join('\n')}\n` +
      'What to do: check that the npm registry can be reached, then run the same command again. Nothing else was changed.',
  );
}

function npm() {
  const exec = process.env['npm_execpath'];
  return exec?.endsWith('.js') ? [process.execPath, [exec]] : ['npm', []];
}

const wanted = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');
const ready = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted && existsSync(node);
if (!ready) {
  console.error('Setting up: installing the locked packages and Node 24 (about half a minute, once) …');
  const [command, first] = npm();
  run('npm ci', command, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], root);
  run('fetching Node 24', process.execPath, ['installArchSpecificPackage'], path.join(modules, 'node'));
  writeFileSync(stampFile, wanted);
}

const [target, ...args] = process.argv.slice(2);
if (target === undefined) process.exit(0);
const script = target.endsWith('.ts') || target.endsWith('.mjs');
const env = {
  ...process.env,
  PATH: `${bin}${path.delimiter}${path.join(modules, '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
};
// The script ends when this channel closes, so nothing outlives a bootstrap that is killed.
const child = spawn(
  script ? node : target,
  script ? ['--disable-warning=ExperimentalWarning', path.join(root, target), ...args] : args,
  {
    stdio: script ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env,
  },
);
child.on('error', (error) => fail(`Could not start ${target}: ${error.message}`));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
/** Parent and, where it can be read, grandparent: npm puts a shell between itself and this script. */
function ancestors() {
  try {
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1] ?? ''}`;
  } catch {
    return String(process.ppid);
  }
}
const started = ancestors();
setInterval(() => {
  if (ancestors() === started) return;
  if (child.connected) child.disconnect();
  else child.kill('SIGTERM');
}, 300).unref();
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
