/** One large file over HTTP(S): resumed after a cut, bounded in size and waiting time, its checksum made on the way. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { reason } from '../../shared/failures.ts';

export interface UrlDownload {
  url: string;
  /** Grows until the file is whole; stays after a failure or a pause, to go on from. */
  part: string;
  /** Bytes the whole file has. */
  size: number;
  /** Whether a sum decides at the end: then a server without strong tags may continue, too. */
  known: boolean;
  signal?: AbortSignal | undefined;
  onProgress: (bytes: number) => void;
  /** Milliseconds until the first answer, and between two pieces of the body. */
  timeouts: { connect: number; idle: number };
}
const note = z.object({ url: z.string(), etag: z.string().nullable() });
const redirects = 5;
/** A connection that is cut again and again still ends, as long as each one brings something. */
const attempts = 50;

function noteFile(part: string): string {
  return `${part}.json`;
}

async function readNote(part: string): Promise<z.infer<typeof note> | null> {
  try {
    return note.parse(JSON.parse(await readFile(noteFile(part), 'utf8')));
  } catch {
    return null;
  }
}

async function lengthOf(file: string): Promise<number> {
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}

/** Bytes to continue from, and the condition under which the server may. */
async function resumePoint({ part, url, known, size }: UrlDownload): Promise<{ from: number; etag: string | null }> {
  const length = await lengthOf(part);
  const kept = await readNote(part);
  // Never on top of what another address sent: it may be the wrong file.
  if (length === 0 || length > size || kept?.url !== url || !(known || kept.etag !== null))
    return { from: 0, etag: null };
  return { from: length, etag: kept.etag };
}

/** Aborts when nothing happens for a while; `alive` starts the wait anew. */
function createWatch(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const whole = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
  return {
    signal: whole,
    alive(ms: number, what: string): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error(what)), ms);
    },
    /** Closes what is left of the connection, too. */
    stop(): void {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
type Watch = ReturnType<typeof createWatch>;

async function request(download: UrlDownload, from: number, etag: string | null, watch: Watch): Promise<Response> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (from > 0) headers['range'] = `bytes=${from}-`;
  if (from > 0 && etag !== null) headers['if-range'] = etag;
  let address = new URL(download.url);
  for (let hop = 0; hop <= redirects; hop++) {
    watch.alive(download.timeouts.connect, `no answer from ${address.host}`);
    const response = await fetch(address, { headers, redirect: 'manual', signal: watch.signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.protocol !== 'https:' && next.protocol !== address.protocol)
      throw new Error(`${address.host} leads to an unprotected address`);
    address = next;
  }
  throw new Error(`more than ${redirects} redirects`);
}

/** Where the body begins, checked against what was asked; throws where it is not the file wanted. */
function bodyStart(response: Response, from: number, size: number): number {
  const { status, headers } = response;
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
    if (Number(start) !== from || Number(total) !== size)
      throw new Error('the server continued at another place or in another file');
    return from;
  }
  if (status !== 200) throw new Error(`the server answered ${status}`);
  const length = headers.get('content-length');
  if (length !== null && Number(length) !== size) throw new Error(`the file there has ${length} bytes, not ${size}`);
  return 0;
}

async function hashedSoFar(part: string, start: number): Promise<Hash> {
  const hash = createHash('sha256');
  if (start > 0)
    await pipeline(createReadStream(part, { end: start - 1, highWaterMark: 1 << 20 }), hash, { end: false });
  return hash;
}

async function writeBody(response: Response, download: UrlDownload, start: number, watch: Watch): Promise<string> {
  const { part, size, onProgress, timeouts } = download;
  const hash = await hashedSoFar(part, start);
  const handle = await open(part, start > 0 ? 'r+' : 'w', 0o600);
  try {
    let at = start;
    onProgress(at);
    const body: AsyncIterable<Uint8Array> | null = response.body;
    if (body === null) throw new Error('the server sent nothing');
    watch.alive(timeouts.idle, 'the connection fell silent');
    for await (const piece of body) {
      watch.alive(timeouts.idle, 'the connection fell silent');
      if (at + piece.length > size) throw new Error(`the server sent more than ${size} bytes`);
      hash.update(piece);
      await handle.write(piece, 0, piece.length, at);
      at += piece.length;
      onProgress(at);
    }
    if (at !== size) throw new Error(`the connection ended at ${at} of ${size} bytes`);
    await handle.sync();
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

async function attempt(download: UrlDownload): Promise<string> {
  const { part, size, url, signal } = download;
  const { from, etag } = await resumePoint(download);
  if (from === size) return (await hashedSoFar(part, size)).digest('hex');
  const watch = createWatch(signal);
  try {
    const response = await request(download, from, etag, watch);
    if (response.status === 416) {
      await removePart(part);
      throw new Error('the server no longer has the file that was begun; fetch it again to start anew');
    }
    const start = bodyStart(response, from, size);
    const tag = response.headers.get('etag');
    // A weak tag promises the same meaning, not the same bytes.
    await writeFile(noteFile(part), JSON.stringify({ url, etag: tag === null || tag.startsWith('W/') ? null : tag }));
    return await writeBody(response, download, start, watch);
  } finally {
    watch.stop();
  }
}

export async function removePart(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(noteFile(part), { force: true });
}

const connectionErrors: Record<string, string> = {
  ENOTFOUND: 'its address is not known here, or there is no network',
  EAI_AGAIN: 'its address is not known here, or there is no network',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it cut the connection',
  UND_ERR_SOCKET: 'it cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer',
  ENETUNREACH: 'there is no network',
};

/** Undici hides what happened to the connection in a cause. */
function why(error: unknown): string {
  const deepest = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = deepest instanceof Error && 'code' in deepest ? String(deepest.code) : '';
  return connectionErrors[code] ?? reason(deepest);
}

/** Returns the SHA-256 of the whole file, now at `part`. Throws with what kept it from coming; a pause throws the signal's reason. */
export async function fromUrl(download: UrlDownload): Promise<string> {
  let before = await lengthOf(download.part);
  for (let left = attempts; ; left--) {
    try {
      return await attempt(download);
    } catch (error) {
      download.signal?.throwIfAborted();
      const reached = await lengthOf(download.part);
      if (reached <= before || left <= 1) throw new Error(why(error), { cause: error });
      before = reached;
    }
  }
}
