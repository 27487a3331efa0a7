// Stands between the host and one stdio server, so that nothing the server started outlives the host (spec trust §7).
// It reads its orders from file descriptor 3, which only the host holds: when that pipe closes, however the host went,
// the server is ended. The server has the guard's own stdin, stdout and stderr; no byte passes through here.
//
// Two nets. A PID namespace, where the system lets us make one (as root, or through a user namespace): the kernel
// kills all of it with its first process, whatever it did. And always: the process group, the descendants, and on Linux
// every process whose environment carries this guard's mark. Without a namespace a process that left the group, lost its
// parent and emptied its environment escapes.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** For stdin to end it, then for SIGTERM: together well under the 5 s after which nothing is left. */
const patience = 2000;
const termPatience = 1500;
const linux = process.platform === 'linux';
const windows = process.platform === 'win32';
const mark = randomBytes(16).toString('hex');
/** Two shells before the server: the first reaps, the second lets the server's parent be something other than 1. */
const wrap = 'trap : TERM INT HUP; "$@"; exit $?';
/** @type {import('node:child_process').ChildProcess | null} */
let server = null;
let ending = false;

const control = new Socket({ fd: 3, readable: true, writable: true });
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.on('SIGTERM', () => end());
let orders = '';
control.setEncoding('utf8');
control.on('data', (chunk) => {
  orders += chunk;
  for (let at = orders.indexOf('\n'); at >= 0; at = orders.indexOf('\n')) {
    const order = JSON.parse(orders.slice(0, at));
    orders = orders.slice(at + 1);
    if (order.start) start(order.start);
    if (order.end) end();
  }
});
control.on('error', () => end());
control.on('close', () => end());

/** @param {object} report */
function tell(report) {
  if (control.writable) control.write(JSON.stringify(report) + '\n');
}

/** @param {{command: string, args: string[], env: Record<string, string>, namespace?: boolean}} order */
function start(order) {
  const found = find(order.command, order.env.PATH ?? '');
  if (found.problem) {
    tell({ failed: found.problem });
    control.end(() => process.exit(0));
    return;
  }
  const jail = linux && order.namespace !== false ? namespaceFlags() : null;
  // The shells add these; a server gets only what the host said.
  const added = ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => !(name in order.env)).flatMap((name) => ['-u', name]);
  const plain = [found.path, ...order.args];
  const [command, ...args] = jail
    ? [
        'unshare',
        ...jail,
        '--',
        '/bin/sh',
        '-c',
        wrap,
        'sh',
        '/bin/sh',
        '-c',
        wrap,
        'sh',
        'env',
        ...added,
        '--',
        ...plain,
      ]
    : plain;
  server = spawn(command, args, {
    env: { ...order.env, DESK_GUARD: mark },
    stdio: ['inherit', 'inherit', 'inherit'],
    detached: !windows,
    windowsHide: true,
  });
  server.on('spawn', () => tell({ started: server?.pid, namespace: jail !== null }));
  server.on('error', (error) => {
    tell({ failed: 'code' in error ? error.code : error.message });
    control.end(() => process.exit(0));
  });
  server.on('exit', (code, signal) => {
    tell({ exited: { code, signal } });
    sweep(40);
  });
}

/**
 * Where a command is, by the server's own PATH: the shells would turn a missing program into a mere exit code.
 * @param {string} command @param {string} path
 * @returns {{path: string, problem?: string}}
 */
function find(command, path) {
  if (windows) return { path: command };
  const places = command.includes(sep)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder || '.', command));
  let problem = 'ENOENT';
  for (const place of places) {
    try {
      if (!statSync(place).isFile()) continue;
      problem = 'EACCES';
      accessSync(place, constants.X_OK);
      return { path: isAbsolute(place) || place.startsWith('.') ? place : `./${place}` };
    } catch {
      // the next place may have it
    }
  }
  return { path: command, problem };
}

/** Flags that make a PID namespace here, or null where the system refuses. */
function namespaceFlags() {
  const common = ['--pid', '--fork', '--kill-child=SIGKILL'];
  const tries = process.getuid?.() === 0 ? [common] : [];
  tries.push(['--user', '--map-current-user', ...common]);
  for (const flags of tries) {
    const { status } = spawnSync('unshare', [...flags, '--', '/bin/sh', '-c', 'env -u X true'], {
      stdio: 'ignore',
      timeout: 10_000,
    });
    if (status === 0) return flags;
  }
  return null;
}

/** stdin has ended with the host's pipe; then a request, then force. */
function end() {
  if (ending) return;
  ending = true;
  if (!server || server.exitCode !== null || server.signalCode !== null) {
    sweep(40);
    return;
  }
  setTimeout(() => strike('SIGTERM', group()), patience);
  setTimeout(() => sweep(40), patience + termPatience);
}

/** @param {NodeJS.Signals} signal @param {Iterable<number>} pids */
function strike(signal, pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // already gone
    }
  }
}

function group() {
  if (!server?.pid) return [];
  if (windows) {
    spawnSync('taskkill', ['/T', '/F', '/PID', String(server.pid)], { stdio: 'ignore' });
    return [];
  }
  return [-server.pid];
}

/**
 * Kills everything of the server until nothing of it is seen, then ends the guard itself.
 * @param {number} rounds
 */
function sweep(rounds) {
  const left = linux ? ours() : [];
  strike('SIGKILL', [...left, ...group()]);
  const running = server !== null && server.exitCode === null && server.signalCode === null;
  if (rounds > 0 && (left.length > 0 || running)) setTimeout(() => sweep(rounds - 1), 10);
  else process.exit(0);
}

/** Processes that carry the mark, or descend from the server. Zombies do not count. */
function ours() {
  /** @type {Map<number, number>} */
  const parents = new Map();
  /** @type {Set<number>} */
  const found = new Set();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') continue;
      parents.set(pid, Number(parent));
      if (pid === server?.pid || readFileSync(`/proc/${name}/environ`, 'latin1').includes(`DESK_GUARD=${mark}`))
        found.add(pid);
    } catch {
      // gone meanwhile, or another user's
    }
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of parents)
      if (found.has(parent) && !found.has(pid)) {
        found.add(pid);
        grown = true;
      }
  }
  return [...found];
}
