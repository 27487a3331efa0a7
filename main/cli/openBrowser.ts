// Opens an address in the person's browser, without a shell. The address holds a secret, and everybody on the machine sees
// the arguments of a program: what is opened is a file of this user's own that leads there.
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Null where there is no browser to open. Returns how to remove the file. */
export function openBrowser(address: string, folder: string): (() => void) | null {
  const program = opener();
  if (program === null) return null;
  const file = path.join(folder, 'open.html');
  rmSync(file, { force: true });
  // Made of our own origin and a token of hexadecimal digits: nothing in it needs escaping.
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><title>Desk</title>`, {
    mode: 0o600,
    flag: 'wx',
  });
  const [command, ...args] = program;
  const child = spawn(command, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return () => rmSync(file, { force: true });
}

function opener(): [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['/usr/bin/open'];
  if (process.platform === 'win32')
    return [
      path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'rundll32.exe'),
      'url.dll,FileProtocolHandler',
    ];
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return null;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = folders.map((folder) => path.join(folder, 'xdg-open')).find((file) => existsSync(file));
  return found === undefined ? null : [found];
}
