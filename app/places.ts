// Where things are: in the repository, and in the installed app, which ships Node 24 and the host beside its archive.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';

export interface Places {
  /** The built renderer. */
  pages: string;
  preload: string;
  node: string;
  /** The host's script. */
  host: string;
}

const windows = process.platform === 'win32';

export function places(): Places {
  const root = app.getAppPath();
  const built = path.join(root, '.artifacts');
  const beside = app.isPackaged ? `${root}.unpacked` : root;
  const node = app.isPackaged ? path.join(process.resourcesPath, 'node') : path.join(root, 'node_modules/node/bin');
  return {
    pages: path.join(built, 'renderer'),
    preload: path.join(built, 'app', 'preload.cjs'),
    node: path.join(node, windows ? 'node.exe' : 'node'),
    host: path.join(beside, 'main', 'windowHost.ts'),
  };
}

/** What stands beside the archive is not covered by its seal: compared with the list inside it. Null where all is right. */
export async function changedBeside(): Promise<string | null> {
  if (!app.isPackaged) return null;
  const root = app.getAppPath();
  // Written by the build (app/pack.ts): path → SHA-256, of the host's files below the unpacked folder and of Node.
  const list = JSON.parse(readFileSync(path.join(root, '.artifacts/app/hashes.json'), 'utf8')) as Record<
    string,
    string
  >;
  for (const [name, hash] of Object.entries(list)) {
    const file = name === 'node' ? places().node : path.join(`${root}.unpacked`, name);
    if ((await hashOf(file).catch(() => null)) !== hash) return file;
  }
  return null;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
