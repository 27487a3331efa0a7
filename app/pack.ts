// `npm run pack`: builds the window, lists what will stand beside the archive with its hashes, and packs the app.
// What follows goes to electron-builder: `npm run pack -- --dir`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const node = process.platform === 'win32' ? 'node.exe' : 'node';

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [path.join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
/** The host's own files, as electron-builder.yml takes them, and Node. */
function list(): Record<string, string> {
  const files = ['main', 'shared', 'demo'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
      .filter(
        (name) =>
          /\.(ts|mjs|json|md|html)$/.test(name) && !/\.test\.ts$|\/tsconfig\.json$|^demo\/recorded\//.test(name),
      ),
  );
  const hashes: Record<string, string> = { node: hashOf(path.join(root, 'node_modules/node/bin', node)) };
  for (const name of files.sort()) hashes[name] = hashOf(path.join(root, name));
  return hashes;
}

run('app/build.ts');
writeFileSync(path.join(root, '.artifacts/app/hashes.json'), JSON.stringify(list(), null, 1));
run('node_modules/electron-builder/cli.js', ...process.argv.slice(2));
